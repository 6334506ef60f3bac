// Asking for quotes and answering: who sees what, money that adds up, and the customer's sealed link.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { createApp } from '../src/app.ts'
import { viewQuote } from '../src/features/quotes/customer-service.ts'
import { customerUrl } from '../src/features/quotes/link.ts'
import type { NewQuote } from '../src/features/quotes/model.ts'
import { expireQuotes } from '../src/features/quotes/quote-service.ts'
import { type TestApp, openTestApp } from './support/app.ts'
import {
  HOMEOWNER,
  type QuotingPro,
  eventsOf,
  laterBy,
  quotingPro,
  rfqWish,
  sentQuote,
  tokenOf,
} from './support/quotes.ts'

let app: TestApp
let key: string
let pro: QuotingPro
let otherPro: QuotingPro

beforeAll(async () => {
  app = await openTestApp()
  key = await app.key(['rfqs:write'])
  ;[pro, otherPro] = await Promise.all([quotingPro(app), quotingPro(app, 1)])
})
afterAll(() => app.close())

const DAY_MS = 86_400_000
type Body = Record<string, unknown>
const bodyOf = async (answer: Response) => (await answer.json()) as Body
const ask = (changes: Body = {}, as = key) => app.send('/api/v1/rfqs', { key: as, json: rfqWish(pro, changes) })
const askedId = async (changes: Body = {}) => ((await bodyOf(await ask(changes)))['rfq'] as { id: string }).id
const quote = (json: object, as = pro.key) => app.send('/api/v1/pro/quotes', { key: as, json })

describe('a request for a quote', () => {
  test('gives back what was asked, and tells the pro', async () => {
    const answer = await ask({ budget: '$500', timeline: null, preferredDate: '2026-06-10', photos: null })
    expect(answer.status).toBe(201)
    const { rfq } = (await answer.json()) as { rfq: { id: string } }
    expect(rfq).toMatchObject({
      status: 'new',
      budget: '$500',
      timeline: null,
      preferredDate: '2026-06-10',
      customer: HOMEOWNER,
      professional: { id: pro.professionalId, slug: pro.slug },
      service: { id: pro.serviceId },
    })
    const events = await eventsOf(app.deps, rfq.id)
    expect(events).toEqual([{ type: 'rfq.created', sequence: 1, data: { object: rfq } }])
  })

  test('needs a pro who is there, and a service if it names one', async () => {
    expect(await bodyOf(await ask({ professionalId: randomUUID() }))).toMatchObject({ code: 'professional_not_found' })
    expect(await bodyOf(await ask({ serviceId: randomUUID() }))).toMatchObject({ code: 'service_not_found' })
    expect((await ask({ serviceId: null })).status).toBe(201)
  })

  test('takes photos from the web only', async () => {
    for (const photo of ['javascript:alert(1)', 'data:text/html,x', 'no address'])
      expect((await ask({ photos: [photo] })).status).toBe(400)
  })

  test('is made once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = (json: object) => app.send('/api/v1/rfqs', { key, headers, json })
    const [first, again] = [await send(rfqWish(pro)), await send(rfqWish(pro))]
    expect(again.status).toBe(201)
    expect(await again.text()).toBe(await first.text())
    expect((await send(rfqWish(pro, { description: 'Another one.' }))).status).toBe(422)
  })

  test('is listed by e-mail address, in any case, for the owner of the key that made it', async () => {
    const email = 'Lists@Test.example'
    const ids = [
      await askedId({ customer: { ...HOMEOWNER, email } }),
      await askedId({ customer: { ...HOMEOWNER, email } }),
    ]
    const list = async (as: string, query = '') =>
      (await (await app.send(`/api/v1/rfqs?email=lists@test.EXAMPLE${query}`, { key: as })).json()) as {
        rfqs: { id: string }[]
        meta: object
      }
    const mine = await list(key)
    expect(mine.rfqs.map(({ id }) => id)).toEqual(ids.toReversed())
    expect(mine.meta).toEqual({ total: 2, limit: 20, offset: 0, hasMore: false })
    const second = await list(key, '&limit=1&offset=1')
    expect([second.rfqs[0]?.id, second.meta]).toEqual([ids[0], { total: 2, limit: 1, offset: 1, hasMore: false }])
    expect((await list(key, '&offset=5')).meta).toMatchObject({ total: 2, hasMore: false })
    const strangers = await app.key(['rfqs:write'], 'stranger@test.example')
    expect(await list(strangers)).toMatchObject({ rfqs: [], meta: { total: 0 } })
  })

  test('asked for without an e-mail address is a 400 for everyone, with an address a 401 without a key', async () => {
    for (const path of ['/api/v1/rfqs', '/api/v1/rfqs?email='])
      for (const as of [key, pro.key, undefined]) {
        const answer = await app.send(path, as ? { key: as } : {})
        expect([answer.status, await bodyOf(answer)]).toMatchObject([400, { errors: [{ path: 'query.email' }] }])
      }
    expect((await app.send('/api/v1/rfqs', { key: 'garbage' })).status).toBe(401)
    expect((await app.send('/api/v1/rfqs?email=a@test.example')).status).toBe(401)
  })
})

