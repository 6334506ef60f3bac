// Draft quotes are visible only to their pro, who can change them; a sent draft is a quote like any other.
import { describe, expect, test } from 'bun:test'

import type { DraftChange, Quote, QuoteSent } from '../../../../src/features/quoting/quotes/schemas.ts'
import { createDraft } from '../../../../src/features/quoting/quotes/verbs/drafts.ts'
import { sendQuote } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { createRfq } from '../../../../src/features/quoting/rfqs/verbs/rfqs.ts'
import { QUOTE_STATES } from '../../../../src/features/quoting/quotes/states.ts'
import { openTestApp } from '../../../support/app.ts'
import { eventsOf, depsAfter, quotingPro, newRfqInput, sentQuote, tokenOf } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { escaped } from '../../../support/escaped.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const pro = await quotingPro(app)

const newRequest = async () => (await createRfq(ctxOf(app.deps, pro), newRfqInput(pro))).rfq.id
const draftFor = (rfqId: string, content: DraftChange = { amount: 300 }) =>
  ctxOf(app.deps).transaction('createDraft', (ctx) => createDraft(ctx.as(pro), { rfqId, ...content }))
const newDraft = async (content?: DraftChange) => await draftFor(await newRequest(), content)

const patch = (id: string, json: object) =>
  app.send(`/api/v1/pro/quotes/${id}`, { method: 'PATCH', key: pro.key, json })
const send = (id: string, headers: Record<string, string> = {}) =>
  app.send(`/api/v1/pro/quotes/${id}/send`, { method: 'POST', key: pro.key, headers })
const quoteOf = async (response: Response | Promise<Response>) =>
  ((await (await response).json()) as { quote: Quote }).quote
const read = (id: string) => quoteOf(app.send(`/api/v1/pro/quotes/${id}`, { key: pro.key }))
const problemOf = async (response: Response) => {
  const { code, errors } = (await response.json()) as { code?: string; errors?: { path: string }[] }
  return [response.status, code, ...(errors ?? []).map(({ path }) => path)]
}

describe('a draft', () => {
  test('is private to the pro: it emits no event and is not in the customer’s list', async () => {
    const draft = await newDraft()
    expect(draft).toMatchObject({ status: 'draft', amount: 300, sentAt: null, validUntil: null })
    expect(await eventsOf(app.deps, draft.id)).toEqual([])
    const lead = await app.send(`/api/v1/pro/leads/${draft.rfqId}`, { key: pro.key })
    expect(await lead.json()).toMatchObject({
      rfq: { status: 'new', quotesReceived: 0, latestQuote: null, quotes: [{ id: draft.id }] },
    })
  })

  test('has the sum of its line items as its amount, each quantity × unit price', async () => {
    const draft = await newDraft({
      lineItems: [
        { description: 'Labor', quantity: 2.5, unitPrice: 80 },
        { description: 'Gutter', quantity: 3, unitPrice: 33.333 },
        { description: 'Discount', quantity: 1, unitPrice: -20 },
      ],
    })
    expect(draft.amount).toBe(280)
    expect(draft.lineItems.map(({ amount }) => amount)).toEqual([200, 100, -20])
    const changed = await quoteOf(
      patch(draft.id, { lineItems: [{ description: 'All', quantity: 1, unitPrice: 99.99 }] }),
    )
    expect([changed.amount, changed.units]).toEqual([99.99, 1])
    expect(await problemOf(await patch(draft.id, { amount: 50 }))).toEqual([400, 'validation_failed', 'body.amount'])
    const flat = await quoteOf(patch(draft.id, { lineItems: [], amount: 50 }))
    expect([flat.amount, flat.lineItems]).toEqual([50, []])
  })

  test('changes only the given fields, and null clears a field', async () => {
    const { id } = await newDraft({ amount: 300, message: 'Hello.', paymentTerms: 'At the end.', validForDays: 14 })
    const deposit = await quoteOf(patch(id, { depositRequired: true, depositPercentage: 25 }))
    expect(deposit).toMatchObject({ message: 'Hello.', validForDays: 14, depositAmount: 75 })
    const without = await quoteOf(patch(id, { depositRequired: false, message: null }))
    expect(without).toMatchObject({ message: null, depositRequired: false, depositPercentage: null })
    expect(await problemOf(await patch(id, { depositPercentage: 10 }))).toEqual([
      400,
      'validation_failed',
      'body.depositPercentage',
    ])
    expect(await read(id)).toEqual(without)
  })

  test('cannot have an amount of zero or above the limit of quotes', async () => {
    const { id } = await newDraft()
    for (const [quantity, unitPrice] of [
      [1, 0],
      [1, -5],
      [1_000_000, 1_000_000],
    ])
      expect(await problemOf(await patch(id, { lineItems: [{ description: 'Work', quantity, unitPrice }] }))).toEqual([
        400,
        'validation_failed',
        'body.amount',
      ])
  })

  test('is deleted completely', async () => {
    const { id, rfqId } = await newDraft()
    const response = await app.send(`/api/v1/pro/quotes/${id}`, { method: 'DELETE', key: pro.key })
    expect(response.status).toBe(204)
    expect((await app.send(`/api/v1/pro/quotes/${id}`, { key: pro.key })).status).toBe(404)
    expect(await eventsOf(app.deps, rfqId)).toHaveLength(1)
  })

  test('is refused for an archived request and beyond ten per request', async () => {
    const rfqId = await newRequest()
    for (let n = 0; n < 10; n++) await draftFor(rfqId)
    expect(draftFor(rfqId)).rejects.toMatchObject({ code: 'too_many_drafts' })
    await app.send(`/api/v1/pro/leads/${rfqId}/archive`, { method: 'POST', key: pro.key })
    expect(draftFor(rfqId)).rejects.toMatchObject({ code: 'invalid_transition' })
  })
})

