// The fixture of booking tests: pros with deposits, a customer, and a clock that the test sets.
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
  /** A key of the customer's developer account. */
  readonly key: string
  /** Creates a pro with their own key, by default with a deposit. */
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

/** Where the pro is to come, as the booking tool and pages ask for it. No map knows the place, so that every pro comes there. */
export const VISIT_ADDRESS = { street: '1 Main Street', city: 'Elsewhere', state: 'TX', zipCode: '00000' }
export const VISIT_PHONE = '+1 512 555 0142'
export const VISIT = { guestPhone: VISIT_PHONE, address: VISIT_ADDRESS }

export interface PaymentDue {
  clientSecret: string
  amount: number
  currency: string
  expiresAt: string
  payUrl: string
}

export interface CreatedBooking {
  booking: { id: string; confirmationCode: string; status: string; scheduledAt: string }
  manageUrl: string
  payment: PaymentDue | null
}

/** The body of a booking with the pro, `hours` after nine on the coming Monday in Austin. */
export const bookingBody = (pro: TestPro, hours = 0, changes: object = {}) => {
  // Local time written as UTC. No change to or from daylight saving time is near.
  const localTime = new Date(Date.parse('2026-11-23T09:00:00Z') + hours * 3_600_000).toISOString()
  return {
    professionalId: pro.id,
    serviceId: pro.serviceId,
    date: localTime.slice(0, 10),
    time: localTime.slice(11, 16),
    customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
    ...changes,
  }
}

/** Books the pro, with the customer's key unless another is given. Throws when the booking is refused. */
export async function book({ app, key }: BookingFixture, pro: TestPro, hours = 0, as = key): Promise<CreatedBooking> {
  const answer = await app.send('/api/v1/bookings', { key: as, json: bookingBody(pro, hours) })
  if (answer.status !== 201) throw new Error(`Not booked: ${await answer.text()}`)
  return (await answer.json()) as CreatedBooking
}

/** Completes a payment of the sandbox. */
export const pay = ({ app }: BookingFixture, clientSecret: string, outcome: 'succeeds' | 'fails' = 'succeeds') =>
  app.send(`/sandbox/payments/${clientSecret}`, { json: { outcome } })

/** The event types of a booking, in order. */
export const eventsOf = async ({ sql }: BookingFixture, bookingId: string): Promise<string[]> =>
  (
    await sql<{ type: string }[]>`
      select type from outbox_events where aggregate_id = ${bookingId} order by sequence`
  ).map(({ type }) => type)

/** The stored states of a booking, its payment and its refund. */
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
