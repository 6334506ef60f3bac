// The iCalendar text of generated calendars.
import type { CalendarEvent, Length, Rule } from './calendar-oracle.ts'
import { type Minutes, midnight } from './clock-oracle.ts'
import { zoneClock } from './schedule-arbitraries.ts'

/** Zones by a name that a calendar may use instead of IANA's. */
const WINDOWS_NAMES: Record<string, string> = {
  'America/New_York': 'Eastern Standard Time',
  'Europe/London': 'GMT Standard Time',
  'Asia/Tehran': 'Iran Standard Time',
  'Pacific/Auckland': 'New Zealand Standard Time',
  'Australia/Lord_Howe': 'Lord Howe Standard Time',
}

const stamp = (at: Minutes) => new Date(at * 60_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
const date = (at: Minutes) => stamp(at).slice(0, 8)

/** How a calendar names a zone: by IANA's name, by that of Windows, or by one of its own with its rules. */
const tzidOf = (zone: string, { uid, rule: repeated }: CalendarEvent): string => {
  // By the clock of a zone that only the file knows, Hearth repeats hours without regard to clock changes.
  if (repeated?.freq === 'HOURLY') return zone
  const style = Number.parseInt(uid.slice(0, 1), 16) % 3
  return style === 0 ? zone : style === 1 ? (WINDOWS_NAMES[zone] ?? zone) : `Own ${zone}`
}

function property(name: string, event: CalendarEvent, at: Minutes): string {
  if (event.isDate) return `${name};VALUE=DATE:${date(at)}`
  if (event.zone === undefined) return `${name}:${stamp(at)}`
  return event.zone === 'UTC' ? `${name}:${stamp(at)}Z` : `${name};TZID=${tzidOf(event.zone, event)}:${stamp(at)}`
}

function ruleText(event: CalendarEvent, it: Rule): string {
  const { clock } = zoneClock(event.zone ?? 'UTC')
  const until =
    it.until === undefined
      ? ''
      : event.isDate
        ? date(it.until)
        : event.zone === undefined
          ? stamp(it.until)
          : `${stamp(clock.firstInstantFrom(it.until))}Z`
  return Object.entries({
    FREQ: it.freq,
    INTERVAL: it.interval === 1 ? '' : it.interval,
    COUNT: it.count,
    UNTIL: until,
    BYMONTH: it.month,
    BYWEEKNO: it.weekNo,
    BYYEARDAY: it.yearDay,
    BYMONTHDAY: it.monthDay,
    BYDAY: it.day?.map(({ nth, name }) => `${nth || ''}${name}`),
    BYHOUR: it.hour,
    BYMINUTE: it.minute,
    BYSETPOS: it.setPos,
    WKST: it.weekStart === 'MO' ? '' : it.weekStart,
  })
    .flatMap(([name, value]) => (value === undefined || value === '' ? [] : [`${name}=${String(value)}`]))
    .join(';')
}

const lengthText = (event: CalendarEvent, start: Minutes, it: Length): string[] => {
  if (!it) return []
  if (it.kind === 'end') return [property('DTEND', event, start + it.days * 1440 + it.minutes)]
  return [`DURATION:P${it.days ? `${it.days}D` : ''}${it.minutes ? `T${it.minutes}M` : ''}`]
}

const freeText = (isFree: CalendarEvent['isFree']) =>
  isFree === 'cancelled' ? ['STATUS:CANCELLED'] : isFree === 'transparent' ? ['TRANSP:TRANSPARENT'] : []

function eventText(event: CalendarEvent): string[] {
  const component = (lines: string[]) => [
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    ...lines,
    'SUMMARY:A long text, folded in',
    '  the middle',
    'END:VEVENT',
  ]
  return [
    ...component([
      property('DTSTART', event, event.start),
      ...lengthText(event, event.start, event.length),
      ...(event.rule ? [`RRULE:${ruleText(event, event.rule)}`] : []),
      ...event.added.map((at) => property('RDATE', event, at)),
      ...event.excluded.map((at) => property('EXDATE', event, at)),
      ...freeText(event.isFree),
    ]),
    ...event.overrides.flatMap((it) =>
      component([
        property('RECURRENCE-ID', event, it.of),
        property('DTSTART', event, it.start),
        ...lengthText(event, it.start, it.length),
        ...freeText(it.isFree),
      ]),
    ),
  ]
}

/** A zone by the list of its changes. */
function timezoneText(zone: string): string[] {
  const { clock } = zoneClock(zone)
  const offset = (minutes: number) =>
    `${minutes < 0 ? '-' : '+'}${String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')}${String(Math.abs(minutes) % 60).padStart(2, '0')}`
  const part = (at: Minutes, from: number, to: number) => {
    const kind = to > from ? 'DAYLIGHT' : 'STANDARD'
    return [
      `BEGIN:${kind}`,
      `DTSTART:${stamp(at)}`,
      `TZOFFSETFROM:${offset(from)}`,
      `TZOFFSETTO:${offset(to)}`,
      `END:${kind}`,
    ]
  }
  const lines = part(midnight('2017-01-01'), clock.offset(midnight('2017-01-02')), clock.offset(midnight('2017-01-02')))
  for (let day = midnight('2017-01-02'); day < midnight('2022-11-30'); day += 1440) {
    if (clock.offset(day) === clock.offset(day + 1440)) continue
    let instant = day
    while (clock.offset(instant) === clock.offset(day)) instant += 15
    lines.push(...part(instant + clock.offset(day), clock.offset(day), clock.offset(instant)))
  }
  return ['BEGIN:VTIMEZONE', `TZID:Own ${zone}`, ...lines, 'END:VTIMEZONE']
}

const timezones = new Map<string, string[]>()

export function calendarText(events: readonly CalendarEvent[]): string {
  const own = new Set(
    events.flatMap((event) => {
      const { zone } = event
      return zone !== undefined && tzidOf(zone, event).startsWith('Own ') ? [zone] : []
    }),
  )
  for (const zone of own) if (!timezones.has(zone)) timezones.set(zone, timezoneText(zone))
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    ...[...own].flatMap((zone) => timezones.get(zone) ?? []),
    ...events.flatMap(eventText),
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}
