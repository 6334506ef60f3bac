// Splits an iCalendar file (RFC 5545) into the components that say when time is busy, without what they are about. What no
// calendar program writes is left out here, before the library sees it.
import ICAL from 'ical.js'

/** The components of a file, each as text, in their order. */
export interface Components {
  VEVENT: string[]
  VFREEBUSY: string[]
  VTIMEZONE: string[]
  /** Components of the first two kinds that exceed a limit: they are not among them. */
  refused: number
}

/**
 * The properties that matter for busy time. The others, which are most of a file and the part that programs write wrong
 * most often, are neither parsed nor kept.
 */
const KEPT =
  /^(BEGIN|END|UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|TRANSP|SEQUENCE|FREEBUSY|TZID|TZOFFSETFROM|TZOFFSETTO|X-LIC-LOCATION|X-MICROSOFT-CDO-BUSYSTATUS)[;:]/i

type Kind = 'VEVENT' | 'VFREEBUSY' | 'VTIMEZONE'
const isKept = (name: string): name is Kind => name === 'VEVENT' || name === 'VFREEBUSY' || name === 'VTIMEZONE'

/** The rules of a time zone are components of it; an alarm is one of an event and does not matter. */
const PARTS = new Set(['STANDARD', 'DAYLIGHT'])

/** RFC 5545 nests an alarm's parts four deep. */
const MAX_DEPTH = 16
/** Of a property's name with its parameters, and of its value. Programs write less than 300 characters of each. */
const MAX_HEAD = 1000
const MAX_VALUE = 2000
/** A list of times has more: these are 15,000. */
const MAX_LIST = 256 * 1024
const LISTS = new Set(['RDATE', 'EXDATE', 'FREEBUSY'])
/** Some programs write each exception of a series as a line. The rules of a zone since 1900 take 2,000. */
const MAX_LINES = 10_000
/** A file names the zones of its events. */
const MAX_TIMEZONES = 500

/** A line goes on after its end when the next begins with white space (RFC 5545 §3.1). */
const FOLD = /(?:\r\n|\n|\r)[ \t]/g

/** Undefined for a text that is not a calendar, `incomplete` for one that ends too early. */
export function splitComponents(text: string): Components | 'incomplete' | undefined {
  const components: Components = { VEVENT: [], VFREEBUSY: [], VTIMEZONE: [], refused: 0 }
  const open: string[] = []
  let lines: string[] = []
  let isRefused = false
  let isCalendar = false
  let isComplete = false
  // Inside of an event's alarm and of other components, all lines are passed over.
  const isRead = () => open.length >= 2 && isKept(open[1] ?? '') && open.slice(2).every((name) => PARTS.has(name))
  for (const line of text.replaceAll(FOLD, '').split(/\r\n|\n|\r/)) {
    const property = KEPT.exec(line)?.[1]?.toUpperCase()
    if (property === undefined) continue
    if (property === 'BEGIN') {
      if (open.length === MAX_DEPTH) return undefined
      open.push(line.slice('BEGIN:'.length, MAX_HEAD).trim().toUpperCase())
      isCalendar ||= open[0] === 'VCALENDAR'
    }
    if (isRead()) {
      isRefused ||= lines.length === MAX_LINES || !isUsual(property, line)
      if (!isRefused) lines.push(line)
    }
    if (property === 'END') {
      const name = open.pop() ?? ''
      if (open.length === 1 && isKept(name)) {
        add(components, name, isRefused ? undefined : lines.join('\r\n'))
        lines = []
        isRefused = false
      }
      isComplete = open.length === 0 && name === 'VCALENDAR'
    }
  }
  if (!isCalendar) return undefined
  return isComplete ? components : 'incomplete'
}

/** A zone that is left out counts as missing. */
function add(components: Components, kind: Kind, text: string | undefined): void {
  if (text === undefined) components.refused += kind === 'VTIMEZONE' ? 0 : 1
  else if (kind !== 'VTIMEZONE' || components.VTIMEZONE.length < MAX_TIMEZONES) components[kind].push(text)
}

/** Whether the parts of a line have a usual length. The value follows the first colon outside of quotes. */
function isUsual(property: string, line: string): boolean {
  let isQuoted = false
  for (let at = 0; at < line.length && at < MAX_HEAD; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    if (line[at] === ':' && !isQuoted) return line.length - at <= (LISTS.has(property) ? MAX_LIST : MAX_VALUE)
  }
  return false
}

/** Throws for text that is not a component. */
export const parseComponent = (text: string): ICAL.Component =>
  new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0])
