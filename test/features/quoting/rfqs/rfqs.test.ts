// Requests for quotes: created once, listed for the account that created them, and visible to their pro only.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import { openTestApp } from '../../../support/app.ts'
import { SEEDED_AT } from '../../../support/database.ts'
import { HOMEOWNER, eventsOf, quotingPro, newRfqInput } from '../../../support/quotes.ts'
import { opened } from '../../../support/fixture.ts'

const app = await opened(openTestApp())
const key = await app.key(['rfqs:write'])
const [pro, otherPro] = await Promise.all([quotingPro(app), quotingPro(app, 1)])

type Body = Record<string, unknown>
const bodyOf = async (response: Response) => (await response.json()) as Body
const ask = (changes: Body = {}, as = key) => app.send('/api/v1/rfqs', { key: as, json: newRfqInput(pro, changes) })
const newRfqId = async (changes: Body = {}) => ((await bodyOf(await ask(changes)))['rfq'] as { id: string }).id
const quote = (json: object, as = pro.key) => app.send('/api/v1/pro/quotes', { key: as, json })

describe('a request for a quote', () => {
  test('is returned as sent and emits rfq.created to the pro', async () => {
    const response = await ask({ budget: '$500', timeline: null, preferredDate: '2026-06-10', photos: null })
    expect(response.status).toBe(201)
    const { rfq } = (await response.json()) as { rfq: { id: string } }
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

  test('is read at its Location with the lines of its quotes, by the account that made it only', async () => {
    const asked = await ask({ budget: '$500' })
    const { rfq } = (await asked.json()) as { rfq: { id: string } }
    const location = asked.headers.get('location') ?? ''
    expect(location).toBe(`/api/v1/rfqs/${rfq.id}`)
    const read = async (as = key) => await app.send(location, { key: as })
    const unanswered = { ...rfq, quotesReceived: 0, latestQuote: null, customerUrl: null, photos: [], quotes: [] }
    expect(await (await read()).json()).toEqual({ rfq: unanswered })
    const lineItems = [{ description: 'Gutter', quantity: 2, unitPrice: 150, amount: 300 }]
    expect((await quote({ rfqId: rfq.id, amount: 300, lineItems })).status).toBe(201)
    const { rfq: answered } = (await (await read()).json()) as { rfq: { customerUrl: string } }
    expect(answered).toMatchObject({
      status: 'responded',
      quotesReceived: 1,
      latestQuote: { amount: 300, status: 'sent' },
      quotes: [{ status: 'sent', amount: 300, lineItems }],
    })
    const listed = await app.send(`/api/v1/rfqs?email=${HOMEOWNER.email}`, { key })
    const { rfqs } = (await listed.json()) as { rfqs: { id: string; customerUrl: string }[] }
    expect(rfqs.find(({ id }) => id === rfq.id)?.customerUrl).toBe(answered.customerUrl)
    for (const stranger of [
      await app.key(['rfqs:write'], 'stranger@test.example'),
      await app.key(['rfqs:write'], pro.email),
    ])
      expect(await bodyOf(await read(stranger))).toMatchObject({ status: 404, code: 'rfq_not_found' })
    // The pro who asks its own business sees the request, but is not shown the customer's link.
    const proKey = await app.key(['rfqs:write'], pro.email)
    const own = await app.send('/api/v1/rfqs', { key: proKey, json: newRfqInput(pro) })
    const ownId = ((await bodyOf(own))['rfq'] as { id: string }).id
    expect((await quote({ rfqId: ownId, amount: 300 })).status).toBe(201)
    expect(await (await app.send(`/api/v1/rfqs/${ownId}`, { key: proKey })).json()).toMatchObject({
      rfq: { quotesReceived: 1, customerUrl: null },
    })
  })

  test('requires an existing pro, and a service of the pro if one is named', async () => {
    expect(await bodyOf(await ask({ professionalId: randomUUID() }))).toMatchObject({ code: 'professional_not_found' })
    expect(await bodyOf(await ask({ serviceId: randomUUID() }))).toMatchObject({ code: 'service_not_found' })
    const [notOffered] = await app.sql<{ id: string }[]>`
      select id from services s where active and not exists (
        select from professional_services where professional_id = ${pro.professionalId} and service_id = s.id) limit 1`
    expect(await bodyOf(await ask({ serviceId: notOffered?.id }))).toMatchObject({
      status: 404,
      code: 'service_not_found',
    })
    expect((await ask({ serviceId: null })).status).toBe(201)
  })

  test('may be for today in the pro’s time zone, but not for a day in the past', async () => {
    const [row] = await app.sql<{ today: string; yesterday: string }[]>`
      select day::date::text as today, (day - interval '1 day')::date::text as yesterday
      from (select ${SEEDED_AT}::timestamptz at time zone time_zone as day
        from professionals where id = ${pro.professionalId}) p`
    expect((await ask({ preferredDate: row?.today })).status).toBe(201)
    expect(await bodyOf(await ask({ preferredDate: row?.yesterday }))).toMatchObject({
      status: 400,
      errors: [{ path: 'body.preferredDate', message: 'must not be in the past' }],
    })
  })

  test('accepts only http and https photos', async () => {
    for (const photo of ['javascript:alert(1)', 'data:text/html,x', 'no address'])
      expect((await ask({ photos: [photo] })).status).toBe(400)
  })

  test('is created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const send = (json: object) => app.send('/api/v1/rfqs', { key, headers, json })
    const [first, replay] = [await send(newRfqInput(pro)), await send(newRfqInput(pro))]
    expect(replay.status).toBe(201)
    expect(await replay.text()).toBe(await first.text())
    expect((await send(newRfqInput(pro, { description: 'Another one.' }))).status).toBe(422)
  })

  test('is listed by e-mail address, ignoring case, for the account that created it', async () => {
    const email = 'Lists@Test.example'
    const ids = [
      await newRfqId({ customer: { ...HOMEOWNER, email } }),
      await newRfqId({ customer: { ...HOMEOWNER, email } }),
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
    const strangerKey = await app.key(['rfqs:write'], 'stranger@test.example')
    expect(await list(strangerKey)).toMatchObject({ rfqs: [], meta: { total: 0 } })
  })

  test('cannot be listed without an e-mail address (400) or without a key (401)', async () => {
    for (const path of ['/api/v1/rfqs', '/api/v1/rfqs?email='])
      for (const as of [key, pro.key, undefined]) {
        const response = await app.send(path, as ? { key: as } : {})
        expect([response.status, await bodyOf(response)]).toMatchObject([400, { errors: [{ path: 'query.email' }] }])
      }
    expect((await app.send('/api/v1/rfqs', { key: 'garbage' })).status).toBe(401)
    expect((await app.send('/api/v1/rfqs?email=a@test.example')).status).toBe(401)
  })
})

describe('a lead', () => {
  test('shows all details to its pro and is a 404 for others', async () => {
    const id = await newRfqId({ address: { city: 'Austin', street: null }, photos: ['https://test.example/1.jpg'] })
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

  test('is listed by status, newest first', async () => {
    const id = await newRfqId()
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
