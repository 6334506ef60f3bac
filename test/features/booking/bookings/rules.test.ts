// The rules of bookings that the database holds, too: both answer the same for every case of a table.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import {
  MAX_DAYS_AHEAD,
  OBSTACLES,
  OBSTACLE_REFUSALS,
  obstacleOf,
  obstacleText,
} from '../../../../src/features/booking/bookings/rules/bookable.ts'
import { MINIMUM_DEPOSIT_CENTS, percentageProblem } from '../../../../src/features/booking/bookings/rules/deposits.ts'
import { freeCancellationEnd, keepsPayment } from '../../../../src/features/booking/bookings/rules/cancellation.ts'
import { heldFor, isHeld } from '../../../../src/features/booking/bookings/rules/holds.ts'
import { maxUnpaid } from '../../../../src/features/booking/bookings/rules/unpaid-limit.ts'
import { readConfig } from '../../../../src/config.ts'
import type { BookingState } from '../../../../src/features/booking/bookings/states.ts'
import { openTestDatabase } from '../../../support/database.ts'
import { ROOT } from '../../../support/imports.ts'
import { storedRow } from '../../../support/stored-row.ts'
import { opened } from '../../../support/fixture.ts'

const database = await opened(openTestDatabase())

const row = (table: string, columns: object) => storedRow(database.sql, table, columns)

describe('free cancellation', () => {
  const STARTS = [
    '2026-03-07T15:00:00Z',
    // Clocks go forward in between: hours are hours.
    '2026-03-08T15:00:00Z',
    '2026-11-01T15:00:00Z',
  ]
  const HOURS = [0, 1, 24, 720]
  const CASES = STARTS.flatMap((startsAt) => HOURS.map((hours) => ({ startsAt, hours })))

  test.each(CASES)('of a visit at $startsAt ends $hours hours before it, in SQL and on pages', async (it) => {
    const booking = { starts_at: it.startsAt, free_cancellation_hours: it.hours }
    const [found] = await database.sql<{ onTime: string; late: string | null }[]>`
      select free_cancellation_until(${row('bookings', { ...booking, moved_late: false })}) as "onTime",
        free_cancellation_until(${row('bookings', { ...booking, moved_late: true })}) as late`
    expect(found?.onTime).toBe(freeCancellationEnd(it.startsAt, it.hours).toISOString())
    // After rescheduling too late there is no such time, and the payment is kept at any time.
    expect(found?.late).toBeNull()
  })

  const END = '2026-03-07T15:00:00.000Z'
  test.each([
    { name: 'at its last moment, is free', status: 'confirmed', until: END, now: END, keeps: false },
    {
      name: 'after it, keeps the payment',
      status: 'confirmed',
      until: END,
      now: '2026-03-07T15:00:00.001Z',
      keeps: true,
    },
    {
      name: 'after rescheduling too late, keeps it at any time',
      status: 'confirmed',
      until: null,
      now: END,
      keeps: true,
    },
    {
      name: 'of what was never confirmed, is free',
      status: 'pending',
      until: END,
      now: '2027-01-01T00:00:00Z',
      keeps: false,
    },
    { name: 'of the same without an end, is free', status: 'pending', until: null, now: END, keeps: false },
  ] as const)('ends as agreed: cancelling $name', (it) => {
    const booking = { status: it.status satisfies BookingState, freeCancellationUntil: it.until }
    expect(keepsPayment(booking, new Date(it.now))).toBe(it.keeps)
  })
})

describe('a hold', () => {
  test.each([
    { name: 'holds its time until the end', status: 'pending', endsInMs: 1, isHeldThen: true },
    { name: 'does not at the end', status: 'pending', endsInMs: 0, isHeldThen: false },
    { name: 'does not afterwards', status: 'pending', endsInMs: -1, isHeldThen: false },
    {
      name: 'does not exist for a request that the pro must answer',
      status: 'pending',
      endsInMs: null,
      isHeldThen: false,
    },
    { name: 'does not exist for a confirmed booking', status: 'confirmed', endsInMs: null, isHeldThen: false },
  ] as const)('$name', async (it) => {
    const now = Date.parse('2026-03-07T15:00:00Z')
    const endsAt = it.endsInMs === null ? null : new Date(now + it.endsInMs).toISOString()
    const stored = row('bookings', { status: it.status, hold_expires_at: endsAt })
    const [read] = await database.sql<{ status: BookingState; holdExpiresAt: string | null }[]>`
      select b.status, b.hold_expires_at::text as "holdExpiresAt" from booking_as_of(${stored}, ${new Date(now).toISOString()}) b`
    expect(read && isHeld(read)).toBe(it.isHeldThen)
  })

  test('is shown to its customer in minutes, rounded up', () => {
    const now = new Date('2026-03-07T15:00:00Z')
    expect(heldFor('2026-03-07T15:15:00Z', now)).toBe('15 minutes')
    expect(heldFor('2026-03-07T15:00:01Z', now)).toBe('1 minute')
  })
})

