// The quotes of a random life: drafted, sent, accepted with a deposit, declined, superseded, and the jobs that follow.
import { expect } from 'bun:test'

import { createDraft } from '../../src/features/quoting/quotes/verbs/drafts.ts'
import type { Json, LifeContext, LifePro } from './agreed-context.ts'
import { type AgreedPayment, shareOf, shownPayment } from './agreed-model.ts'
import { expectQuoteEverywhere, expectShown } from './agreed-surfaces.ts'
import { tokenOf } from './quotes.ts'
import { ctxOf } from '../../src/ctx.ts'

const DAY_MS = 86_400_000

/** A quote as it was agreed. */
interface AgreedQuote {
  id: string
  rfqId: string
  pro: LifePro
  amount: number
  percentage: number | null
  message: string
  status: 'draft' | 'sent' | 'viewed' | 'accepted' | 'declined' | 'expired' | 'superseded'
  validForDays: number
  validUntilMs: number
  payment: AgreedPayment | null
  clientSecret: string | null
  jobId: string | null
}

const depositOf = ({ amount, percentage }: AgreedQuote) =>
  percentage === null ? 0 : shareOf(Math.round(amount * 100), percentage)

const isOpen = ({ status }: AgreedQuote) => status === 'sent' || status === 'viewed'

export class LifeOfQuotes {
  readonly all: AgreedQuote[] = []

  constructor(readonly ctx: LifeContext) {}

  async check(quote: AgreedQuote): Promise<void> {
    this.#passTime(quote)
    // Reading the link views the quote.
    if (quote.status === 'sent') quote.status = 'viewed'
    const { amount, percentage, payment, message, id, status } = quote
    const agreed = {
      id,
      status,
      amount,
      depositRequired: percentage !== null,
      depositPercentage: percentage,
      depositAmount: depositOf(quote) === 0 ? null : depositOf(quote) / 100,
      message,
      payment: payment && shownPayment(payment),
    }
    const token = status === 'draft' ? '' : tokenOf(this.ctx.to.world.app.deps, id)
    const texts = [message, amount.toLocaleString('en-US', { style: 'currency', currency: 'USD' })]
    await expectQuoteEverywhere(this.ctx.to, quote.pro, { ...quote, token, texts, agreed })
    if (quote.jobId !== null) {
      const { job } = await this.ctx.asPro(quote.pro, `/jobs/${quote.jobId}`)
      expectShown('job', job, { amount, quotedAmount: amount, payment: agreed.payment })
    }
    this.ctx.note(`quote shown: ${status}`)
  }