describe('a draft that is sent', () => {
  test('becomes a quote like any other, with event, link, validity and page', async () => {
    const draft = await newDraft({ amount: 300, message: 'Thank you <b>for asking</b>.', validForDays: 7 })
    const sent = (await (await send(draft.id)).json()) as QuoteSent
    const validUntil = new Date(app.deps.clock.now().getTime() + 7 * 86_400_000).toISOString()
    expect(sent.quote).toMatchObject({ id: draft.id, status: 'sent', amount: 300, validUntil, validForDays: null })
    expect(await eventsOf(app.deps, draft.id)).toMatchObject([
      { type: 'quote.sent', sequence: 1, data: { object: { id: draft.id } } },
    ])
    const link = `${app.deps.config.baseUrl}/quotes/${tokenOf(app.deps, draft.id)}`
    const page = await app.app.handle(new Request(link, { headers: { accept: 'text/html' } }))
    expect(await page.text()).toContain(escaped('Thank you <b>for asking</b>.'))
    const accepted = await app.send(`/api/v1/quotes/${tokenOf(app.deps, draft.id)}/accept`, { method: 'POST' })
    expect(await quoteOf(accepted)).toMatchObject({ status: 'accepted' })
  })

  test('supersedes the open quote and is the latest, even if it was created earlier', async () => {
    const rfqId = await newRequest()
    const draft = await draftFor(rfqId)
    const { quote } = await sendQuote(ctxOf(depsAfter(app.deps, -60_000), pro), { rfqId, amount: 500 })
    await send(draft.id)
    expect((await read(quote.id)).status).toBe('superseded')
    const lead = (await (await app.send(`/api/v1/pro/leads/${rfqId}`, { key: pro.key })).json()) as {
      rfq: { status: string; latestQuote: object }
    }
    expect(lead.rfq).toMatchObject({ status: 'responded', latestQuote: { amount: 300, status: 'sent' } })
  })

  test('is sent once, however often the request with one key is repeated', async () => {
    const { id } = await newDraft()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(id, headers)))
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1)
    expect(await eventsOf(app.deps, id)).toHaveLength(1)
    expect(await problemOf(await send(id))).toEqual([409, 'invalid_transition'])
  })
})

test.each(QUOTE_STATES.filter((state) => state !== 'draft'))(
  'a quote in state %s cannot be changed as a draft',
  async (state) => {
    const { quoteId } = await sentQuote(app.deps, pro)
    await app.deps.write.begin('force', async (tx) => {
      await tx.run('past the triggers', (sql) => sql`set local session_replication_role = replica`)
      const now = app.deps.clock.now().toISOString()
      await tx.run(
        'force',
        (sql) => sql`
        update quotes set status = ${state}, viewed_at = ${now},
          accepted_at = case when ${state} = 'accepted' then ${now}::timestamptz end,
          declined_at = case when ${state} = 'declined' then ${now}::timestamptz end,
          superseded_at = case when ${state} = 'superseded' then ${now}::timestamptz end,
          valid_until = case when ${state} = 'expired' then ${now}::timestamptz else valid_until end,
          expired_at = case when ${state} = 'expired' then ${now}::timestamptz end
        where id = ${quoteId}`,
      )
    })
    const before = await read(quoteId)
    const refused = [409, 'invalid_transition']
    expect(await problemOf(await patch(quoteId, { message: 'Too late.' }))).toEqual(refused)
    expect(await problemOf(await send(quoteId))).toEqual(refused)
    const deleted = await app.send(`/api/v1/pro/quotes/${quoteId}`, { method: 'DELETE', key: pro.key })
    expect(await problemOf(deleted)).toEqual(refused)
    expect(await read(quoteId)).toEqual(before)
  },
)
