// Payments and bookings stay consistent in random sequences with concurrent steps: payments, double and wrong payments,
// expiring holds, cancellations, rejections, late, repeated and unacknowledged notifications, crashes between any two steps,
// and Stripe failing before or after its effect.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Deps } from '../../../../src/deps.ts'
import { AppError } from '../../../../src/errors/app-error.ts'
import { cancelBooking } from '../../../../src/features/booking/bookings/verbs/customer-actions.ts'
import { lapseHolds } from '../../../../src/features/booking/bookings/verbs/holds.ts'
import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { actOnBooking } from '../../../../src/features/booking/bookings/verbs/pro-actions.ts'
import { startBooking } from '../../../../src/features/booking/bookings/verbs/create-booking.ts'
import { providerNamed } from '../../../../src/payments/open-provider.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { type CrashPoint, Crash, withCrashes } from '../../../support/crashing-pool.ts'
import { FakeStripe } from '../../../support/fake-stripe.ts'
import { type BookingFixture, type FixturePro, openBookingFixture } from '../../../support/booking-fixture.ts'
import { longForm } from '../../../support/long-form.ts'
import { seededRandom } from '../../../support/search.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const SEQUENCES = longForm(400, 1000)
const STEPS_EACH = 14
const LANES = 2
const FIRST_SLOT_MS = Date.parse('2026-11-25T00:00:00Z')
const HOUR_MS = 3_600_000

/** Counts the steps, so that a run without them is visible. */
const happened: Record<string, number> = {}
const note = (what: string) => void (happened[what] = (happened[what] ?? 0) + 1)

interface Customer {
  key: string
  clientSecret?: string
  bookingId?: string
}

/** One slot, two customers, and all steps that they can take or undergo. */
class Sequence {
  readonly #customers: Customer[] = [{ key: randomUUID() }, { key: randomUUID() }]
  readonly #deps: Deps
  /** Turns failures off, so that the remaining steps run to completion. */
  #isQuiet = false

