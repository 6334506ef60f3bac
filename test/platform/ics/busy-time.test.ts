// What of a calendar file blocks time, by example; and files that are broken or hostile.
import { describe, expect, test } from 'bun:test'

import { type BusyTimeOptions, readBusyTime } from '../../../src/platform/ics/busy-time.ts'
import { wallOf } from '../../../src/platform/ics/recurrence.ts'
import ICAL from 'ical.js'

const WITHIN = { start: Date.parse('2026-11-23T00:00:00Z'), end: Date.parse('2026-11-30T00:00:00Z') }
const event = (...lines: string[]) => ['BEGIN:VEVENT', `UID:${crypto.randomUUID()}`, ...lines, 'END:VEVENT']
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const read = (text: string, options: Partial<BusyTimeOptions> = {}) =>
  readBusyTime(text, { timeZone: 'America/Chicago', within: WITHIN, ...options })

/** The busy time as `23T15:00–23T16:00`, without the cuts at midnights. */
function busyOf(...lines: string[]): string[] {
  const result = read(calendar(...lines))
  if (result.kind !== 'read') throw new Error(result.reason)
  expect(result.unreadable).toBe(0)
  const shown: string[] = []
  for (const { start, end } of result.busy) {
    const [from, to] = [start, end].map((at) => new Date(at).toISOString().slice(8, 16))
    const last = shown.at(-1)
    if (last?.endsWith(`–${from}`)) shown[shown.length - 1] = last.replace(/–.*/, `–${to}`)
    else shown.push(`${from}–${to}`)
  }
  return shown
}

const NOON = ['DTSTART:20261123T180000Z', 'DTEND:20261123T190000Z']

test('times are understood in the zones of IANA and Windows, in UTC, floating, and as whole days', () => {
  for (const [start, busy] of [
    ['DTSTART:20261123T180000Z', '23T18:00–23T19:00'],
    ['DTSTART;TZID=Europe/Berlin:20261123T180000', '23T17:00–23T18:00'],
    ['DTSTART;TZID="W. Europe Standard Time":20261123T180000', '23T17:00–23T18:00'],
    ['DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20261123T180000', '23T17:00–23T18:00'],
    ['DTSTART;TZID=Nowhere/Known:20261123T120000', '23T18:00–23T19:00'],
    ['DTSTART:20261123T120000', '23T18:00–23T19:00'],
  ] as const)
    expect([start, busyOf(...event(start, 'DURATION:PT1H'))]).toEqual([start, [busy]])
  expect(busyOf(...event('DTSTART;VALUE=DATE:20261124'))).toEqual(['24T06:00–25T06:00'])
  expect(busyOf(...event('DTSTART;VALUE=DATE:20261124', 'DTEND;VALUE=DATE:20261126'))).toEqual(['24T06:00–26T06:00'])
})

