// The stage of a scenario of messages: a pro and a customer who appear in no other, and their requests.
import { randomUUID } from 'node:crypto'

import { PRESETS } from '../../src/auth/scopes.ts'
import type { MessageKind } from '../../src/features/messages/messages/kinds.ts'
import { MESSAGE_KINDS } from '../../src/features/messages/messages/kind-facts.ts'
import { selectRefundsOf } from '../../src/payments/queries/refunds.sql.ts'
import { applyRefund } from '../../src/payments/verbs/readings.ts'
import { type CreatedBooking, type FixturePro, STARTED_AT, bookingBody, pay } from './booking-fixture.ts'
import { type CalendarHost, readAllDue } from './calendar-host.ts'
import type { MessageFixture } from './messages.ts'
import { ctxOf } from '../../src/ctx.ts'

/** The customer. */
export const CUSTOMER = { name: 'Dana Park' }

export interface StageSettings {
  deposit?: boolean
  requiresApproval?: boolean
}

export class MessageStage {
  readonly customer = `customer-${randomUUID()}@example.com`
  readonly at: MessageFixture
  readonly host: CalendarHost
  readonly pro: FixturePro
  readonly #keys: { marketplace: string; pro: string }

  private constructor(
    at: MessageFixture,
    host: CalendarHost,
    pro: FixturePro,
    keys: { marketplace: string; pro: string },
  ) {
    ;[this.at, this.host, this.pro, this.#keys] = [at, host, pro, keys]
  }

  /** Begins when all fixtures begin, without what earlier scenarios left to send. */
  static async open(at: MessageFixture, host: CalendarHost, settings: StageSettings = {}): Promise<MessageStage> {
    at.clock.set(STARTED_AT)
    await at.sql`delete from messages where status = 'pending'`
    await at.sql`delete from imported_calendars`
    const pro = await at.pro({ deposit: false, ...settings })
    const keys = { marketplace: await at.app.key(), pro: await at.app.key(PRESETS['pro-dashboard'], pro.email) }
    return new MessageStage(at, host, pro, keys)
  }

  /** A request that has the same idempotency key whenever it is sent. Throws if it is refused. */
  request<Answer>(path: string, json: object, by: 'marketplace' | 'pro' = 'marketplace'): () => Promise<Answer> {
    const headers = { 'idempotency-key': randomUUID() }
    return async () => {
      const answer = await this.at.app.send(`/api/v1${path}`, { key: this.#keys[by], json, headers })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return (await answer.json()) as Answer
    }
  }

  booking(): () => Promise<CreatedBooking> {
    return this.request('/bookings', bookingBody(this.pro, 0, { customer: { ...CUSTOMER, email: this.customer } }))
  }

  ofBooking(id: string, action: 'cancel' | 'reschedule', json: object): () => Promise<unknown> {
    return this.request(`/bookings/${id}/${action}`, json)
  }

  async paidBooking(): Promise<CreatedBooking> {
    const created = await this.booking()()
    await pay(this.at, created.payment?.clientSecret ?? '')
    return created
  }

  rfq(): () => Promise<{ rfq: { id: string } }> {
    const { id: professionalId, serviceId } = this.pro
    const customer = { ...CUSTOMER, email: this.customer }
    return this.request('/rfqs', {
      professionalId,
      serviceId,
      customer,
      description: 'The gutter leaks at the corner.',
    })
  }

  async quote(changes: object = {}) {
    const { rfq } = await this.rfq()()
    const send = this.request<{ quote: { id: string } }>(
      '/pro/quotes',
      { rfqId: rfq.id, amount: 480, message: 'We can begin next week.', ...changes },
      'pro',
    )
    return { rfq, send }
  }

  review(): () => Promise<{ review: { id: string } }> {
    const customer = { ...CUSTOMER, email: this.customer }
    return this.request('/reviews', { professionalId: this.pro.id, rating: 4, content: 'The leak is gone.', customer })
  }

  /** Adds the calendar, whose host answers with `answer`. */
  async calendar(answer: () => Response): Promise<void> {
    this.host.answer = answer
    await this.request('/pro/calendars', { name: 'Family', url: this.host.url('private/basic.ics') }, 'pro')()
  }

  /** Reads calendars when they are due again, also after readings that were not recorded. */
  async readCalendars(minutes = 10): Promise<void> {
    this.at.clock.advance(minutes)
    await readAllDue(this.at.app.deps)
  }

  /** The bank sends back the money of the refund that was made. */
  async returnRefund(): Promise<void> {
    const { deps } = this.at.app
    const [payment] = await this.at.sql<{ id: string }[]>`
      select id from payments where professional_id = ${this.pro.id}`
    const fact = { state: 'failed' as const, providerRefundId: null, failure: 'The account is closed.' }
    await ctxOf(deps).transaction('returnRefund', async (ctx) => {
      for (const refund of await selectRefundsOf(ctx, { paymentId: payment?.id ?? '' }))
        await applyRefund(ctx, { row: refund, fact })
    })
  }

  /** `kind recipient` of further messages. */
  told(...kinds: MessageKind[]): string[] {
    return kinds.map(
      (kind) => `${kind} ${MESSAGE_KINDS[kind].audience === 'customer' ? this.customer : this.pro.email}`,
    )
  }
}
