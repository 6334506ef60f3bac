// Bookings as iCalendar (RFC 5545, RFC 5546). Times are UTC instants: a booking does not recur, and Google, Outlook and Apple
// show instants rightly without a VTIMEZONE, whose definitions they read differently.
import ical, {
  ICalAttendeeStatus,
  ICalCalendarMethod,
  type ICalEventData,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'

import { lines, oneLine } from '../../platform/text/plain.ts'

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

const PRODUCT = { company: 'Hearth', product: 'Bookings', language: 'EN' }

/** A file or feed with these bookings. It has no METHOD: it tells and asks for nothing. */
export function calendarOf(baseUrl: string, entries: readonly CalendarEntry[], name?: string): string {
  const feed = name === undefined ? {} : { name: oneLine(name), ttl: REFRESH_SECONDS }
  return ical({ prodId: PRODUCT, ...feed, events: entries.map((entry) => eventOf(baseUrl, entry)) }).toString()
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
  const calendar = ical({ prodId: PRODUCT, method: ICalCalendarMethod[method] })
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