  constructor(
    readonly world: BookingFixture,
    readonly stripe: FakeStripe,
    readonly accountId: string,
    readonly pro: FixturePro,
    readonly slotMs: number,
    readonly random: () => number,
  ) {
    const { deps } = world.app
    const crash = (): CrashPoint | undefined => {
      if (this.#isQuiet || this.random() > 0.12) return undefined
      return this.random() < 0.5 ? 'before' : 'after'
    }
    this.#deps = { ...deps, write: withCrashes(deps.write, crash) }
    stripe.nextLostResponse = crash
  }

  async run(): Promise<void> {
    const hoursAhead = [72, 30, 20][Math.floor(this.random() * 3)] ?? 72
    this.world.clock.set(new Date(this.slotMs - hoursAhead * HOUR_MS).toISOString())
    for (let step = 0; step < STEPS_EACH; step++) {
      const concurrency = this.random() < 0.3 ? 2 + Math.floor(this.random() * 2) : 1
      await Promise.all(Array.from({ length: concurrency }, () => this.#step()))
      await expectAgreement(this.world, this.pro)
    }
    await this.#end()
  }

  async #step(): Promise<void> {
    const steps: [weight: number, name: string, step: () => Promise<unknown>][] = [
      [5, 'start', () => this.#start()],
      [4, 'pay', () => this.#pay()],
      [1, 'pay wrongly', () => this.#pay(this.random() < 0.5 ? { amount: 1 } : { currency: 'eur' })],
      [1, 'fail', () => this.#fail()],
      [5, 'notify', () => this.#notify()],
      [3, 'time', () => Promise.resolve(this.world.clock.advance(1 + Math.floor(this.random() * 9)))],
      [1, 'cancel', () => this.#cancel()],
      [1, 'confirm', () => this.#act('confirm')],
      [1, 'reject', () => this.#act('reject')],
      [1, 'sweep', () => lapseHolds(ctxOf(this.#deps), { limit: 5 })],
      [1, 'settle', () => settleRefunds(ctxOf(this.#deps))],
    ]
    let at = this.random() * steps.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, name, step] of steps) {
      at -= weight
      if (at >= 0) continue
      await runStep(name, step)
      return
    }
  }

  #any(): Customer {
    const customer = this.#customers[Math.floor(this.random() * this.#customers.length)]
    if (!customer) throw new RangeError('There are two customers.')
    return customer
  }

  /** Requests the booking or retries the request. */
  async #start(): Promise<void> {
    const customer = this.#any()
    const input = {
      professionalId: this.pro.id,
      serviceId: this.pro.serviceId,
      startDateTime: new Date(this.slotMs).toISOString(),
      guestName: 'Homeowner in Austin',
      guestEmail: 'home@example.com',
    }
    const idempotency = { key: customer.key }
    try {
      const { booking, clientSecret } = await startBooking(
        ctxOf(this.#deps, { accountId: this.accountId, scopes: new Set() }, idempotency),
        input,
      )
      if (!clientSecret) throw new Error('There is a fee to pay.')
      const { id: bookingId } = booking
      expect([bookingId, clientSecret]).toEqual([
        customer.bookingId ?? bookingId,
        customer.clientSecret ?? clientSecret,
      ])
      Object.assign(customer, { bookingId, clientSecret })
    } catch (error) {
      // A refusal is final: the next attempt is a new request.
      if (error instanceof AppError && error.status === 409) customer.key = randomUUID()
      throw error
    }
  }

  async #pay(changes = {}): Promise<void> {
    const { clientSecret } = this.#any()
    if (clientSecret) this.stripe.pay(clientSecret, changes)
    await Promise.resolve()
  }

  async #fail(): Promise<void> {
    const { clientSecret } = this.#any()
    if (clientSecret && this.stripe.intentOf(clientSecret).captured === 0) this.stripe.fail(clientSecret)
    await Promise.resolve()
  }

  /** Delivers any of Stripe's notifications, in any order. Each stays until acknowledged and is sometimes repeated. */
  async #notify(index = Math.floor(this.random() * this.stripe.outbox.length)): Promise<void> {
    const event = this.stripe.outbox[index]
    if (!event) return
    const now = this.world.clock.now()
    const provider = providerNamed(this.#deps, 'stripe')
    const notification = await provider.readNotification?.(event.body, this.stripe.sign(event.body, now), now)
    if (!notification) throw new Error('A signed notification was refused.')
    note(`notified: ${await processNotification(ctxOf(this.#deps), { provider: 'stripe', notification })}`)
    const place = this.stripe.outbox.indexOf(event)
    if (place >= 0 && (this.#isQuiet || this.random() < 0.7)) this.stripe.outbox.splice(place, 1)
  }

  async #cancel(): Promise<void> {
    const { bookingId } = this.#any()
    if (bookingId) await cancelBooking(ctxOf(this.#deps, { accountId: this.accountId }), { id: bookingId })
  }

  async #act(action: 'confirm' | 'reject'): Promise<void> {
    const { bookingId } = this.#any()
    if (bookingId)
      await actOnBooking(ctxOf(this.#deps, { accountId: this.accountId, professionalId: this.pro.id }), {
        action,
        id: bookingId,
      })
  }

  /** Completes all pending work: notifications, ends of holds, refunds. */
  async #end(): Promise<void> {
    this.#isQuiet = true
    await this.#notifyAll()
    this.world.clock.advance(16)
    await lapseHolds(ctxOf(this.#deps), { limit: 1000 })
    this.world.clock.advance(240)
    while ((await settleRefunds(ctxOf(this.#deps))).settled > 0) this.world.clock.advance(240)
    await this.#notifyAll()
    await expectAgreement(this.world, this.pro)
    await expectNoMoneyLost(this.world, this.stripe)
    this.stripe.intents.clear()
  }

  async #notifyAll(): Promise<void> {
    while (this.stripe.outbox.length > 0) await this.#notify(0)
  }
}

/** Refusals and crashes are expected; any other error fails the test. */
async function runStep(name: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
    note(name)
  } catch (error) {
    if (error instanceof Crash) return note('crash')
    if (!(error instanceof AppError)) throw error
    note(`${name}: ${error.code}`)
  }
}

/** Checks that the states of every booking and its payment match. */
async function expectAgreement({ sql }: BookingFixture, { id }: FixturePro): Promise<void> {
  const rows = await sql<{ id: string }[]>`
    select b.id, b.status, b.hold_expires_at, p.status as payment, p.retained, r.status as refund
    from bookings b join payments p on p.booking_id = b.id left join payment_refunds r on r.payment_id = p.id
    where b.professional_id = ${id} and not (
      case
        when b.status = 'confirmed' then p.status = 'succeeded' and not p.retained
        when b.hold_expires_at is not null then p.status in ('requires_payment', 'failed')
        when b.status = 'pending' then p.status = 'succeeded' and not p.retained
        when b.status = 'cancelled' then p.status in ('expired', 'refunding', 'refunded') or p.retained
        else false
      end
      and (p.status = 'refunding') = (r.status is not distinct from 'pending')
      and (p.status = 'refunded') = (r.status is not distinct from 'done'))`
  expect([...rows]).toEqual([])
}

/** At the end, each payment that Stripe kept belongs to a booking that is confirmed or was cancelled late; all others are refunded. */
async function expectNoMoneyLost({ sql }: BookingFixture, { intents }: FakeStripe): Promise<void> {
  const paid = await sql<{ id: string; status: string; payment: string; amountCents: number; retained: boolean }[]>`
    select b.id, b.status, p.status as payment, p.amount_cents, p.retained from bookings b
    join payments p on p.booking_id = b.id
    where b.id = any(${[...intents.values()].map(({ metadata }) => metadata['booking_id'] ?? '')})`
  for (const { metadata, captured, refunded, currency } of intents.values()) {
    const booking = paid.find(({ id }) => id === metadata['booking_id'])
    const kept = captured - refunded
    const isOwed = booking?.payment === 'succeeded' && (booking.status !== 'cancelled' || booking.retained)
    expect({ booking, captured, kept }).toEqual({ booking, captured, kept: isOwed ? booking.amountCents : 0 })
    if (isOwed) expect(currency).toBe('usd')
    else expect([booking?.status, booking?.payment]).toEqual(['cancelled', captured > 0 ? 'refunded' : 'expired'])
    note(isOwed ? `end: ${booking.status}` : captured > 0 ? 'end: given back' : 'end: never paid')
  }
}

/** The events of each booking are numbered without gaps, and the last one shows its state. */
async function expectEventsToFit({ sql }: BookingFixture): Promise<void> {
  const rows = await sql`
    select b.id, b.status, e.types from bookings b
    join lateral (
      select array_agg(o.type order by o.sequence) as types, max(o.sequence) as last, count(*) as events
      from outbox_events o where o.aggregate_id = b.id) e on true
    where e.last <> e.events or b.event_sequence <> e.events
      or e.types[e.events] <> case when b.status = 'pending' then 'booking.pending_approval' else 'booking.' || b.status end`
  expect([...rows]).toEqual([])
}

async function runLane(lane: number): Promise<void> {
  const stripe = new FakeStripe()
  const world = await openBookingFixture({ ...stripe.env, LOG_LEVEL: 'silent' })
  const pros = [await world.pro(), await world.pro({ requiresApproval: true })]
  const [account] = await world.sql<{ id: string }[]>`select id from accounts where kind = 'developer'`
  try {
    for (let sequence = lane; sequence < SEQUENCES; sequence += LANES) {
      const pro = pros[sequence % 4 < 3 ? 0 : 1]
      if (!pro || !account) throw new Error('The world is not complete.')
      const slotMs = FIRST_SLOT_MS + sequence * HOUR_MS
      await new Sequence(world, stripe, account.id, pro, slotMs, seededRandom(sequence)).run()
    }
    await expectEventsToFit(world)
  } finally {
    await world.close()
    await stripe.close()
  }
}

test(`${SEQUENCES} random sequences: every captured payment has a booking or a refund, and every confirmed booking its payment`, async () => {
  await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
  process.stdout.write(`${JSON.stringify(happened, Object.keys(happened).toSorted())}\n`)
  for (const end of ['confirmed', 'cancelled', 'given back', 'never paid', 'pending'])
    expect([end, (happened[`end: ${end}`] ?? 0) > SEQUENCES / 100]).toEqual([end, true])
  expect(happened['crash']).toBeGreaterThan(SEQUENCES / 2)
}, 300_000)
