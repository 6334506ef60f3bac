// A quote's deposit: paying it accepts the quote; a payment that cannot accept it is refunded.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { processNotification } from '../../../../src/features/money/checkout/verbs/notifications.ts'
import { expireQuotes } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { settleRefunds } from '../../../../src/payments/verbs/refunds.ts'
import {
  type BookingFixture,
  type PaymentDue,
  STARTED_AT,
  openBookingFixture,
} from '../../../support/booking-fixture.ts'
import { FakeStripe } from '../../../support/fake-stripe.ts'
import { type QuotingPro, eventsOf, sentQuote } from '../../../support/quotes.ts'
import { Visitor } from '../../../support/visitor.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const DAY_MINUTES = 24 * 60

interface Shown {
  quote: {
    id: string
    status: string
    jobId: string | null
    depositAmount: number | null
    payment: { status: string; amount: number; paidAt: string | null; refund: { status: string } | null } | null
  }
  payment: PaymentDue | null
}

/** The world, with the sandbox or with Stripe, and what customers and providers do in it. */
class Deposits {
  world!: BookingFixture
  pro!: QuotingPro
  readonly stripe: FakeStripe | undefined

  constructor(provider: string) {
    this.stripe = provider === 'stripe' ? new FakeStripe() : undefined
  }

  async open() {
    this.world = await openBookingFixture({ ...this.stripe?.env, LOG_LEVEL: 'silent' })
    const { id: professionalId, serviceId, key, email } = await this.world.pro()
    const [account] = await this.world.sql<{ id: string }[]>`select id from accounts where email = ${email}`
    this.pro = { accountId: account?.id ?? '', professionalId, serviceId, key, email, slug: '' }
  }

  async close() {
    await this.world.close()
    await this.stripe?.close()
  }

  /** A quote of $480 with a deposit of $144. */
  quote(changes = {}) {
    return sentQuote(this.world.app.deps, this.pro, { depositRequired: true, depositPercentage: 30, ...changes })
  }

  async send(token: string, action = '', json?: object): Promise<Shown> {
    const response = await this.world.app.send(`/api/v1/quotes/${token}${action}`, json ? { json } : {})
    return (await response.json()) as Shown
  }

  accept(token: string) {
    return this.send(token, '/accept', {})
  }

  /** Pays at the provider, whose notification arrives `times`. */
  async pay({ payment }: Shown, { amount, times = 1 }: { amount?: number; times?: number } = {}): Promise<void> {
    const { app, sql, clock } = this.world
    if (this.stripe) {
      this.stripe.pay(payment?.clientSecret ?? '', amount === undefined ? {} : { amount })
      const { body } = this.stripe.outbox.pop() ?? { body: '' }
      for (let n = 0; n < times; n++) {
        const init = { method: 'POST', body, headers: { 'stripe-signature': this.stripe.sign(body, clock.now()) } }
        const response = await app.app.handle(new Request(`${app.deps.config.baseUrl}/webhooks/stripe`, init))
        expect(response.status).toBe(200)
      }
      return
    }
    const [row] = await sql<{ id: string; intentId: string; amountCents: number }[]>`
      select id, intent_id, amount_cents from payments where client_secret = ${payment?.clientSecret ?? ''}`
    if (!row) throw new Error('There is no payment.')
    const { id: paymentId, intentId, amountCents } = row
    const captured = {
      kind: 'captured',
      paymentId,
      intentId,
      amountCents: amount ?? amountCents,
      currency: 'USD',
    } as const
    for (let n = 0; n < times; n++)
      await processNotification(ctxOf(app.deps), {
        provider: 'sandbox',
        notification: { ...captured, id: randomUUID() },
      })
  }

  async jobsOf(quoteId: string): Promise<number> {
    return (await this.world.sql`select from jobs where quote_id = ${quoteId}`).length
  }

  async typesOf(quoteId: string): Promise<string[]> {
    return (await eventsOf(this.world.app.deps, quoteId)).map(({ type }) => type)
  }
}