describe('the limit of unpaid bookings', () => {
  const config = readConfig({ DATABASE_URL: 'postgres://localhost/none', REDIS_URL: 'redis://localhost' })

  test('is 20 for a server key, which answers for its customers, and 3 for others', () => {
    expect(maxUnpaid(config, 'vouched')).toBe(20)
    expect(maxUnpaid(config, 'typed')).toBe(3)
    expect(maxUnpaid(config, 'proven')).toBe(3)
  })

  const AHEAD = { starts_at: '2026-03-08T15:00:00Z', approved_at: null, fee_cents: 0, deposit_cents: 0 }
  const HELD = { hold_expires_at: '2026-03-07T15:10:00Z', deposit_cents: 2000 }
  test.each([
    { name: 'a free booking to come', columns: { status: 'confirmed' }, counts: true },
    { name: 'one that is held', columns: { status: 'pending', ...HELD }, counts: true },
    { name: 'one that was paid', columns: { status: 'confirmed', deposit_cents: 2000 }, counts: false },
    {
      name: 'one that the pro approved',
      columns: { status: 'confirmed', approved_at: '2026-03-01T00:00Z' },
      counts: false,
    },
    { name: 'one that has begun', columns: { status: 'confirmed', starts_at: '2026-03-07T15:00:00Z' }, counts: false },
    { name: 'one that was cancelled', columns: { status: 'cancelled' }, counts: false },
    {
      name: 'one whose hold has ended',
      columns: { status: 'pending', ...HELD, hold_expires_at: '2026-03-07T15:00:00Z' },
      counts: false,
    },
  ])('counts $name: $counts', async ({ columns, counts }) => {
    const [found] = await database.sql<{ counts: boolean }[]>`
      select is_unpaid(${row('bookings', { ...AHEAD, ...columns })}, '2026-03-07T15:00:00Z') as counts`
    expect(found?.counts).toBe(counts)
  })
})

describe('booking at once', () => {
  const PRO = { instant_booking_enabled: true, deposit_required: false, longest_interval_minutes: 480 }
  const OFFER = { instant_book_enabled: true, base_price_cents: 10_000, min_price_cents: null }
  const UNPRICED = { base_price_cents: null }
  const WITH_DEPOSIT = { deposit_required: true }
  test.each([
    { name: 'is possible for a service that fits into a day', pro: {}, offer: {}, minutes: 480, obstacle: null },
    {
      name: 'is refused for a pro who takes no instant bookings',
      pro: { instant_booking_enabled: false },
      offer: {},
      minutes: 60,
      obstacle: 'instant_booking_disabled',
    },
    {
      name: 'is refused for a service that takes no instant bookings',
      pro: {},
      offer: { instant_book_enabled: false },
      minutes: 60,
      obstacle: 'instant_booking_disabled',
    },
    {
      name: 'is possible without a price if no deposit is a share of it',
      pro: {},
      offer: UNPRICED,
      minutes: 60,
      obstacle: null,
    },
    {
      name: 'is refused without a price if the deposit is a share of it',
      pro: WITH_DEPOSIT,
      offer: UNPRICED,
      minutes: 60,
      obstacle: 'service_unpriced',
    },
    {
      name: 'is possible with a lowest price, of which the deposit is a share',
      pro: WITH_DEPOSIT,
      offer: { ...UNPRICED, min_price_cents: 5000 },
      minutes: 60,
      obstacle: null,
    },
    {
      name: 'is refused for a service longer than every interval',
      pro: {},
      offer: {},
      minutes: 481,
      obstacle: 'service_too_long',
    },
  ] as const)('$name', async ({ pro, offer, minutes, obstacle }) => {
    const [found] = await database.sql<{ obstacle: keyof typeof OBSTACLE_REFUSALS | null }[]>`
      select booking_obstacle(${row('professionals', { ...PRO, ...pro })},
        ${row('professional_services', { ...OFFER, ...offer })}, ${minutes}) as obstacle`
    expect(found?.obstacle).toBe(obstacle)
    if (!found?.obstacle) return
    expect(OBSTACLE_REFUSALS[found.obstacle]).toContain('Ask for a quote')
    expect(obstacleText(found.obstacle)).toContain('Ask for a quote')
  })

  test('needs payments where it costs something, and every obstacle has words', () => {
    expect(obstacleOf(null, { dueNow: 20, canPay: true })).toBeNull()
    expect(obstacleOf(null, { dueNow: 0, canPay: false })).toBeNull()
    expect(obstacleOf(null, { dueNow: 20, canPay: false })).toBe('payments_not_configured')
    expect(obstacleOf('service_unpriced', { dueNow: 20, canPay: false })).toBe('service_unpriced')
    expect(new Set(OBSTACLES.map(obstacleText)).size).toBe(OBSTACLES.length)
  })

  test('reaches as many days ahead in SQL as in lists', () => {
    for (const name of ['reserve_slot', 'reschedule_booking', 'propose_time', 'book_visit'])
      expect(readFileSync(join(ROOT, `sql/functions/${name}.sql`), 'utf8')).toContain(
        `between today and today + ${MAX_DAYS_AHEAD}`,
      )
  })
})

describe('a deposit', () => {
  test.each([
    { priceCents: 10_000, percentage: 20, cents: 2000 },
    { priceCents: 333, percentage: 50, cents: 167 },
    { priceCents: MINIMUM_DEPOSIT_CENTS, percentage: 100, cents: MINIMUM_DEPOSIT_CENTS },
    { priceCents: MINIMUM_DEPOSIT_CENTS - 1, percentage: 100, cents: 0 },
  ])('of $percentage % of $priceCents cents is $cents cents', async ({ priceCents, percentage, cents }) => {
    const pro = row('professionals', { deposit_required: true, deposit_percentage: percentage })
    const [found] = await database.sql<{ cents: number }[]>`select deposit_for(${pro}, ${priceCents}) as cents`
    expect(found?.cents).toBe(cents)
  })

  test('is a percentage in hundredths, exactly where one is required', () => {
    expect(percentageProblem(true, 12.25)).toBeUndefined()
    expect(percentageProblem(false, null)).toBeUndefined()
    expect(percentageProblem(true, null)).toContain('required')
    expect(percentageProblem(false, 10)).toContain('only with')
    expect(percentageProblem(true, 12.255)).toContain('2 decimals')
  })
})
