// Random lives of payments at a provider as Stripe is: answers that are lost, keys that are forgotten, refunds that stay
// pending or fail, refunds made in the dashboard, disputes, notifications that are repeated, reordered or never arrive, and
// crashes between any two transactions. At the end both sides say the same, to the cent.
import { expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { Deps } from '../../../../src/deps.ts'
import { AppError } from '../../../../src/errors/app-error.ts'
import { cancelBooking } from '../../../../src/features/booking/bookings/verbs/customer-actions.ts'
import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { compareIntent, listDifferences } from '../../../../src/features/money/checkout/verbs/reconciliation.ts'
import {
  markReturned,
  refundPaymentAsOperator,
  resendRefund,
} from '../../../../src/features/money/operator-refunds/verbs.ts'
import { providerNamed } from '../../../../src/payments/open-provider.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import { STARTED_AT, book } from '../../../support/booking-fixture.ts'
import { countersAdrift } from '../../../support/counted.ts'
import { Crash, withCrashes } from '../../../support/crashing-pool.ts'
import { type FakeIntent, Refusal, isFailed } from '../../../support/fake-stripe-ledger.ts'
import { longForm } from '../../../support/long-form.ts'
import { expectAgreement } from '../../../support/refund-agreement.ts'
import { seededRandom } from '../../../support/search.ts'
import { openRefundFixture } from '../../../support/refund-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'
import { opened } from '../../../support/fixture.ts'

const LIVES = longForm(120, 1000)
const STEPS_EACH = 16
const SEED = Number(process.env['HEARTH_TEST_SEED'] ?? 28)

const { stripe, world } = await opened(openRefundFixture())
stripe.clockMs = () => world.clock.now().getTime()
const [account] = await world.sql<{ id: string }[]>`select id from accounts where kind = 'developer'`
const accountId = account?.id ?? ''

const happened: Record<string, number> = {}
const note = (what: string) => void (happened[what] = (happened[what] ?? 0) + 1)

class Life {
  readonly #deps: Deps
  #isQuiet = false

  constructor(
    readonly random: () => number,
    readonly intent: FakeIntent,
    readonly bookingId: string,
    readonly paymentId: string,
  ) {
    const fault = () => {
      if (this.#isQuiet || this.random() > 0.15) return undefined
      return this.random() < 0.5 ? 'before' : 'after'
    }
    this.#deps = { ...world.app.deps, write: withCrashes(world.app.deps.write, fault) }
    stripe.nextLostResponse = fault
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.random() * all.length)]
  }

  #refunds = () => stripe.refunds.filter(({ intent }) => intent === this.intent.id)
  #disputes = () => stripe.disputes.filter(({ intent }) => intent === this.intent.id)

  readonly #steps: Record<string, () => unknown> = {
    notify: () => this.#notify(this.#pick(stripe.outbox)?.id),
    'notify again': () => this.#notify(this.#pick(stripe.outbox)?.id),
    'lose a notification': () => void stripe.outbox.splice(Math.floor(this.random() * stripe.outbox.length), 1),
    cancel: () => cancelBooking(ctxOf(this.#deps, { accountId }), { id: this.bookingId }),
    'refund a part': () => this.#refundPart(),
    settle: () => settleRefunds(ctxOf(this.#deps)),
    'settle later': () => {
      world.clock.advance(5)
      return settleRefunds(ctxOf(this.#deps))
    },
    'a day at Stripe': () => stripe.advance(25),
    'refund in the dashboard': () => stripe.refund(this.intent.id, 1 + Math.floor(this.random() * 3000)),
    'refund all in the dashboard': () => stripe.refund(this.intent.id, this.intent.captured - this.intent.refunded),
    dispute: () =>
      this.#disputes().length === 0 && stripe.dispute(this.intent.id, 1 + Math.floor(this.random() * 5000)),
    'close a dispute': () => {
      const open = this.#disputes().find(({ status }) => status === 'needs_response')
      if (open) stripe.moveDispute(open, this.random() < 0.5 ? 'won' : 'lost')
    },
    'move a refund': () => {
      const refund = this.#pick(this.#refunds().filter(({ status }) => !isFailed(status)))
      if (refund) stripe.moveRefund(refund, refund.status === 'pending' && this.random() < 0.6 ? 'succeeded' : 'failed')
    },
    'change the answer': () => {
      stripe.refundStatus = this.#pick(['succeeded', 'pending', 'pending', 'failed'] as const) ?? 'succeeded'
    },
  }

  async run(): Promise<void> {
    stripe.pay(this.intent.clientSecret)
    for (let step = 0; step < STEPS_EACH; step++) {
      const name = this.#pick(Object.keys(this.#steps)) ?? ''
      await attempt(name, async () => await this.#steps[name]?.())
    }
    await this.#end()
  }

  async #refundPart(): Promise<void> {
    const amountCents = 1 + Math.floor(this.random() * 3000)
    const refund = { refundId: randomUUID(), paymentId: this.paymentId, amountCents, reason: 'Rain.', by: null }
    await refundPaymentAsOperator(ctxOf(this.#deps), refund)
  }

  /** Delivers a notification. It stays until it is acknowledged, and is sometimes repeated. */
  async #notify(id: string | undefined): Promise<void> {
    const event = stripe.outbox.find((it) => it.id === id)
    if (!event) return
    const now = world.clock.now()
    const notification = await providerNamed(this.#deps, 'stripe').readNotification?.(
      event.body,
      stripe.sign(event.body, now),
      now,
    )
    if (!notification) throw new Error('A signed notification was refused.')
    await processNotification(ctxOf(this.#deps), { provider: 'stripe', notification })
    if (this.#isQuiet || this.random() < 0.7) stripe.outbox.splice(stripe.outbox.indexOf(event), 1)
  }

  async #end(): Promise<void> {
    this.#isQuiet = true
    stripe.refundStatus = 'succeeded'
    for (const dispute of this.#disputes())
      if (dispute.status === 'needs_response') stripe.moveDispute(dispute, this.random() < 0.5 ? 'won' : 'lost')
    for (const refund of this.#refunds()) if (refund.status === 'pending') stripe.moveRefund(refund, 'succeeded')
    // Some notifications never arrive: the comparison replaces them.
    if (this.random() < 0.5) stripe.outbox.length = 0
    while (stripe.outbox.length > 0) await this.#notify(stripe.outbox[0]?.id)
    for (let round = 0; round < 6; round++) {
      await compareIntent(ctxOf(this.#deps), { intentId: this.intent.id })
      world.clock.advance(240)
      await settleRefunds(ctxOf(this.#deps))
      await this.#resolveFailed(round)
    }
    stripe.outbox.length = 0
    const { status, hasLostDispute } = await expectAgreement({ sql: world.sql, stripe }, this.intent, this.paymentId)
    note(`end: ${status}`)
    if (hasLostDispute) note('end: lost')
  }

  /** What an operator does: sends it again, and what fails again is returned in another way. */
  async #resolveFailed(round: number): Promise<void> {
    const failed = await world.sql<{ id: string }[]>`
      select id from payment_refunds where payment_id = ${this.paymentId} and status = 'failed'`
    for (const { id: refundId } of failed) {
      const refund = { paymentId: this.paymentId, refundId, by: null }
      if (round === 0) await resendRefund(ctxOf(this.#deps), refund)
      else await markReturned(ctxOf(this.#deps), { ...refund, note: 'By bank transfer.' })
    }
  }
}

/** Refusals, lost answers and crashes are expected; any other error fails the test. */
async function attempt(name: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step()
    note(name)
  } catch (error) {
    if (error instanceof Crash) return note('crash')
    if (!(error instanceof AppError) && !(error instanceof Refusal)) throw error
    note(`${name}: refused`)
  }
}

test(`${LIVES} random lives: captured, refunded and disputed money is the same on both sides, and each refund is made once`, async () => {
  for (let life = 0; life < LIVES; life++) {
    world.clock.set(STARTED_AT)
    stripe.outbox.length = 0
    stripe.nextLostResponse = () => undefined
    stripe.refundStatus = 'succeeded'
    const { booking, payment } = await book(world, await world.pro())
    const [row] = await world.sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
    const intent = stripe.intentOf(payment?.clientSecret ?? '')
    try {
      await new Life(seededRandom(SEED + life), intent, booking.id, row?.id ?? '').run()
    } catch (error) {
      process.stdout.write(`seed ${SEED + life}\n`)
      throw error
    }
  }
  stripe.nextLostResponse = () => undefined
  expect(await listDifferences(ctxOf(world.app.deps))).toEqual([])
  expect(await countersAdrift(world.sql)).toEqual([])
  process.stdout.write(`seed ${SEED}: ${JSON.stringify(happened, Object.keys(happened).toSorted())}\n`)
  for (const what of ['crash', 'end: refunded', 'end: succeeded', 'end: lost', 'cancel'])
    expect([what, (happened[what] ?? 0) > LIVES / 20]).toEqual([what, true])
}, 1_800_000)