for (const provider of ['sandbox', 'stripe'])
  describe(`with ${provider}, the deposit of a quote`, () => {
    const it = new Deposits(provider)
    beforeAll(() => it.open())
    beforeEach(() => it.world.clock.set(STARTED_AT))
    afterAll(() => it.close())

    test('is paid before the quote is accepted, whatever code runs: the database refuses it otherwise', async () => {
      const { quoteId, token } = await it.quote()
      const accept = () =>
        it.world.sql`update quotes set status = 'accepted', accepted_at = now() where id = ${quoteId}`.then(
          () => 'accepted',
          (error: { code?: string; message: string }) => `${error.code} ${error.message}`,
        )
      expect(await accept()).toBe(`23514 The deposit of quote ${quoteId} is not paid.`)
      await it.accept(token)
      expect(await accept()).toBe(`23514 The deposit of quote ${quoteId} is not paid.`)
    })

    test('is paid before the quote is accepted, once, however often it is accepted, paid and notified', async () => {
      const { quoteId, token } = await it.quote()
      const [due, again] = [await it.accept(token), await it.accept(token)]
      expect(again).toEqual(due)
      expect(due).toMatchObject({
        quote: {
          status: 'sent',
          jobId: null,
          depositAmount: 144,
          payment: { status: 'requires_payment', amount: 144 },
        },
        payment: { amount: 144, currency: 'USD', expiresAt: '2026-12-20T00:00:00.000Z' },
      })
      expect([await it.jobsOf(quoteId), await it.typesOf(quoteId)]).toEqual([0, ['quote.sent']])
      await it.pay(due, { times: 3 })
      await it.pay(due)
      const { quote } = await it.send(token)
      expect(quote).toMatchObject({ status: 'accepted', payment: { status: 'succeeded', paidAt: STARTED_AT } })
      expect([await it.jobsOf(quoteId), await it.typesOf(quoteId)]).toEqual([1, ['quote.sent', 'quote.accepted']])
      expect((await eventsOf(it.world.app.deps, quoteId)).at(-1)?.data.object).toEqual(quote)
      expect(await it.accept(token)).toMatchObject({ code: 'invalid_transition' })
      expect(it.stripe?.intentOf(due.payment?.clientSecret ?? '').metadata ?? { quote_id: quoteId }).toMatchObject({
        quote_id: quoteId,
      })
    })

    test('is paid once by two customers who accept at once', async () => {
      const { quoteId, token } = await it.quote()
      const [first, second] = await Promise.all([it.accept(token), it.accept(token)])
      expect(second.payment).toEqual(first.payment as PaymentDue)
      await Promise.all([it.pay(first), it.pay(second)])
      expect([await it.jobsOf(quoteId), await it.typesOf(quoteId)]).toEqual([1, ['quote.sent', 'quote.accepted']])
    })

    const endings: [what: string, end: (token: string, rfqId: string) => Promise<unknown>, status: string][] = [
      ['was declined', (token) => it.send(token, '/decline', {}), 'declined'],
      [
        'was superseded',
        (_, rfqId) => it.world.app.send('/api/v1/pro/quotes', { key: it.pro.key, json: { rfqId, amount: 450 } }),
        'superseded',
      ],
      ['has expired', () => Promise.resolve(it.world.clock.advance(30 * DAY_MINUTES)), 'expired'],
      [
        'has expired and was swept',
        async () => {
          it.world.clock.advance(30 * DAY_MINUTES)
          expect(await expireQuotes(ctxOf(it.world.app.deps), { limit: 1000 })).toBeGreaterThan(0)
        },
        'expired',
      ],
    ]
    for (const [what, end, status] of endings)
      test(`expires with a quote that ${what}; a later payment is refunded`, async () => {
        const { quoteId, rfqId, token } = await it.quote()
        const due = await it.accept(token)
        await end(token, rfqId)
        expect((await it.send(token)).quote).toMatchObject({ status, payment: { status: 'expired', refund: null } })
        const [row] = await it.world.sql<{ status: string }[]>`select status from payments where quote_id = ${quoteId}`
        // Until the sweep only reads show an end that time brings.
        expect(row?.status).toBe(what === 'has expired' ? 'requires_payment' : 'expired')
        await it.pay(due, { times: 2 })
        const refunded = { status: 'refunded', refund: { amount: 144, status: 'done' } }
        expect((await it.send(token)).quote).toMatchObject({ status, payment: refunded })
        expect(await it.jobsOf(quoteId)).toBe(0)
      })

    test('of the wrong amount is refunded, and the quote can be accepted with a new payment', async () => {
      const { quoteId, token } = await it.quote()
      await it.pay(await it.accept(token), { amount: 1 })
      expect((await it.send(token)).quote).toMatchObject({
        status: 'viewed',
        payment: { status: 'refunded', refund: { amount: 0.01 } },
      })
      await it.pay(await it.accept(token))
      expect((await it.send(token)).quote).toMatchObject({ status: 'accepted', payment: { status: 'succeeded' } })
      expect(await it.jobsOf(quoteId)).toBe(1)
    })

    test('is refunded when the pro cancels the job, and kept when they complete it', async () => {
      for (const [action, status] of [
        ['cancel', 'refunded'],
        ['complete', 'succeeded'],
      ]) {
        const { quoteId, token } = await it.quote()
        await it.pay(await it.accept(token))
        const { jobId } = (await it.send(token)).quote
        const { app } = it.world
        expect((await app.send(`/api/v1/pro/jobs/${jobId}`, { key: it.pro.key, json: { action } })).status).toBe(200)
        await settleRefunds(ctxOf(app.deps))
        for (const path of [`jobs/${jobId}`, `quotes/${quoteId}`]) {
          const shown = (await (await app.send(`/api/v1/pro/${path}`, { key: it.pro.key })).json()) as object
          expect(Object.values(shown)[0]).toMatchObject({ payment: { status, amount: 144 } })
        }
      }
    })

    test('of less than a cent is not due', async () => {
      const { token } = await it.quote({ amount: 0.01, depositPercentage: 10 })
      expect(await it.accept(token)).toMatchObject({ quote: { status: 'accepted' }, payment: null })
    })
  })

