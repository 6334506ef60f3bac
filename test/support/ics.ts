// Reads iCalendar with two independent libraries, which must agree.
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'

/** An event as both libraries read it. */
export interface ReadEvent {
  uid: string
  sequence: number
  start: string
  end: string
  stamp: string
  status: string
  summary: string
  location: string
  description: string
}

export interface ReadCalendar {
  method: string | null
  name: string | null
  events: ReadEvent[]
}

/** Throws when a library cannot parse the text or the two read different events. */
export function readCalendar(text: string): ReadCalendar {
  const first = withIcalJs(text)
  const second = withNodeIcal(text)
  if (!Bun.deepEquals(first, second))
    throw new Error(`The libraries disagree: ${JSON.stringify(first)} and ${JSON.stringify(second)}`)
  refuseBadLines(text)
  return first
}

/** The only event. */
export function readEvent(text: string): ReadEvent & Pick<ReadCalendar, 'method'> {
  const { events, method } = readCalendar(text)
  const [event] = events
  if (!event || events.length !== 1) throw new Error(`The file has ${events.length} events.`)
  return { ...event, method }
}

function withIcalJs(text: string): ReadCalendar {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const property = (component: typeof calendar, name: string) => {
    const value = component.getFirstPropertyValue(name)
    return value === null ? null : String(value)
  }
  return {
    method: property(calendar, 'method'),
    name: property(calendar, 'x-wr-calname'),
    events: calendar.getAllSubcomponents('vevent').map((component) => {
      const event = new ICAL.Event(component)
      const stamp = component.getFirstPropertyValue('dtstamp') as ICAL.Time
      return {
        uid: event.uid,
        sequence: Number(property(component, 'sequence')),
        start: event.startDate.toJSDate().toISOString(),
        end: event.endDate.toJSDate().toISOString(),
        stamp: stamp.toJSDate().toISOString(),
        status: property(component, 'status') ?? '',
        summary: event.summary,
        location: event.location ?? '',
        description: event.description ?? '',
      }
    }),
  }
}

function withNodeIcal(text: string): ReadCalendar {
  const { vcalendar, ...components } = nodeIcal.sync.parseICS(text)
  const { method = null, 'WR-CALNAME': name = null } = (vcalendar ?? {}) as Record<string, string | undefined>
  const events = Object.values(components).flatMap((component) => {
    if (component?.type !== 'VEVENT') return []
    return {
      uid: component.uid,
      sequence: Number(component.sequence),
      start: component.start.toISOString(),
      end: component.end?.toISOString() ?? '',
      stamp: component.dtstamp.toISOString(),
      status: component.status ?? '',
      summary: textOf(component.summary),
      location: textOf(component.location),
      description: textOf(component.description),
    }
  })
  return { method, name, events }
}

/** A property as a text; node-ical returns one with parameters as an object. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** Lines end with CR LF and have at most 75 bytes (RFC 5545 §3.1). */
function refuseBadLines(text: string): void {
  const lines = text.split('\r\n')
  const bad = lines.filter((line) => /[\r\n]/.test(line) || Buffer.byteLength(line) > 75)
  if (bad.length > 0) throw new Error(`Not a line of iCalendar: ${JSON.stringify(bad[0])}`)
}
