// The life of a job, from quote request to review, as a client with types generated from /openapi.json sees it.
// test/system/scenario.test.ts type-checks and runs this file beside the generated `api.ts`.
import { expect } from 'bun:test'

import createClient from 'openapi-fetch'

import type { components, paths } from './api.ts'

export interface ScenarioInput {
  baseUrl: string
  /** The key of the developer whose software the homeowner uses. */
  serverKey: string
  proKey: string
  /** A pro, and a service of theirs with a fixed price. */
  pro: { id: string; slug: string }
  service: { id: string; slug: string; name: string }
  /** Approves a review as an operator does in the console. */
  approveReview: (id: string) => Promise<unknown>
}

const HOMEOWNER = { name: 'Homeowner in Austin', email: 'homeowner@test.example' }

/** Runs the scenario, from the quote request to the public review and prices. */
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
  const before = await readPublicStats()
  // Twice the usual price: a price far from it does not count.
  const amount = 2 * before.median + 2.5
  const finalAmount = amount + 1

  // A homeowner requests a quote. A retry with the same idempotency key creates no second request.
  const requestQuote = () =>
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
  const { rfq } = dataOf(await requestQuote())
  expect(dataOf(await requestQuote()).rfq).toEqual(rfq)
  expect(rfq).toMatchObject({ status: 'new', professional: pro, customer: HOMEOWNER })

  // The pro finds the request among their leads and sends a quote.
  const leads = dataOf(await business.GET('/api/v1/pro/leads', { params: { query: { status: 'new', limit: 1 } } }))
  expect(leads.rfqs.map(({ id }) => id)).toEqual([rfq.id])
  const { quote: sent } = dataOf(
    await business.POST('/api/v1/pro/quotes', {
      body: {
        rfqId: rfq.id,
        amount,
        lineItems: [
          { description: 'New corner piece', quantity: 1, unitPrice: 2.5, amount: 2.5 },
          { description: service.name, quantity: 2, unitPrice: before.median, amount: 2 * before.median },
        ],
        validForDays: 14,
      },
    }),
  )
  expect(sent).toMatchObject({ status: 'sent', amount })
  expect(await readRfqAsDeveloper()).toMatchObject({
    status: 'responded',
    quotesReceived: 1,
    latestQuote: { amount, status: 'sent' },
  })

  // The homeowner opens the link, which the developer passes on, reads the quote and accepts it.
  const customerUrl = (await readRfqAsDeveloper())?.customerUrl ?? ''
  const page = await fetch(customerUrl, { headers: { accept: 'text/html' } })
  expect(page.headers.get('content-type')).toStartWith('text/html')
  expect(await page.text()).toContain(`${(2 * before.median).toLocaleString('en-US')}`)
  expect(await readRfqAsDeveloper()).toMatchObject({ latestQuote: { status: 'viewed' } })
  const token = new URL(customerUrl).pathname.split('/').at(-1) ?? ''
  const { quote: accepted } = dataOf(
    await anyone.POST('/api/v1/quotes/{token}/accept', { params: { path: { token } } }),
  )
  expect(accepted).toMatchObject({ status: 'accepted', id: sent.id })
  const jobId = accepted.jobId ?? ''

  // The pro does the work. The final price is a little higher.
  const move = (body: components['schemas']['JobMove']) =>
    business.POST('/api/v1/pro/jobs/{id}', { params: { path: { id: jobId } }, body })
  expect(dataOf(await move({ action: 'start' })).job).toMatchObject({ status: 'in_progress', amount })
  expect(dataOf(await move({ action: 'complete', finalAmount })).job).toMatchObject({
    status: 'completed',
    amount: finalAmount,
  })
  expect((await move({ action: 'start' })).error).toMatchObject({ status: 409, code: 'invalid_transition' })

  // The homeowner reviews the work, and an operator approves the review.
  const { review } = dataOf(
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
  expect(await readPublicStats()).toMatchObject({ reviews: before.reviews, latest: before.latest })
  await approveReview(review.id)

  // The public data now has one more review and one more price: the paid one, which replaces the agreed one.
  await eventually(async () => expect((await readPublicStats()).completedProjects).toBe(before.completedProjects + 1))
  expect(await readPublicStats()).toEqual({
    reviews: before.reviews + 1,
    reviewsInSearch: before.reviewsInSearch + 1,
    latest: expect.objectContaining({
      id: review.id,
      rating: 5,
      // The homeowner has not confirmed it yet by the link in the mail.
      isVerified: false,
      project: { id: jobId, title: service.name },
    }),
    acceptedQuotes: before.acceptedQuotes,
    completedProjects: before.completedProjects + 1,
    median: expect.any(Number),
  })

  async function readRfqAsDeveloper() {
    const { rfqs } = dataOf(await developer.GET('/api/v1/rfqs', { params: { query: { email: HOMEOWNER.email } } }))
    return rfqs[0]
  }

  async function readPublicStats() {
    const { stats, reviews } = dataOf(
      await anyone.GET('/api/v1/reviews', { params: { query: { professionalId: pro.id, limit: 1 } } }),
    )
    const profile = dataOf(await anyone.GET('/api/v1/pros/{id}', { params: { path: { id: pro.slug } } }))
    expect(profile.reviews.stats.count).toBe(stats.total)
    const { pricing } = dataOf(await anyone.GET('/api/v1/pricing', { params: { query: { service: service.slug } } }))
    return {
      reviews: stats.total,
      reviewsInSearch: await reviewsInSearch(),
      latest: reviews[0],
      median: pricing?.median ?? 0,
      acceptedQuotes: pricing?.sources.acceptedQuotes ?? 0,
      completedProjects: pricing?.sources.completedProjects ?? 0,
    }
  }

  async function reviewsInSearch() {
    const { location } = dataOf(await anyone.GET('/api/v1/pros/{id}', { params: { path: { id: pro.slug } } }))
    if (!location) throw new Error('The pro has no location.')
    const { city, state } = location
    const { professionals } = dataOf(
      await anyone.GET('/api/v1/pros', { params: { query: { service: service.slug, city, state, limit: 50 } } }),
    )
    const found = professionals.find(({ id }) => id === pro.id)
    if (!found) throw new Error('The search does not find the pro.')
    return found.reviewCount
  }
}

/** Returns the data of a response. Throws with the full error when there is none. */
function dataOf<T>({ data, error, response }: { data?: T; error?: unknown; response: Response }): T {
  if (data === undefined) throw new Error(`${response.url} answers ${response.status}: ${JSON.stringify(error)}`)
  return data
}

/** Retries for up to 5 s. The response caches are fresh within one second. */
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