describe('the pages', () => {
  const it = new Deposits('sandbox')
  beforeAll(() => it.open())
  afterAll(() => it.close())
  test('of a quote and its payment lead a customer from the deposit in dollars to the accepted quote', async () => {
    const visitor = new Visitor(it.world.app)
    const { quoteId, token } = await it.quote()
    expect((await visitor.get(`/quotes/${token}`)).text).toContain('Accept and pay the deposit of $144.00')
    const payPath = (await visitor.postRaw(`/quotes/${token}/accept`, {})).location ?? ''
    expect(payPath).toStartWith('/pay/')
    const asked = (await visitor.get(payPath)).text
    for (const text of ['Pay the deposit', '$144', 'Quoted price', '$480', 'December 20, 2026'])
      expect(asked).toContain(text)
    expect((await visitor.get(`/quotes/${token}`)).text).toContain('$144.00, not paid yet')
    await visitor.postRaw(payPath, { outcome: 'fails' })
    expect((await visitor.get(payPath)).text).toContain('Try again')
    await visitor.postRaw(payPath, { outcome: 'succeeds' })
    const paid = (await visitor.get(payPath)).text
    expect(paid).toContain('Payment received. Thank you')
    expect(paid).toContain('Choose a time')
    const link = /href="(\/quotes\/[^"/]+)"/.exec(paid)?.[1] ?? ''
    const accepted = (await visitor.get(link)).text
    for (const text of ['You accepted this quote', '$144.00, paid on November 20, 2026'])
      expect(accepted).toContain(text)
    expect(accepted).not.toContain('<form')
    expect(await it.jobsOf(quoteId)).toBe(1)
  })
})
