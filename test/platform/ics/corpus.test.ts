// The busy time of generated calendars is that of an independent expansion, day by day.
import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { readBusyTime } from '../../../src/platform/ics/busy-time.ts'
import { type GeneratedCalendar, WINDOW, generatedCalendar } from '../../support/calendar-corpus.ts'
import { CalendarOracle, mergeSpans } from '../../support/calendar-oracle.ts'
import { iso } from '../../support/clock-oracle.ts'

const CALENDARS = process.env['HEARTH_TEST_LONG'] ? 5000 : 200

function check({ proZone, events, text }: GeneratedCalendar) {
  const within = { start: WINDOW.from * 60_000, end: WINDOW.to * 60_000 }
  const result = readBusyTime(text, { timeZone: proZone, within })
  if (result.kind === 'unusable') throw new Error(`${result.reason}:\n${text}`)
  const busy = mergeSpans(
    result.busy.map(({ start, end }) => [start / 60_000, end / 60_000] as const),
    WINDOW,
  )
  const shown = (spans: readonly (readonly [number, number])[]) => spans.map(([from, to]) => `${iso(from)}–${iso(to)}`)
  expect({ text, unreadable: result.unreadable, busy: shown(busy) }).toEqual({
    text,
    unreadable: 0,
    busy: shown(new CalendarOracle(proZone, WINDOW).busy(events)),
  })
}

test(`${CALENDARS} generated calendars block the same time as their independent expansion`, () => {
  fc.assert(fc.property(generatedCalendar, check), { numRuns: CALENDARS, seed: 20_261_122 })
}, 600_000)
