// What the fake Stripe holds: intents, refunds and disputes, and the events of their changes.
import { randomUUID } from 'node:crypto'

export interface FakeIntent {
  id: string
  amount: number
  currency: string
  metadata: Record<string, string>
  clientSecret: string
  createdMs: number
  /** The captured amount, and the part of it that was refunded or is being refunded. */
  captured: number
  refunded: number
}

export type FakeRefundStatus = 'succeeded' | 'pending' | 'requires_action' | 'failed' | 'canceled'

export interface FakeRefund {
  id: string
  intent: string
  amount: number
  status: FakeRefundStatus
  metadata: Record<string, string>
  createdMs: number
}

export type FakeDisputeStatus = 'needs_response' | 'warning_needs_response' | 'warning_closed' | 'won' | 'lost'

export interface FakeDispute {
  id: string
  intent: string
  amount: number
  status: FakeDisputeStatus
  createdMs: number
}

export interface FakeEvent {
  id: string
  body: string
}

/** The smallest payment in cents of dollars. */
export const MIN_AMOUNT = 50

/** A request that Stripe refuses. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message)
  }
}

const idOf = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`

export class StripeLedger {
  readonly intents = new Map<string, FakeIntent>()
  /** Oldest first, as they were made. */
  readonly refunds: FakeRefund[] = []
  readonly disputes: FakeDispute[] = []
  /** Notifications that Hearth has not acknowledged yet. */
  readonly outbox: FakeEvent[] = []
  /** The state of the refunds that it makes. */
  refundStatus: FakeRefundStatus = 'succeeded'
  /** A charge with a dispute of these states is not refundable: banks and networks differ (`is_charge_refundable`). */
  refusesRefund: readonly FakeDisputeStatus[] = ['needs_response', 'lost']
  #advancedMs = 0

  /** The clock that Stripe's time is ahead of. */
  clockMs: () => number = Date.now

  /** The time at Stripe, which tests move ahead of everybody else's. */
  nowMs = (): number => this.clockMs() + this.#advancedMs

  advance(hours: number): void {
    this.#advancedMs += hours * 3_600_000
  }

  intentOf(clientSecret: string): FakeIntent {
    const found = [...this.intents.values()].find((intent) => intent.clientSecret === clientSecret)
    if (!found) throw new Error('Stripe has no intent with this client secret.')
    return found
  }

  createIntent(amount: number, currency: string, metadata: Record<string, string>): FakeIntent {
    if (amount < MIN_AMOUNT) throw new Refusal('amount_too_small', 'Amount must be at least $0.50 usd.')
    const id = idOf('pi')
    const clientSecret = `${id}_secret_${idOf('s')}`
    const intent = { id, amount, currency, metadata, clientSecret, createdMs: this.nowMs(), captured: 0, refunded: 0 }
    this.intents.set(id, intent)
    return intent
  }

  /**
   * Pays as a customer. The notification waits in the outbox. Paying again captures nothing but emits another event,
   * because Stripe may send two events for one payment.
   */
  pay(clientSecret: string, { amount, currency }: { amount?: number; currency?: string } = {}): FakeIntent {
    const intent = this.intentOf(clientSecret)
    if (intent.captured === 0) {
      intent.captured = amount ?? intent.amount
      if (currency) intent.currency = currency
    }
    this.#emit('payment_intent.succeeded', intentObject(intent))
    return intent
  }

  /** Declines the payment as a bank does. */
  fail(clientSecret: string): void {
    this.#emit('payment_intent.payment_failed', intentObject(this.intentOf(clientSecret)))
  }

  /** Refunds an intent, as an API request or, without metadata, a person in the dashboard does. */
  refund(intentId: string, amount: number, metadata: Record<string, string> = {}): FakeRefund {
    const intent = this.intents.get(intentId)
    if (!intent) throw new Refusal('resource_missing', 'No such payment_intent', 404)
    const disputed = this.disputes.filter(
      ({ intent, status }) => intent === intentId && this.refusesRefund.includes(status),
    )
    if (disputed.length > 0) throw new Refusal('charge_disputed', 'The charge has been charged back.')
    const left = intent.captured - intent.refunded
    if (left === 0) throw new Refusal('charge_already_refunded', 'The charge has already been refunded.')
    if (amount > left) throw new Refusal('amount_too_large', 'The refund is greater than what is left of the charge.')
    const status = this.refundStatus
    const refund = { id: idOf('re'), intent: intentId, amount, status, metadata, createdMs: this.nowMs() }
    this.refunds.push(refund)
    if (!isFailed(status)) intent.refunded += amount
    this.#emit('refund.created', refundObject(refund))
    this.#emit('charge.refunded', { id: idOf('ch'), object: 'charge', payment_intent: intentId })
    return refund
  }

  /** The bank makes a refund, or returns it: also one that had succeeded. */
  moveRefund(refund: FakeRefund, status: FakeRefundStatus): void {
    const intent = this.intents.get(refund.intent)
    if (intent && isFailed(status) && !isFailed(refund.status)) intent.refunded -= refund.amount
    refund.status = status
    this.#emit(isFailed(status) ? 'refund.failed' : 'refund.updated', refundObject(refund))
  }

  /** A customer's bank takes a payment back, or only asks about it. */
  dispute(intentId: string, amount: number, status: FakeDisputeStatus = 'needs_response'): FakeDispute {
    const dispute = { id: idOf('du'), intent: intentId, amount, status, createdMs: this.nowMs() }
    this.disputes.push(dispute)
    this.#emit('charge.dispute.created', disputeObject(dispute))
    if (!status.startsWith('warning')) this.#emit('charge.dispute.funds_withdrawn', disputeObject(dispute))
    return dispute
  }

  moveDispute(dispute: FakeDispute, status: FakeDisputeStatus): void {
    dispute.status = status
    this.#emit(status === 'needs_response' ? 'charge.dispute.updated' : 'charge.dispute.closed', disputeObject(dispute))
    if (status === 'won') this.#emit('charge.dispute.funds_reinstated', disputeObject(dispute))
  }

  #emit(type: string, object: object): void {
    const id = `evt_${randomUUID()}`
    this.outbox.push({ id, body: JSON.stringify({ id, object: 'event', type, data: { object } }) })
  }
}

export const isFailed = (status: FakeRefundStatus): boolean => status === 'failed' || status === 'canceled'

const seconds = (ms: number): number => Math.floor(ms / 1000)

export const intentObject = ({ id, amount, currency, metadata, clientSecret, captured, createdMs }: FakeIntent) => ({
  id,
  object: 'payment_intent',
  amount,
  amount_received: captured,
  currency,
  metadata,
  client_secret: clientSecret,
  status: captured > 0 ? 'succeeded' : 'requires_payment_method',
  created: seconds(createdMs),
})

export const refundObject = ({ id, intent, amount, status, metadata, createdMs }: FakeRefund) => ({
  id,
  object: 'refund',
  amount,
  currency: 'usd',
  payment_intent: intent,
  status,
  metadata,
  ...(status === 'failed' ? { failure_reason: 'expired_or_canceled_card' } : {}),
  created: seconds(createdMs),
})

export const disputeObject = ({ id, intent, amount, status, createdMs }: FakeDispute) => ({
  id,
  object: 'dispute',
  amount,
  currency: 'usd',
  payment_intent: intent,
  reason: 'fraudulent',
  status,
  metadata: {},
  created: seconds(createdMs),
})
