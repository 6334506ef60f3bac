// A pro who takes a deposit, a customer, a clock that is moved by hand: what the tests of bookings' lives start from.
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Clock } from '../../src/platform/clock/clock.ts'
import { type TestApp, openTestApp } from './app.ts'
import { testSql } from './database.ts'
import { type TestPro, insertPro } from './schedule.ts'

/** A Thursday evening in Austin. */
export const STARTED_AT = '2026-11-20T00:00:00.000Z'

/** 20 % of a price of 250.00: deposits of 50.00. */
const BASE_PRICE_CENTS = 25_000
const DEPOSIT_PERCENTAGE = 20
export const DEPOSIT = 50

export interface ManualClock extends Clock {
  set(instant: string): void
  advance(minutes: number): void
}

export const manualClock = (startedAt = STARTED_AT): ManualClock => {
  let nowMs = Date.parse(startedAt)
  return {
    now: () => new Date(nowMs),
    set: (instant) => void (nowMs = Date.parse(instant)),
    advance: (minutes) => void (nowMs += minutes * 60_000),
  }
}

export interface BookingFixture {
  readonly app: TestApp
  readonly clock: ManualClock
  readonly sql: Sql
  /** Of the customer's developer account. */
  readonly key: string
  /** A pro with keys of their own; with a deposit, unless told otherwise. */
  pro(settings?: { deposit?: boolean; requiresApproval?: boolean }): Promise<FixturePro>
  close(): Promise<void>
}

export interface FixturePro extends TestPro {
  readonly key: string
  readonly email: string
}

export async function openBookingFixture(env: Record<string, string> = {}): Promise<BookingFixture> {
  const clock = manualClock()
  const app = await openTestApp('migrated', { env, clock })
  const sql = testSql(app.databaseUrl, 2)
  return {
    app,
    clock,
    sql,
    key: await app.key(['bookings:write']),
    pro: async ({ deposit = true, requiresApproval = false } = {}) => {
      const pro = await insertPro(sql)
      await sql`
        update professionals set requires_approval = ${requiresApproval}, deposit_required = ${deposit},
          deposit_percentage = ${deposit ? DEPOSIT_PERCENTAGE : null}
        where id = ${pro.id}`
      await sql`
        update professional_services set base_price_cents = ${BASE_PRICE_CENTS} where professional_id = ${pro.id}`
      const email = `${pro.id}@example.com`
      return { ...pro, email, key: await app.key(['pro:read', 'pro:write'], email) }
    },
    close: async () => {
      await sql.end()
      await app.close()
    },
  }
}

export interface PaymentDue {
  clientSecret: string
  amount: number
  currency: string
  expiresAt: string
  payUrl: string
}

export interface CreatedBooking {
  booking: { id: string; confirmationCode: string; status: string; scheduledAt: string }
  payment: PaymentDue | null
}

/** The body of a booking with the pro: the coming Monday at nine in Austin, `hours` later. */
export const bookingBody = (pro: TestPro, hours = 0, changes: object = {}) => {
  // Read as the clock on the wall: no change of the clock is near.
  const wall = new Date(Date.parse('2026-11-23T09:00:00Z') + hours * 3_600_000).toISOString()
  return {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    date: wall.slice(0, 10),
    time: wall.slice(11, 16),
    customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
    ...changes,
  }
}

/** Books it, as the customer unless another key is given; fails unless it is made. */
export async function book({ app, key }: BookingFixture, pro: TestPro, hours = 0, as = key): Promise<CreatedBooking> {
  const answer = await app.send('/api/v1/bookings', { key: as, json: bookingBody(pro, hours) })
  if (answer.status !== 201) throw new Error(`Not booked: ${await answer.text()}`)
  return (await answer.json()) as CreatedBooking
}

/** Completes a payment of the sandbox. */
export const pay = ({ app }: BookingFixture, clientSecret: string, outcome: 'succeeds' | 'fails' = 'succeeds') =>
  app.send(`/sandbox/payments/${clientSecret}`, { json: { outcome } })

/** What the events of a booking are, in order. */
export const eventsOf = async ({ sql }: BookingFixture, bookingId: string): Promise<string[]> =>
  (
    await sql<{ type: string }[]>`
      select type from outbox_events where aggregate_id = ${bookingId} order by sequence`
  ).map(({ type }) => type)

/** The state of a booking and its payment in the tables, as they are. */
export async function rowsOf({ sql }: BookingFixture, bookingId: string) {
  const [row] = await sql<
    {
      booking: string
      reason: string | null
      payment: string | null
      refund: string | null
      retained: boolean | null
    }[]
  >`
    select b.status as booking, b.cancellation_reason as reason, p.status as payment, r.status as refund, p.retained
    from bookings b left join payments p on p.booking_id = b.id left join payment_refunds r on r.payment_id = p.id
    where b.id = ${bookingId}`
  if (!row) throw new Error('There is no such booking.')
  return row
}
