// A host of calendars: an HTTP server whose files the test writes.
import type { Deps } from '../../src/deps.ts'
import {
  type ReadingOutcome,
  readNextCalendar,
} from '../../src/features/calendar/imported-calendars/verbs/read-calendar.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface CalendarRequest {
  path: string
  etag: string | null
  modifiedSince: string | null
}

export interface CalendarHost {
  readonly requests: CalendarRequest[]
  /** The address of a file. */
  url(path: string): string
  /** The response to each request from now on. */
  answer: (request: CalendarRequest) => Response | Promise<Response>
  stop(): Promise<void>
}

export function openCalendarHost(): CalendarHost {
  const requests: CalendarRequest[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async ({ url, headers }) => {
      const request = {
        path: new URL(url).pathname,
        etag: headers.get('if-none-match'),
        modifiedSince: headers.get('if-modified-since'),
      }
      requests.push(request)
      return await host.answer(request)
    },
  })
  const host: CalendarHost = {
    requests,
    url: (path) => `http://127.0.0.1:${server.port}/${path}`,
    answer: () => new Response('Not found', { status: 404 }),
    stop: () => server.stop(true),
  }
  return host
}

/** A calendar of events from one instant to another, such as `2026-11-23T15:00:00Z`. */
export function icsOf(...events: { from: string; to: string; uid?: string }[]): string {
  const stamp = (instant: string) => new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
  const lines = events.flatMap(({ from, to, uid = `${from}@elsewhere.test.example` }) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTART:${stamp(from)}Z`,
    `DTEND:${stamp(to)}Z`,
    'SUMMARY:A dentist’s appointment',
    'END:VEVENT',
  ])
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
}

/** Reads calendars until none is due. */
export async function readAllDue(deps: Deps): Promise<ReadingOutcome[]> {
  const outcomes: ReadingOutcome[] = []
  for (let outcome = await readNextCalendar(ctxOf(deps)); outcome; outcome = await readNextCalendar(ctxOf(deps)))
    outcomes.push(outcome)
  return outcomes
}