describe('a lead', () => {
  test('shows the pro everything, and nobody else anything', async () => {
    const id = await askedId({ address: { city: 'Austin', street: null }, photos: ['https://test.example/1.jpg'] })
    const mine = await bodyOf(await app.send(`/api/v1/pro/leads/${id}`, { key: pro.key }))
    expect(mine['rfq']).toMatchObject({
      id,
      customer: { ...HOMEOWNER, phone: null },
      address: { city: 'Austin', street: null },
      photos: ['https://test.example/1.jpg'],
      quotes: [],
    })
    for (const [method, path] of [
      ['GET', `/api/v1/pro/leads/${id}`],
      ['POST', `/api/v1/pro/leads/${id}/archive`],
    ] as const)
      expect(await bodyOf(await app.send(path, { method, key: otherPro.key }))).toMatchObject({ code: 'rfq_not_found' })
    const theirs = await bodyOf(await app.send('/api/v1/pro/leads?limit=50', { key: otherPro.key }))
    expect((theirs['rfqs'] as { id: string }[]).map((rfq) => rfq.id)).not.toContain(id)
  })

  test('is found by its status, newest first', async () => {
    const id = await askedId()
    const statuses = async (status: string) =>
      ((await bodyOf(await app.send(`/api/v1/pro/leads?status=${status}`, { key: pro.key })))['rfqs'] as Body[]).filter(
        (rfq) => rfq['id'] === id,
      )
    expect(await statuses('new')).toHaveLength(1)
    await quote({ rfqId: id, amount: 50 })
    expect(await statuses('responded')).toMatchObject([
      { quotesReceived: 1, latestQuote: { amount: 50, status: 'sent' } },
    ])
    expect((await app.send(`/api/v1/pro/leads/${id}/archive`, { method: 'POST', key: pro.key })).status).toBe(200)
    expect(await statuses('archived')).toHaveLength(1)
    expect((await app.send('/api/v1/pro/leads?status=lost', { key: pro.key })).status).toBe(400)
  })
})

