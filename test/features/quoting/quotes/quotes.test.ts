// Sending quotes: amounts that add up, access, validity, and the units that they cover.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { createApp } from '../../../../src/app.ts'
import type { NewQuote } from '../../../../src/features/quoting/quotes/schemas.ts'
import { expireQuotes } from '../../../../src/features/quoting/quotes/verbs/quotes.ts'
import { openTestApp } from '../../../support/app.ts'
import { eventsOf, depsAfter, quotingPro, newRfqInput, sentQuote } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const key = await app.key(['rfqs:write'])
const [pro, otherPro] = await Promise.all([quotingPro(app), quotingPro(app, 1)])

const DAY_MS = 86_400_000
type Body = Record<string, unknown>
const bodyOf = async (response: Response) => (await response.json()) as Body
const ask = (changes: Body = {}, as = key) => app.send('/api/v1/rfqs', { key: as, json: newRfqInput(pro, changes) })
const newRfqId = async (changes: Body = {}) => ((await bodyOf(await ask(changes)))['rfq'] as { id: string }).id
const quote = (json: object, as = pro.key) => app.send('/api/v1/pro/quotes', { key: as, json })

describe('a quote', () => {
  const item = (quantity: number, unitPrice: number, amount = quantity * unitPrice) => ({
    description: 'Work',
    quantity,
    unitPrice,
    amount,
  })

  test.each<[string, Partial<NewQuote>, string | undefined]>([
    ['without line items', {}, undefined],
    ['with an empty list of line items', { lineItems: [] }, undefined],
    ['that adds up', { lineItems: [item(2, 100), item(1, 80.5)] }, undefined],
    ['that adds up except for binary rounding', { amount: 0.3, lineItems: [item(1, 0.1), item(1, 0.2)] }, undefined],
    ['with a discount', { lineItems: [item(3, 100), item(1, -19.5)] }, undefined],
    ['rounded up from half a cent', { amount: 50, lineItems: [item(1.5, 33.33, 50)] }, undefined],
    ['rounded down from half a cent', { amount: 49.99, lineItems: [item(1.5, 33.33, 49.99)] }, undefined],
    ['with a unit price below a cent', { amount: 12.5, lineItems: [item(5000, 0.0025, 12.5)] }, undefined],
    ['that is a cent off', { lineItems: [item(2, 100), item(1, 80.49)] }, 'body.amount'],
    ['with an item a cent off', { lineItems: [item(2, 140.25, 280.49), item(1, 0.01)] }, 'body.lineItems.0.amount'],
    ['in parts of a cent', { amount: 280.505 }, 'body.amount'],
    [
      'with an item in parts of a cent',
      { lineItems: [item(1, 280.495, 280.495), item(1, 0.005)] },
      'body.lineItems.0.amount',
    ],
    ['with a deposit', { depositRequired: true, depositPercentage: 12.5 }, undefined],
    ['with a deposit of unspecified size', { depositRequired: true }, 'body.depositPercentage'],
    [
      'with a deposit share of three decimals',
      { depositRequired: true, depositPercentage: 33.333 },
      'body.depositPercentage',
    ],
    ['with a deposit share but no deposit', { depositPercentage: 10 }, 'body.depositPercentage'],
    [
      'with a deposit share and a deposit that is not required',
      { depositRequired: false, depositPercentage: 10 },
      'body.depositPercentage',
    ],
    ['valid for no day', { validForDays: 0 }, 'body.validForDays'],
    ['valid for longer than a year', { validForDays: 366 }, 'body.validForDays'],
    ['with an amount of zero', { amount: 0 }, 'body.amount'],
  ])('%s is accepted, or refused with the name of the invalid field', async (_, changes, field) => {
    const rfqId = await newRfqId()
    const response = await quote({ rfqId, amount: 280.5, ...changes })
    const body = await bodyOf(response)
    if (field)
      expect([response.status, body]).toMatchObject([
        400,
        { errors: expect.arrayContaining([expect.objectContaining({ path: field })]) },
      ])
    else expect([response.status, body['quote']]).toMatchObject([201, { amount: changes.amount ?? 280.5 }])
  })

  test('is valid for 30 days by default and shows the deposit’s amount', async () => {
    const { quote: sent } = (await bodyOf(
      await quote({ rfqId: await newRfqId(), amount: 99.99, depositRequired: true, depositPercentage: 33.33 }),
    )) as { quote: Body }
    expect(sent).toMatchObject({ validUntil: '2026-07-01T12:00:00.000Z', depositAmount: 33.33, units: 1 })
  })

  test('is created for a request to its pro, once per Idempotency-Key', async () => {
    const rfqId = await newRfqId()
    expect(await bodyOf(await quote({ rfqId, amount: 1 }, otherPro.key))).toMatchObject({ code: 'rfq_not_found' })
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => app.send('/api/v1/pro/quotes', { key: pro.key, headers, json: { rfqId, amount: 75 } })
    const [first, replay] = [await send(), await send()]
    expect(await replay.text()).toBe(await first.text())
    expect(await bodyOf(await app.send(`/api/v1/pro/leads/${rfqId}`, { key: pro.key }))).toMatchObject({
      rfq: { quotesReceived: 1 },
    })
  })

  test('cannot be sent once another was accepted', async () => {
    const { rfqId, token } = await sentQuote(app.deps, pro)
    await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
    expect(await bodyOf(await quote({ rfqId, amount: 1 }))).toMatchObject({
      code: 'invalid_transition',
      state: 'accepted',
    })
  })

  test('past its end is expired, with its event, when a newer one is sent', async () => {
    const { rfqId, quoteId } = await sentQuote(app.deps, pro, { validForDays: 1 })
    const later = createApp(depsAfter(app.deps, 2 * DAY_MS))
    const response = await later.handle(
      new Request('http://localhost/api/v1/pro/quotes', {
        method: 'POST',
        headers: { authorization: `Bearer ${pro.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ rfqId, amount: 90 }),
      }),
    )
    expect(response.status).toBe(201)
    expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.expired'])
  })

  test('is visible only to its pro', async () => {
    const { rfqId, quoteId } = await sentQuote(app.deps, pro)
    const list = async (query: string, as = pro.key) =>
      ((await bodyOf(await app.send(`/api/v1/pro/quotes?${query}`, { key: as })))['quotes'] as Body[]).map(
        ({ id }) => id,
      )
    expect(await list(`rfqId=${rfqId}`)).toEqual([quoteId])
    expect(await list(`rfqId=${rfqId}&status=sent`)).toEqual([quoteId])
    expect(await list(`rfqId=${rfqId}&status=expired`)).toEqual([])
    expect(await list(`rfqId=${rfqId}`, otherPro.key)).toEqual([])
    const own = await app.send(`/api/v1/pro/quotes/${quoteId}`, { key: pro.key })
    expect(await own.text()).not.toContain('/quotes/')
    expect((await app.send(`/api/v1/pro/quotes/${quoteId}`, { key: otherPro.key })).status).toBe(404)
  })

  test('expires in batches, with one event each', async () => {
    const quotes = await Promise.all([1, 2, 3].map(() => sentQuote(app.deps, otherPro, { validForDays: 1 })))
    const later = depsAfter(app.deps, 2 * DAY_MS)
    await Promise.all([expireQuotes(ctxOf(later), { limit: 2 }), expireQuotes(ctxOf(later), { limit: 2 })])
    while ((await expireQuotes(ctxOf(later), { limit: 2 })) > 0);
    for (const { quoteId } of quotes)
      expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.expired'])
  })
})

describe('the number of units that a quote covers', () => {
  /** A service whose unit the pro lists at $20. */
  const unitsOf = async (items: [quantity: number, unitPrice: number][], unit: string | null = 'hour') => {
    const lineItems = items.map(([quantity, unitPrice]) => ({ description: 'Work', quantity, unitPrice, amount: 1 }))
    const [row] = await app.deps.write.begin('unitsOf', async (tx) => {
      await tx.run(
        'makeUnit',
        (sql) => sql`
          update services set price_type = ${unit ? 'hourly' : 'flat'}, unit = ${unit} where id = ${otherPro.serviceId}`,
      )
      await tx.run(
        'listPrice',
        (sql) => sql`
          update professional_services set price_type = ${unit ? 'hourly' : 'flat'}, unit = ${unit},
            base_price_cents = 2000
          where professional_id = ${otherPro.professionalId} and service_id = ${otherPro.serviceId}`,
      )
      return await tx.run<{ units: number | null; cents: number | null }>(
        'quoted_units',
        (sql) => sql`
          select units, units_cents as cents
          from quoted_units(${otherPro.serviceId}, ${otherPro.professionalId}, ${JSON.stringify(lineItems)}::text::jsonb)`,
      )
    })
    return [row?.units, row?.cents]
  }

  test('is 1 for a flat price, whatever the line items', async () => {
    expect(await unitsOf([], null)).toEqual([1, null])
    expect(
      await unitsOf(
        [
          [3, 5],
          [2, 7],
        ],
        null,
      ),
    ).toEqual([1, null])
  })

  test('is the total quantity at one unit price, however it is split', async () => {
    expect(await unitsOf([[3.5, 25]])).toEqual([3.5, 8750])
    expect(
      await unitsOf([
        [3, 25],
        [2, 25],
      ]),
    ).toEqual([5, 12_500])
  })

  test('is the total quantity at several prices of the unit, without materials and discounts', async () => {
    expect(
      await unitsOf([
        [3, 25],
        [1, 40],
      ]),
    ).toEqual([4, 11_500])
    expect(
      await unitsOf([
        [2, 25],
        [1, 30.5],
        [1, 900],
        [40, 0.75],
        [1, -20],
      ]),
    ).toEqual([3, 8050])
  })

  test('is unknown without a price per the service’s unit', async () => {
    const unknown = [null, null]
    expect(await unitsOf([])).toEqual(unknown)
    expect(await unitsOf([[1, 2000]])).toEqual(unknown)
    expect(await unitsOf([[100, 0.5]])).toEqual(unknown)
  })
})