test('only what takes time blocks: no cancelled, free or empty events, and no tasks', () => {
  for (const line of ['STATUS:CANCELLED', 'TRANSP:TRANSPARENT', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'])
    expect([line, busyOf(...event(...NOON, line))]).toEqual([line, []])
  for (const line of ['STATUS:TENTATIVE', 'TRANSP:OPAQUE', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'])
    expect([line, busyOf(...event(...NOON, line))]).toEqual([line, ['23T18:00–23T19:00']])
  expect(busyOf(...event('DTSTART:20261123T180000Z'))).toEqual([])
  expect(busyOf('BEGIN:VTODO', 'UID:1', ...NOON, 'END:VTODO')).toEqual([])
  const periods = 'FREEBUSY;FBTYPE=BUSY:20261123T180000Z/PT1H,20261124T180000Z/20261124T190000Z'
  expect(busyOf('BEGIN:VFREEBUSY', periods, 'FREEBUSY;FBTYPE=FREE:20261125T180000Z/PT1H', 'END:VFREEBUSY')).toEqual([
    '23T18:00–23T19:00',
    '24T18:00–24T19:00',
  ])
})

describe('a series', () => {
  const series = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:series', ...lines, 'END:VEVENT']
  const daily = series('DTSTART:20261123T120000', 'DTEND:20261123T130000', 'RRULE:FREQ=DAILY;COUNT=3')

  test('moves by its overridden instances; the latest version of each counts', () => {
    const moved = (hour: number, sequence: number, ...lines: string[]) =>
      series(
        'RECURRENCE-ID:20261124T120000',
        `DTSTART:20261124T${hour}0000`,
        'DURATION:PT30M',
        `SEQUENCE:${sequence}`,
        ...lines,
      )
    expect(busyOf(...daily)).toEqual(['23T18:00–23T19:00', '24T18:00–24T19:00', '25T18:00–25T19:00'])
    expect(busyOf(...daily, ...moved(15, 2), ...moved(16, 1))).toEqual([
      '23T18:00–23T19:00',
      '24T21:00–24T21:30',
      '25T18:00–25T19:00',
    ])
    expect(busyOf(...moved(15, 2), ...daily, ...moved(16, 3, 'STATUS:CANCELLED'))).toEqual([
      '23T18:00–23T19:00',
      '25T18:00–25T19:00',
    ])
  })

  test('moves from an instance on', () => {
    const later = ['RECURRENCE-ID;RANGE=THISANDFUTURE:20261124T120000', 'DTSTART:20261124T140000', 'DURATION:PT2H']
    expect(busyOf(...daily, ...series(...later))).toEqual([
      '23T18:00–23T19:00',
      '24T20:00–24T22:00',
      '25T20:00–25T22:00',
    ])
  })

  test('that began centuries ago or is replaced for one time only is read', () => {
    const old = event('DTSTART;TZID=America/Chicago:18990102T120000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY')
    expect(busyOf(...old)).toEqual(['23T18:00–23T19:00'])
    const detached = series('RECURRENCE-ID:20261124T120000', 'DTSTART:20261124T150000', 'DURATION:PT30M')
    expect(busyOf(...detached)).toEqual(['24T21:00–24T21:30'])
  })
})

test('an event that cannot be understood is counted, and the others block', () => {
  const broken = ['DTSTART:tomorrow', 'RRULE:FREQ=SOMETIMES', 'DTSTART;VALUE=DATE:20269999'].flatMap((line) =>
    event('DTSTART:20261124T180000Z', 'DTEND:20261124T190000Z', line).filter((it, _, all) =>
      line.startsWith('DTSTART') ? !it.startsWith('DTSTART:2026') || !all.includes(line) : true,
    ),
  )
  const result = read(calendar(...broken, ...event(...NOON)))
  expect(result).toMatchObject({ kind: 'read', events: 4 })
  if (result.kind !== 'read') throw new Error(result.reason)
  expect(result.unreadable).toBeGreaterThan(0)
  expect(result.busy).toContainEqual({ start: Date.parse('2026-11-23T18:00Z'), end: Date.parse('2026-11-23T19:00Z') })
})

test('texts, broken lines and alarms of an event do not matter', () => {
  const texts = ['SUMMARY:Lunch', 'a line without a name', 'DESCRIPTION:folded', ' over lines', '\tand lines']
  const alarm = ['BEGIN:VALARM', 'TRIGGER:-PT5M', 'DURATION:PT15M', 'REPEAT:2', 'END:VALARM']
  expect(busyOf(...event(...texts, ...NOON, ...alarm))).toEqual(['23T18:00–23T19:00'])
})

test('a file that is no calendar or was cut off is refused as a whole', () => {
  expect(read('<html>Log in first</html>')).toEqual({ kind: 'unusable', reason: 'not_a_calendar' })
  const whole = calendar(...event(...NOON))
  expect(read(whole.slice(0, whole.indexOf('END:VCALENDAR')))).toEqual({ kind: 'unusable', reason: 'incomplete' })
  expect(read(whole.slice(0, whole.indexOf('DTEND')))).toEqual({ kind: 'unusable', reason: 'incomplete' })
})

describe('a hostile file', () => {
  const START = ['DTSTART:20261123T000000Z', 'DURATION:PT1S']
  const many = (most: number) => Array.from({ length: most }, (_, n) => n).join(',')
  const RULES = [
    'FREQ=SECONDLY',
    'FREQ=SECONDLY;COUNT=1000000000',
    'FREQ=DAILY;INTERVAL=1000000000',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYDAY=1MO;BYMONTHDAY=31',
    'FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30',
    `FREQ=DAILY;BYHOUR=${many(24)};BYMINUTE=${many(60)};BYSECOND=${many(60)}`,
    `FREQ=YEARLY;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=-1;BYHOUR=${many(24)};BYMINUTE=${many(60)};BYSECOND=${many(60)}`,
  ]

  test.each(RULES)('%s takes a bounded time, and the event beside it blocks', (rule) => {
    const since = process.cpuUsage()
    expect(read(calendar(...event(...START, `RRULE:${rule}`), ...event(...NOON)))).toMatchObject({
      kind: 'read',
      events: 2,
    })
    const { user, system } = process.cpuUsage(since)
    expect((user + system) / 1000).toBeLessThan(2000)
  })

  test('is given up between two events', () => {
    let events = 0
    const result = readBusyTime(
      calendar(...event(...NOON), ...event(...NOON)),
      { timeZone: 'UTC', within: WITHIN },
      () => ++events < 2,
    )
    expect(result).toEqual({ kind: 'unusable', reason: 'too_slow' })
  })

  test.each([
    ['a zone’s name of 2 KB', `DTSTART;TZID=${'x'.repeat(2000)}:20261123T180000`],
    ['a rule of 3 KB', `RRULE:FREQ=DAILY;BYDAY=${'MO,'.repeat(1000)}MO`],
    ['a list of 300 KB', `EXDATE:${'20261123T180000Z,'.repeat(18_000)}20261123T180000Z`],
    ['a line without a value', 'DTSTART;TZID="Europe/Berlin:20261123T180000'],
  ])('with %s has an event that is not read, beside others that are', (_, line) => {
    const result = read(calendar(...event(...NOON, line), ...event(...NOON)))
    expect(result).toMatchObject({ kind: 'read', events: 2, unreadable: 1 })
    expect(result.kind === 'read' && result.busy).toHaveLength(1)
  })

  test('that nests components deeper than alarms of events is no calendar', () => {
    const nested = ['BEGIN:VEVENT', ...Array.from({ length: 20 }, () => 'BEGIN:VALARM')]
    expect(read(calendar(...nested))).toEqual({ kind: 'unusable', reason: 'not_a_calendar' })
  })

  test('is not one of many years: 22,000 events of the past are read beside those to come', () => {
    const past = Array.from({ length: 22_000 }, (_, n) => {
      const stamp = new Date(Date.UTC(2016, 0, 1) + n * 14_400_000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
      return ['BEGIN:VEVENT', `UID:${n}`, `DTSTART:${stamp}Z`, 'DURATION:PT1H', 'END:VEVENT']
    }).flat()
    expect(busyOf(...past, ...event(...NOON))).toEqual(['23T18:00–23T19:00'])
  })

  test('with more times than a person has is refused', () => {
    const often = Array.from({ length: 4 }, () => event(...START, 'RRULE:FREQ=MINUTELY;INTERVAL=1;COUNT=9000')).flat()
    expect(read(calendar(...often))).toEqual({ kind: 'unusable', reason: 'too_many_times' })
  })
})

test('ical.js’s own iterator is not used, because it is wrong for some rules', () => {
  const times = (text: string, most: number) => {
    const iterator = ICAL.Recur.fromString(text).iterator(ICAL.Time.fromDateTimeString('2026-01-05T09:00:00'))
    return Array.from({ length: most }, () => iterator.next()).flatMap((time) =>
      time ? [new Date(wallOf(time)).toISOString()] : [],
    )
  }
  // The 1st of each month, and the Mondays of week 20.
  expect(times('FREQ=YEARLY;BYMONTHDAY=1', 2)).not.toEqual(['2026-02-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z'])
  expect(times('FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 1)).not.toEqual(['2026-05-11T09:00:00.000Z'])
})
