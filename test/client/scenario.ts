// The whole life of a job, in a TypeScript client that is generated from /openapi.json.
// test/system/scenario.test.ts checks and runs it beside the generated `api.ts`, from which its types come.
import { expect } from 'bun:test'

import createClient from 'openapi-fetch'

import type { components, paths } from './api.ts'

export interface ScenarioInput {
  baseUrl: string
  /** The key of the developer through whose software the homeowner asks. */
  serverKey: string
  proKey: string
  /** A pro, and a service that they price as a whole. */
  pro: { id: string; slug: string }
  service: { id: string; slug: string; name: string }
  /** What an operator does in the console. */
  approveReview: (id: string) => Promise<unknown>
}

const HOMEOWNER = { name: 'Homeowner in Austin', email: 'homeowner@test.example' }

/** From a request for a quote to what everybody can read about the work. */
export async function runScenario({
  baseUrl,
  serverKey,
  proKey,
  pro,
  service,
  approveReview,
}: ScenarioInput): Promise<void> {
  const client = (key?: string) =>
    createClient<paths>({ baseUrl, ...(key ? { headers: { authorization: `Bearer ${key}` } } : {}) })
  const [developer, business, anyone] = [client(serverKey), client(proKey), client()]
  const before = await whatEverybodyReads()

  // A homeowner asks for a quote. Asking again, because the answer got lost, asks nothing new.
  const ask = () =>
    developer.POST('/api/v1/rfqs', {
      params: { header: { 'Idempotency-Key': 'the-gutter' } },
      body: {
        professionalId: pro.id,
        serviceId: service.id,
        customer: HOMEOWNER,
        description: 'The gutter leaks at the corner.',
        timeline: 'This week',
        source: 'api',
      },
    })
  const { rfq } = good(await ask())
  expect(good(await ask()).rfq).toEqual(rfq)
  expect(rfq).toMatchObject({ status: 'new', professional: pro, customer: HOMEOWNER })

  // The pro finds it among their leads and sends a quote.
  const leads = good(await business.GET('/api/v1/pro/leads', { params: { query: { status: 'new', limit: 1 } } }))
  expect(leads.rfqs.map(({ id }) => id)).toEqual([rfq.id])
  const { quote: sent, customerUrl } = good(
    await business.POST('/api/v1/pro/quotes', {
      body: {
        rfqId: rfq.id,
        amount: 480.5,
        lineItems: [
          { description: 'New corner piece', quantity: 1, unitPrice: 80.5, amount: 80.5 },
          { description: 'Labor, by the hour', quantity: 4, unitPrice: 100, amount: 400 },
        ],
        validForDays: 14,
      },
    }),
  )
  expect(sent).toMatchObject({ status: 'sent', amount: 480.5 })
  expect(await asTheDeveloperSees()).toMatchObject({
    status: 'responded',
    quotesReceived: 1,
    latestQuote: { amount: 480.5, status: 'sent' },
  })

  // The homeowner opens the link they were given, reads, and accepts.
  const page = await fetch(customerUrl, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toStartWith('text/html')
  expect(await page.text()).toContain('$480.50')
  expect(await asTheDeveloperSees()).toMatchObject({ latestQuote: { status: 'viewed' } })
  const token = new URL(customerUrl).pathname.split('/').at(-1) ?? ''
  const { quote: accepted } = good(await anyone.POST('/api/v1/quotes/{token}/accept', { params: { path: { token } } }))
  expect(accepted).toMatchObject({ status: 'accepted', id: sent.id })
  const jobId = accepted.jobId ?? ''

  // The pro does the work. It costs a little more in the end.
  const move = (body: components['schemas']['JobMove']) =>
    business.POST('/api/v1/pro/jobs/{id}', { params: { path: { id: jobId } }, body })
  expect(good(await move({ action: 'start' })).job).toMatchObject({ status: 'in_progress', amount: 480.5 })
  expect(good(await move({ action: 'complete', finalAmount: 520 })).job).toMatchObject({
    status: 'completed',
    amount: 520,
  })
  expect((await move({ action: 'start' })).error).toMatchObject({ status: 409, code: 'invalid_transition' })

  // The homeowner reviews it, and an operator lets the review through.
  const { review } = good(
    await developer.POST('/api/v1/reviews', {
      body: {
        professionalId: pro.id,
        projectId: jobId,
        rating: 5,
        title: 'Dry again',
        content: 'Came when they said, and it holds.',
        customer: HOMEOWNER,
      },
    }),
  )
  expect(review.status).toBe('pending')
  expect(await whatEverybodyReads()).toMatchObject({ reviews: before.reviews, latest: before.latest })
  await approveReview(review.id)

  // Everybody reads what came of it: one review more, and two prices, what was agreed and what was paid.
  await eventually(async () => expect((await whatEverybodyReads()).prices).toBe(before.prices + 2))
  expect(await whatEverybodyReads()).toEqual({
    reviews: before.reviews + 1,
    reviewsInSearch: before.reviewsInSearch + 1,
    latest: expect.objectContaining({
      id: review.id,
      rating: 5,
      isVerified: true,
      project: { id: jobId, title: service.name },
    }),
    acceptedQuotes: before.acceptedQuotes + 1,
    completedProjects: before.completedProjects + 1,
    prices: before.prices + 2,
  })

  async function asTheDeveloperSees() {
    const { rfqs } = good(await developer.GET('/api/v1/rfqs', { params: { query: { email: HOMEOWNER.email } } }))
    return rfqs[0]
  }

  async function whatEverybodyReads() {
    const { stats, reviews } = good(
      await anyone.GET('/api/v1/reviews', { params: { query: { professionalId: pro.id, limit: 1 } } }),
    )
    const profile = good(await anyone.GET('/api/v1/pros/{id}', { params: { path: { id: pro.slug } } }))
    expect(profile.reviews.stats.count).toBe(stats.total)
    const { pricing } = good(await anyone.GET('/api/v1/pricing', { params: { query: { service: service.slug } } }))
    return {
      reviews: stats.total,
      reviewsInSearch: await reviewsInSearch(),
      latest: reviews[0],
      prices: pricing?.sampleSize ?? 0,
      acceptedQuotes: pricing?.sources.acceptedQuotes ?? 0,
      completedProjects: pricing?.sources.completedProjects ?? 0,
    }
  }

  async function reviewsInSearch() {
    const { location } = good(await anyone.GET('/api/v1/pros/{id}', { params: { path: { id: pro.slug } } }))
    if (!location) throw new Error('The pro is somewhere.')
    const { city, state } = location
    const { professionals } = good(
      await anyone.GET('/api/v1/pros', { params: { query: { service: service.slug, city, state, limit: 50 } } }),
    )
    const found = professionals.find(({ id }) => id === pro.id)
    if (!found) throw new Error('The search does not find the pro.')
    return found.reviewCount
  }
}

/** What was asked for; an error is told in full. */
function good<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} answers ${response.status}: ${JSON.stringify(error)}`)
  return data
}

/** Tries again for a few seconds: what is kept ready is fresh within one. */
async function eventually(check: () => Promise<void>): Promise<void> {
  for (const end = Date.now() + 5000; ;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > end) throw error
      await Bun.sleep(20)
    }
  }
}
