// Splits an iCalendar file (RFC 5545) into the components that say when time is busy, without what they are about.
import ICAL from 'ical.js'

/** The components of a file, each as text, in their order. */
export interface Components {
  VEVENT: string[]
  VFREEBUSY: string[]
  VTIMEZONE: string[]
}

/**
 * The properties that matter for busy time. The others, which are most of a file and the part that programs write wrong
 * most often, are neither parsed nor kept.
 */
const KEPT =
  /^(BEGIN|END|UID|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID|STATUS|TRANSP|SEQUENCE|FREEBUSY|TZID|TZOFFSETFROM|TZOFFSETTO|X-LIC-LOCATION|X-MICROSOFT-CDO-BUSYSTATUS)[;:]/i

const isKept = (name: string): name is keyof Components =>
  name === 'VEVENT' || name === 'VFREEBUSY' || name === 'VTIMEZONE'

/** The rules of a time zone are components of it; an alarm is one of an event and does not matter. */
const PARTS = new Set(['STANDARD', 'DAYLIGHT'])

/** Undefined for a text that is not a calendar, `incomplete` for one that ends too early. */
export function splitComponents(text: string): Components | 'incomplete' | undefined {
  const components: Components = { VEVENT: [], VFREEBUSY: [], VTIMEZONE: [] }
  const open: string[] = []
  let lines: string[] = []
  let isCalendar = false
  let isComplete = false
  let continues = false
  // Inside of an event's alarm and of other components, all lines are passed over.
  const isRead = () => open.length >= 2 && isKept(open[1] ?? '') && open.slice(2).every((name) => PARTS.has(name))
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line.startsWith(' ') || line.startsWith('\t')) {
      if (continues && isRead()) lines.push(line)
      continue
    }
    const property = KEPT.exec(line)?.[1]?.toUpperCase()
    continues = property !== undefined
    if (property === 'BEGIN') {
      open.push(line.slice('BEGIN:'.length).trim().toUpperCase())
      isCalendar ||= open[0] === 'VCALENDAR'
      if (isRead()) lines.push(line)
    } else if (property === 'END') {
      if (isRead()) lines.push(line)
      const name = open.pop() ?? ''
      if (open.length === 1 && isKept(name)) {
        components[name].push(lines.join('\r\n'))
        lines = []
      }
      isComplete = open.length === 0 && name === 'VCALENDAR'
    } else if (continues && isRead()) lines.push(line)
  }
  if (!isCalendar) return undefined
  return isComplete ? components : 'incomplete'
}

/** Throws for text that is not a component. */
export const parseComponent = (text: string): ICAL.Component =>
  new ICAL.Component(ICAL.parse(text) as ConstructorParameters<typeof ICAL.Component>[0])