describe('a quote', () => {
  const item = (quantity: number, unitPrice: number, amount = quantity * unitPrice) => ({
    description: 'Work',
    quantity,
    unitPrice,
    amount,
  })

  test.each<[string, Partial<NewQuote>, string | undefined]>([
    ['without line items', {}, undefined],
    ['with none', { lineItems: [] }, undefined],
    ['that adds up', { lineItems: [item(2, 100), item(1, 80.5)] }, undefined],
    [
      'that adds up in binary fractions only nearly',
      { amount: 0.3, lineItems: [item(1, 0.1), item(1, 0.2)] },
      undefined,
    ],
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
    ['with a deposit of any size', { depositRequired: true }, undefined],
    ['with a share of no deposit', { depositPercentage: 10 }, 'body.depositPercentage'],
    [
      'with a share of a deposit that is not asked for',
      { depositRequired: false, depositPercentage: 10 },
      'body.depositPercentage',
    ],
    ['good for no day', { validForDays: 0 }, 'body.validForDays'],
    ['good for longer than a year', { validForDays: 366 }, 'body.validForDays'],
    ['for nothing', { amount: 0 }, 'body.amount'],
  ])('%s', async (_, changes, field) => {
    const rfqId = await askedId()
    const answer = await quote({ rfqId, amount: 280.5, ...changes })
    const body = await bodyOf(answer)
    if (field)
      expect([answer.status, body]).toMatchObject([
        400,
        { errors: expect.arrayContaining([expect.objectContaining({ path: field })]) },
      ])
    else expect([answer.status, body['quote']]).toMatchObject([201, { amount: changes.amount ?? 280.5 }])
  })

  test('is good for 30 days unless it says otherwise, and says what the deposit comes to', async () => {
    const { quote: sent } = (await bodyOf(
      await quote({ rfqId: await askedId(), amount: 99.99, depositRequired: true, depositPercentage: 33.33 }),
    )) as { quote: Body }
    expect(sent).toMatchObject({ validUntil: '2026-07-01T12:00:00.000Z', depositAmount: 33.33, units: 1 })
  })

  test('is for a request made to the pro, once per Idempotency-Key', async () => {
    const rfqId = await askedId()
    expect(await bodyOf(await quote({ rfqId, amount: 1 }, otherPro.key))).toMatchObject({ code: 'rfq_not_found' })
    const headers = { 'idempotency-key': randomUUID() }
    const send = () => app.send('/api/v1/pro/quotes', { key: pro.key, headers, json: { rfqId, amount: 75 } })
    const [first, again] = [await send(), await send()]
    expect(await again.text()).toBe(await first.text())
    expect(await bodyOf(await app.send(`/api/v1/pro/leads/${rfqId}`, { key: pro.key }))).toMatchObject({
      rfq: { quotesReceived: 1 },
    })
  })

  test('is not sent any more once one was accepted', async () => {
    const { rfqId, token } = await sentQuote(app.deps, pro)
    await app.send(`/api/v1/quotes/${token}/accept`, { method: 'POST' })
    expect(await bodyOf(await quote({ rfqId, amount: 1 }))).toMatchObject({
      code: 'invalid_transition',
      state: 'accepted',
    })
  })

  test('that a newer one comes after past its time has expired, with its event', async () => {
    const { rfqId, quoteId } = await sentQuote(app.deps, pro, { validForDays: 1 })
    const later = createApp(laterBy(app.deps, 2 * DAY_MS))
    const answer = await later.handle(
      new Request('http://localhost/api/v1/pro/quotes', {
        method: 'POST',
        headers: { authorization: `Bearer ${pro.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ rfqId, amount: 90 }),
      }),
    )
    expect(answer.status).toBe(201)
    expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.expired'])
  })

  test('is listed and read by its pro alone', async () => {
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

  test('expires in portions, each with one event', async () => {
    const quotes = await Promise.all([1, 2, 3].map(() => sentQuote(app.deps, otherPro, { validForDays: 1 })))
    const later = laterBy(app.deps, 2 * DAY_MS)
    await Promise.all([expireQuotes(later, 2), expireQuotes(later, 2)])
    while ((await expireQuotes(later, 2)) > 0);
    for (const { quoteId } of quotes)
      expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.expired'])
  })
})

describe('how many units a quote covers', () => {
  /** A service with a unit that the pro lists at $20. */
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
          update professional_services set unit = ${unit}, base_price_cents = 2000
          where professional_id = ${otherPro.professionalId} and service_id = ${otherPro.serviceId}`,
      )
      return await tx.run<{ units: number | null }>(
        'quoted_units',
        (sql) => sql`
          select quoted_units(${otherPro.serviceId}, ${otherPro.professionalId},
            ${JSON.stringify(lineItems)}::text::jsonb) as units`,
      )
    })
    return row?.units
  }

  test('is 1 for a flat price, whatever the items', async () => {
    expect(await unitsOf([], null)).toBe(1)
    expect(
      await unitsOf(
        [
          [3, 5],
          [2, 7],
        ],
        null,
      ),
    ).toBe(1)
  })

  test('is the quantity at one unit price, however it is split', async () => {
    expect(await unitsOf([[3.5, 25]])).toBe(3.5)
    expect(
      await unitsOf([
        [3, 25],
        [2, 25],
      ]),
    ).toBe(5)
  })

  test('is unknown with several prices, with none, or with one that cannot be the unit’s', async () => {
    expect(
      await unitsOf([
        [3, 25],
        [1, 40],
      ]),
    ).toBeNull()
    expect(await unitsOf([])).toBeNull()
    expect(await unitsOf([[1, 2000]])).toBeNull()
    expect(await unitsOf([[100, 0.5]])).toBeNull()
  })
})

describe('a customer’s link', () => {
  const page = (path: string, init: RequestInit = {}) =>
    app.app.handle(new Request(`${app.deps.config.baseUrl}${path}`, { redirect: 'manual', ...init }))

  test('comes with the event, and with the answer to the pro', async () => {
    const answer = (await bodyOf(await quote({ rfqId: await askedId(), amount: 5 }))) as {
      quote: { id: string }
      customerUrl: string
    }
    const [event] = await eventsOf(app.deps, answer.quote.id)
    expect(event?.data.object['customerUrl']).toBe(answer.customerUrl)
    const token = answer.customerUrl.split('/').at(-1) ?? ''
    expect(await bodyOf(await app.send(`/api/v1/quotes/${token}`))).toMatchObject({ quote: { id: answer.quote.id } })
  })

  test('marks the quote viewed once, however many look at once', async () => {
    const { quoteId, token } = await sentQuote(app.deps, pro)
    await Promise.all(Array.from({ length: 20 }, () => app.send(`/api/v1/quotes/${token}`)))
    expect((await eventsOf(app.deps, quoteId)).map(({ type }) => type)).toEqual(['quote.sent', 'quote.viewed'])
  })

  test('does not count a browser that loads ahead', async () => {
    const { quoteId, token } = await sentQuote(app.deps, pro)
    expect((await page(`/quotes/${token}`, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(200)
    expect(await eventsOf(app.deps, quoteId)).toHaveLength(1)
  })

  test('forged, cut, of another purpose or too old leads nowhere', async () => {
    const { quoteId, token } = await sentQuote(app.deps, pro, { validForDays: 1 })
    const forged = `${token.slice(0, 30)}${token[30] === 'A' ? 'B' : 'A'}${token.slice(31)}`
    const foreign = app.deps.seal.close('payment', quoteId)
    for (const bad of [forged, token.slice(0, -4), quoteId, foreign, 'x'])
      for (const path of ['', '/accept', '/decline']) {
        const answer = await app.send(`/api/v1/quotes/${bad}${path}`, path ? { json: {} } : {})
        expect([bad, path, await bodyOf(answer)]).toMatchObject([bad, path, { code: 'quote_not_found' }])
      }
    const soon = await viewQuote(laterBy(app.deps, 30 * DAY_MS), token)
    expect(soon.status).toBe('expired')
    expect(viewQuote(laterBy(app.deps, 32 * DAY_MS), token)).rejects.toMatchObject({ code: 'quote_not_found' })
  })

  test('is a page for people, kept by nobody and found by no search engine', async () => {
    const { token } = await sentQuote(app.deps, pro)
    const answer = await page(`/quotes/${token}`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self'")
    const text = await answer.text()
    expect(text).toContain('$480.00')
    expect(text).toContain(`action="/quotes/${token}/accept"`)
    const lost = await page('/quotes/nothing')
    expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  })

  test('answers on the page by form, and says what came of it', async () => {
    for (const [action, said] of [
      ['accept', 'You accepted this quote'],
      ['decline', 'You declined this quote'],
    ] as const) {
      const { token } = await sentQuote(app.deps, pro)
      const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }
      const answer = await page(`/quotes/${token}/${action}`, form)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/quotes/${token}`])
      const after = await (await page(`/quotes/${token}`)).text()
      expect(after).toContain(said)
      expect(after).not.toContain('<form')
      // Sent twice, it leads to the same page.
      expect((await page(`/quotes/${token}/${action}`, form)).status).toBe(303)
    }
  })

  test('answers JSON to who asks for it', async () => {
    const { token } = await sentQuote(app.deps, pro)
    const headers = { accept: 'application/json' }
    expect(await bodyOf(await page(`/quotes/${token}`, { headers }))).toMatchObject({ quote: { status: 'viewed' } })
    const accepted = await page(`/quotes/${token}/accept`, { headers, method: 'POST' })
    expect(await bodyOf(accepted)).toMatchObject({ quote: { status: 'accepted' } })
    const again = await page(`/quotes/${token}/accept`, { headers, method: 'POST' })
    expect([again.status, await bodyOf(again)]).toMatchObject([409, { code: 'invalid_transition' }])
  })

  test('shows what the pro and the customer wrote as text', async () => {
    const rfq = await askedId({ description: '<script>alert(1)</script>' })
    const lineItems = [{ description: '"><img src=x>', quantity: 1, unitPrice: 5, amount: 5 }]
    const sent = (await bodyOf(await quote({ rfqId: rfq, amount: 5, lineItems, paymentTerms: '<b>now</b>' }))) as {
      customerUrl: string
    }
    const text = await (await page(new URL(sent.customerUrl).pathname)).text()
    for (const raw of ['<script', '<img', '<b>']) expect(text).not.toContain(raw)
    expect(text).toContain('&lt;script&gt;')
  })

  test('opens on every server that has the secret, and on no other', async () => {
    const { quoteId } = await sentQuote(app.deps, pro)
    const { openSeal } = await import('../src/platform/seal.ts')
    const elsewhere = { ...app.deps, seal: openSeal('another secret of another installation') }
    const theirs = customerUrl(elsewhere, quoteId, new Date(app.deps.clock.now().getTime() + DAY_MS))
      .split('/')
      .at(-1)
    expect((await app.send(`/api/v1/quotes/${theirs}`)).status).toBe(404)
    expect((await app.send(`/api/v1/quotes/${tokenOf(app.deps, quoteId)}`)).status).toBe(200)
  })
})
