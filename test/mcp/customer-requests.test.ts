// Requests for quotes and reviews by the tools of customers, and the services that they can ask for.
import { describe, expect, test } from 'bun:test'

import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { sendQuote } from '../../src/features/quoting/quotes/verbs/quotes.ts'
import { CUSTOMER_SERVER, agentKey, callTool } from '../support/agents.ts'
import { type FixturePro, openBookingFixture } from '../support/booking-fixture.ts'
import { customerToken } from '../support/connected-app.ts'
import { bookFor, complete, newAddress } from '../support/customers.ts'
import { opened } from '../support/fixture.ts'
import { ctxOf } from '../../src/ctx.ts'

const world = await opened(openBookingFixture())
const key = await agentKey(world.app)

const call = (name: string, args: object, as = key) => callTool(world.app, CUSTOMER_SERVER, as, name, args)

describe('a request for a quote', () => {
  const ask = (pro: FixturePro, email: string | undefined, as = key) => {
    const customer = { name: 'Homeowner in Austin', ...(email === undefined ? {} : { email }) }
    const input = {
      professionalId: pro.id,
      customer,
      description: 'The gutter leaks.',
      idempotencyKey: crypto.randomUUID(),
    }
    return { input, asked: call('request_quote', input, as) }
  }

  test('is followed to its quotes, which only a person answers', async () => {
    const pro = await world.pro()
    const { input, asked } = ask(pro, 'home@test.example')
    const { rfq, requestUrl } = (await asked).structured as { rfq: { id: string }; requestUrl: string }
    const waiting = await call('get_quote_request', { requestUrl })
    expect([waiting.structured, waiting.texts[1]]).toMatchObject([
      { quotes: [] },
      expect.stringContaining('No quote yet'),
    ])
    await sendQuote(ctxOf(world.app.deps, { accountId: pro.id, professionalId: pro.id }), {
      rfqId: rfq.id,
      amount: 480,
    })
    const { structured, texts } = await call('get_quote_request', { requestUrl })
    const { quotes } = structured as { quotes: { amount: number; status: string; answerUrl: string }[] }
    expect(quotes).toMatchObject([{ amount: 480, status: 'sent' }])
    const answerUrl = quotes[0]?.answerUrl ?? ''
    expect([answerUrl, texts[1]]).toEqual([expect.stringContaining('/quotes/'), expect.stringContaining(answerUrl)])
    const replayed = await call('request_quote', input)
    expect(replayed.structured).toMatchObject({ rfq: { id: rfq.id, status: 'responded' }, requestUrl })
    expect(replayed.texts[1]).toContain('get_quote_request')
  })

  test('is the signed-in customer’s by its id, and another’s is not', async () => {
    const [pro, email] = [await world.pro(), newAddress()]
    const token = await customerToken(world.app, email)
    const { rfq } = (await ask(pro, undefined, token).asked).structured as { rfq: { id: string } }
    const others = (await ask(pro, newAddress()).asked).structured as { rfq: { id: string } }
    expect((await call('get_quote_request', {}, token)).structured).toMatchObject({
      requests: [{ rfqId: rfq.id, status: 'new' }],
      total: 1,
    })
    expect((await call('get_quote_request', { rfqId: rfq.id }, token)).structured).toMatchObject({
      rfq: { id: rfq.id },
    })
    expect((await call('get_quote_request', { rfqId: others.rfq.id }, token)).problem?.code).toBe('rfq_not_found')
    expect((await call('get_quote_request', { rfqId: rfq.id })).problem?.code).toBe('validation_failed')
  })
})

describe('a review', () => {
  const text = { rating: 5, content: 'On time and careful.' }

  test('is sent for a visit that is over, and its replay tells when it is published', async () => {
    const pro = await world.pro({ deposit: false })
    const created = await bookFor(world, newAddress(), pro)
    const { manageUrl } = created
    expect((await call('submit_review', { manageUrl, ...text })).problem?.code).toBe('review_too_early')
    await complete(world, pro, created.booking)
    const input = { manageUrl, ...text, idempotencyKey: crypto.randomUUID() }
    const sent = await call('submit_review', input)
    const { review } = sent.structured as { review: { id: string } }
    expect(sent.structured).toMatchObject({ review: { status: 'pending', rating: 5, professional: { id: pro.id } } })
    await approveReview(ctxOf(world.app.deps), { id: review.id })
    expect((await call('submit_review', input)).structured).toMatchObject({ review: { status: 'approved' } })
    expect((await call('get_reviews', { professionalId: pro.id })).structured).toMatchObject({
      reviews: [{ id: review.id, isVerified: false }],
    })
    expect((await call('submit_review', { manageUrl, ...text })).problem?.code).toBe('duplicate_review')
  })
})

test('list_services names what pros offer in a place, and nothing that is not offered', async () => {
  const pro = await world.pro()
  const { structured } = await call('list_services', { limit: 20 })
  const { services } = structured as { services: { id: string; pros: number }[] }
  expect(services.map(({ id }) => id)).toContain(pro.serviceId)
  expect(services.every(({ pros }) => pros > 0)).toBe(true)
  const nowhere = await call('list_services', { state: 'AK' })
  expect([nowhere.structured, nowhere.texts[1]]).toMatchObject([
    { services: [] },
    expect.stringContaining('another place'),
  ])
})

test('list_packages lists what can be booked, and GET /packages marks what cannot', async () => {
  const pro = await world.pro()
  const json = { serviceId: pro.serviceId, packageKind: 'maintenance', packageName: 'Gutters', packagePrice: 99 }
  expect((await world.app.send('/api/pro/services', { method: 'PATCH', key: pro.key, json })).status).toBe(200)
  const reader = await agentKey(world.app, ['packages:read'])
  const listed = async () => (await call('list_packages', { kind: 'maintenance' }, reader)).structured
  expect(await listed()).toMatchObject({ packages: [{ price: 99 }], meta: { total: 1 } })
  await world.sql`update professional_services set instant_book_enabled = false where professional_id = ${pro.id}`
  expect(await listed()).toMatchObject({ packages: [], meta: { total: 0 } })
  const rest = await world.app.send('/api/v1/packages?kind=maintenance', { key: reader })
  expect(await rest.json()).toMatchObject({ packages: [{ bookable: false }] })
})
