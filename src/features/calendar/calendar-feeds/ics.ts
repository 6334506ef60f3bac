// Bookings as iCalendar (RFC 5545, RFC 5546). Times are UTC instants: a booking does not recur, and Google, Outlook and Apple
// show instants rightly without a VTIMEZONE, whose definitions they read differently.
import ical, {
  ICalAttendeeStatus,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'

import { lines, oneLine } from '../../../platform/text/plain.ts'

/** The content type of a file or feed. */
export const ICS_TYPE = 'text/calendar; charset=utf-8'

/** How often a calendar program should read a feed again. */
const REFRESH_SECONDS = 15 * 60

export interface CalendarEntry {
  readonly bookingId: string
  /** Increases with each change (RFC 5546 §2.1.4). */
  readonly sequence: number
  /** The instant of the last change. */
  readonly updatedAt: string
  readonly startsAt: string
  readonly endsAt: string
  readonly status: 'tentative' | 'confirmed' | 'cancelled'
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly url?: string | undefined
}

interface Person {
  readonly name: string
  readonly email: string
}

export interface InvitationParties {
  readonly organizer: Person
  readonly attendee: Person
}

/** Whom the file is from, as a name that no other site has (RFC 5545 §3.7.3). */
const productOf = (baseUrl: string) => ({ company: new URL(baseUrl).hostname, product: 'Bookings', language: 'EN' })

/** A file with these bookings. It has no METHOD: it tells and asks for nothing. */
export const calendarOf = (baseUrl: string, entries: readonly CalendarEntry[]): string =>
  ical({ prodId: productOf(baseUrl), events: entries.map((entry) => eventOf(baseUrl, entry)) }).toString()

/** Takes 3 ms. */
const EVENTS_AT_ONCE = 50
const END = 'END:VCALENDAR'

/** A feed with these bookings, made in parts, between which other requests go on. */
export async function feedOf(baseUrl: string, name: string, entries: readonly CalendarEntry[]): Promise<string> {
  const empty = ical({ prodId: productOf(baseUrl), name: oneLine(name), ttl: REFRESH_SECONDS }).toString()
  let feed = empty.slice(0, empty.lastIndexOf(END))
  for (let at = 0; at < entries.length; at += EVENTS_AT_ONCE) {
    const part = calendarOf(baseUrl, entries.slice(at, at + EVENTS_AT_ONCE))
    feed += part.slice(part.indexOf('BEGIN:VEVENT'), part.lastIndexOf(END))
    await new Promise(setImmediate)
  }
  return feed + empty.slice(empty.lastIndexOf(END))
}

/**
 * A booking for an e-mail to its customer or pro: REQUEST, or CANCEL if it is cancelled. The attendee has accepted already, so
 * that calendar programs ask for no answer.
 */
export function invitationOf(
  baseUrl: string,
  entry: CalendarEntry,
  { organizer, attendee }: InvitationParties,
): { readonly method: 'REQUEST' | 'CANCEL'; readonly content: string } {
  const method = entry.status === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const event = {
    ...eventOf(baseUrl, entry),
    organizer: { name: oneLine(organizer.name), email: organizer.email },
    attendees: [
      { name: oneLine(attendee.name), email: attendee.email, status: ICalAttendeeStatus.ACCEPTED, rsvp: false },
    ],
  }
  const calendar = ical({ prodId: productOf(baseUrl), method: ICalCalendarMethod[method] })
  calendar.createEvent(event)
  return { method, content: calendar.toString() }
}

const STATUS = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
}

const eventOf = (baseUrl: string, entry: CalendarEntry): ICalEventData => ({
  id: `booking-${entry.bookingId}@${new URL(baseUrl).hostname}`,
  sequence: entry.sequence,
  stamp: new Date(entry.updatedAt),
  lastModified: new Date(entry.updatedAt),
  start: new Date(entry.startsAt),
  end: new Date(entry.endsAt),
  status: STATUS[entry.status],
  transparency: entry.status === 'cancelled' ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
  summary: oneLine(entry.summary),
  location: oneLine(entry.location) === '' ? null : oneLine(entry.location),
  description: lines(entry.description).join('\n'),
  url: entry.url ?? null,
})