  #passTime(quote: AgreedQuote): void {
    if (isOpen(quote) && quote.validUntilMs <= this.ctx.nowMs) this.#close(quote, 'expired')
  }

  #close(quote: AgreedQuote, status: 'declined' | 'expired' | 'superseded'): void {
    quote.status = status
    if (quote.payment && quote.payment.status !== 'refunded') quote.payment.status = 'expired'
  }

  #some(): AgreedQuote | undefined {
    if (this.all.length === 0) return undefined
    const from = this.ctx.random.chance(0.7) ? Math.max(0, this.all.length - 10) : 0
    const quote = this.all[this.ctx.random.integer(from, this.all.length - 1)]
    if (quote) this.#passTime(quote)
    return quote
  }

  /** Sends a quote or writes a draft, for a new request or once more for an old one. */
  async write(): Promise<void> {
    const { random } = this.ctx
    const old = random.chance(0.3) ? this.#some() : undefined
    const pro = old?.pro ?? random.pick(this.ctx.pros)
    const quote: AgreedQuote = {
      id: '',
      rfqId: old?.rfqId ?? (await this.#request(pro)),
      pro,
      ...this.#content(),
      status: random.chance(0.3) ? 'draft' : 'sent',
      validForDays: random.integer(1, 60),
      validUntilMs: Infinity,
      payment: null,
      clientSecret: null,
      jobId: null,
    }
    if (quote.status === 'draft') await this.#draft(quote)
    else await this.#send(quote, '/quotes', { rfqId: quote.rfqId, validForDays: quote.validForDays, ...bodyOf(quote) })
  }

  #content() {
    const { random } = this.ctx
    return {
      amount: random.integer(100, 500_000) / 100,
      percentage: random.chance(0.7) ? random.integer(1, 10_000) / 100 : null,
      message: `Message ${this.ctx.serial()}`,
    }
  }

  async #request(pro: LifePro): Promise<string> {
    const json = {
      professionalId: pro.id,
      serviceId: pro.offered.serviceId,
      customer: { name: 'Homeowner in Austin', email: 'home@example.com' },
      description: `Request ${this.ctx.serial()}`,
    }
    const response = await this.ctx.to.world.app.send('/api/v1/rfqs', { key: this.ctx.keys.rfqs, json })
    return ((await response.json()) as { rfq: { id: string } }).rfq.id
  }

  async #draft(quote: AgreedQuote): Promise<void> {
    const { deps } = this.ctx.to.world.app
    const owner = { accountId: quote.pro.accountId, professionalId: quote.pro.id }
    const { rfqId, validForDays } = quote
    try {
      const draft = await ctxOf(deps).transaction('createDraft', (ctx) =>
        createDraft(ctx.as(owner), { rfqId, validForDays, ...bodyOf(quote) }),
      )
      await this.#written({ ...quote, id: draft.id })
    } catch (error) {
      this.ctx.note(`draft refused: ${(error as { code?: string }).code}`)
    }
  }

  /** Sends a new quote or a draft, which supersedes an open one of the same request. */
  async #send(quote: AgreedQuote, path: string, body: object): Promise<void> {
    const answer = (await this.ctx.asPro(quote.pro, path, body)) as { code?: string; quote?: { id: string } }
    if (!answer.quote) return this.ctx.note(`quote refused: ${answer.code}`)
    const others = this.all.filter(({ rfqId }) => rfqId === quote.rfqId)
    for (const other of others) {
      this.#passTime(other)
      if (isOpen(other)) this.#close(other, 'superseded')
    }
    const sent = {
      status: 'sent',
      id: answer.quote.id,
      validUntilMs: this.ctx.nowMs + quote.validForDays * DAY_MS,
    } as const
    if (this.all.includes(quote)) await this.check(Object.assign(quote, sent))
    else await this.#written({ ...quote, ...sent })
    for (const other of others) if (other !== quote) await this.check(other)
  }

  async #written(quote: AgreedQuote): Promise<void> {
    this.all.push(quote)
    this.ctx.note(`written: ${quote.status}${quote.percentage === null ? '' : ' with a deposit'}`)
    await this.check(quote)
  }

  /** Edits or sends a draft; accepts, pays or declines a quote; moves its job. */
  async proceed(): Promise<void> {
    const quote = this.#some()
    if (!quote) return
    if (quote.status === 'draft') await this.#proceedDraft(quote)
    else if (quote.jobId !== null && this.ctx.random.chance(0.5)) await this.#endJob(quote)
    else {
      const what = this.ctx.random.pick(['accept', 'accept', 'pay', 'pay', 'fail', 'decline'] as const)
      await (what === 'accept'
        ? this.#accept(quote)
        : what === 'decline'
          ? this.#decline(quote)
          : this.#pay(quote, what))
    }
    await this.check(quote)
  }

  async #proceedDraft(quote: AgreedQuote): Promise<void> {
    if (this.ctx.random.chance(0.5)) return await this.#send(quote, `/quotes/${quote.id}/send`, {})
    const content = this.#content()
    const { quote: changed } = await this.ctx.asPro(quote.pro, `/quotes/${quote.id}`, bodyOf(content), 'PATCH')
    if (changed) Object.assign(quote, content)
    this.ctx.note('draft edited')
  }

  async #onLink(quote: AgreedQuote, action: string): Promise<Json> {
    const { app } = this.ctx.to.world
    const token = tokenOf(app.deps, quote.id)
    return (await (await app.send(`/api/v1/quotes/${token}/${action}`, { json: {} })).json()) as Json
  }

  async #accept(quote: AgreedQuote): Promise<void> {
    const answer = await this.#onLink(quote, 'accept')
    expect(['accept', quote.status, 'quote' in answer]).toEqual(['accept', quote.status, isOpen(quote)])
    if (!isOpen(quote)) return this.ctx.note('accept refused')
    const deposit = depositOf(quote)
    if (deposit === 0) return this.#accepted(quote, answer['quote'] as { jobId: string })
    const { clientSecret, amount } = answer['payment'] as { clientSecret: string; amount: number }
    expect([amount, quote.clientSecret ?? clientSecret]).toEqual([deposit / 100, clientSecret])
    quote.clientSecret = clientSecret
    quote.payment ??= { fee: 0, deposit, status: 'requires_payment' }
    this.ctx.note('accepted with a deposit to pay')
    if (this.ctx.random.chance(0.6)) await this.#pay(quote, 'pay')
  }

  #accepted(quote: AgreedQuote, { jobId }: { jobId: string | null }): void {
    expect(jobId).toBeString()
    Object.assign(quote, { status: 'accepted', jobId })
    this.ctx.note('accepted')
  }

  async #decline(quote: AgreedQuote): Promise<void> {
    const answer = await this.#onLink(quote, 'decline')
    expect(['decline', quote.status, 'quote' in answer]).toEqual(['decline', quote.status, isOpen(quote)])
    if (isOpen(quote)) this.#close(quote, 'declined')
    this.ctx.note('declined')
  }

  async #pay(quote: AgreedQuote, what: 'pay' | 'fail'): Promise<void> {
    const { payment, clientSecret } = quote
    if (!payment || clientSecret === null) return
    const json = { outcome: what === 'pay' ? 'succeeds' : 'fails' }
    const { app } = this.ctx.to.world
    expect((await app.send(`/sandbox/payments/${clientSecret}`, { json })).status).toBe(200)
    const isDue = payment.status === 'requires_payment' || payment.status === 'failed'
    if (isDue && what === 'fail') payment.status = 'failed'
    else if (isDue) {
      payment.status = 'succeeded'
      const shown = await this.ctx.asPro(quote.pro, `/quotes/${quote.id}`)
      this.#accepted(quote, shown['quote'] as { jobId: string })
    } else if (payment.status === 'expired' && what === 'pay') payment.status = 'refunded'
    this.ctx.note(`deposit: ${payment.status}`)
  }

  /** A completed job keeps its deposit, a cancelled one gives it back. */
  async #endJob(quote: AgreedQuote): Promise<void> {
    const action = this.ctx.random.pick(['start', 'complete', 'cancel'])
    const { job } = await this.ctx.asPro(quote.pro, `/jobs/${quote.jobId}`, { action })
    if (job && action === 'cancel' && quote.payment) quote.payment.status = 'refunded'
    this.ctx.note(job ? `job: ${action}` : 'job action refused')
  }
}

const bodyOf = ({ amount, percentage, message }: Pick<AgreedQuote, 'amount' | 'percentage' | 'message'>) => ({
  amount,
  message,
  depositRequired: percentage !== null,
  ...(percentage === null ? {} : { depositPercentage: percentage }),
})
