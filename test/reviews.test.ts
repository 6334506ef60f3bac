// Reviews over HTTP: what is submitted, who may, what is shown once a moderator has approved it, and in which order.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'

import type { ProReview, ReviewSubmitted } from '../src/features/reviews/model.ts'
import { approveReview, rejectReview } from '../src/features/reviews/service.ts'
import { type TestApp, openTestApp } from './support/app.ts'
import { type SeededPro, eventsOf, findPros, newReview, reviewsOf } from './support/reviews.ts'

let app: TestApp
let key: string
let pro: SeededPro
let other: SeededPro

beforeAll(async () => {
  app = await openTestApp()
  key = await app.key(['reviews:write'])
  const [first, second] = await findPros(app, 2)
  if (!first || !second) throw new Error('The seeded world has no pros.')
  ;[pro, other] = [first, second]
})
afterAll(() => app.close())

const submit = (json: object, headers = {}) => app.send('/api/v1/reviews', { key, json, headers })

async function submitted(changes: object = {}): Promise<ReviewSubmitted['review']> {
  const answer = await submit({ ...newReview(pro.id), ...changes })
  expect(answer.status).toBe(201)
  return ((await answer.json()) as ReviewSubmitted).review
}

const list = (professionalId: string, more = '') => reviewsOf(app, professionalId, more)

const problemOf = async (answer: Response) =>
  ({ status: answer.status, ...((await answer.json()) as object) }) as {
    status: number
    code: string
    errors?: { path: string }[]
  }

/** Completed work of the seeded world that nobody has reviewed: with whom, and of whom. */
async function findWork(kind: 'booking' | 'job', status = 'completed') {
  const [work] = await app.deps.read.run<{ id: string; professionalId: string; email: string }>('findWork', (sql) =>
    kind === 'booking'
      ? sql`
          select b.id, b.professional_id, b.customer_email as email from bookings b
          where b.status = ${status} and not exists (select from reviews r where r.booking_id = b.id) order by b.id limit 1`
      : sql`
          select j.id, j.professional_id, r.customer_email as email
          from jobs j join quotes q on q.id = j.quote_id join rfqs r on r.id = q.rfq_id
          where j.status = ${status} and not exists (select from reviews r where r.job_id = j.id) order by j.id limit 1`,
  )
  if (!work) throw new Error(`The seeded world has no unreviewed ${kind} that is ${status}.`)
  return work
}

describe('a submitted review', () => {
  test('waits for a moderator: it is shown nowhere, and review.submitted tells of it without the address', async () => {
    const before = await list(pro.id)
    const wish = newReview(pro.id, { title: 'Fine work', photos: ['https://photos.test.example/1.jpg'] })
    const answer = await submit(wish)
    expect(await answer.json()).toMatchObject({
      success: true,
      review: { status: 'pending', rating: 5, title: 'Fine work', professional: { id: pro.id, slug: pro.slug } },
    })
    expect(await list(pro.id)).toEqual(before)
    const [event] = await app.deps.read.run<{ type: string; data: unknown }>(
      'lastEvent',
      (sql) => sql`select type, data from outbox_events order by position desc limit 1`,
    )
    expect(event?.type).toBe('review.submitted')
    expect(event?.data).toMatchObject({
      object: { status: 'pending', photos: [{ url: 'https://photos.test.example/1.jpg', caption: null }] },
    })
    expect(JSON.stringify(event?.data)).not.toContain(wish.customer.email)
  })

  test('is shown once approved: in its pro’s reviews, detail and search result, with the figures of all', async () => {
    const [before, { id }] = [await list(pro.id), await submitted({ rating: 1, scores: { quality: 2 } })]
    await approveReview(app.deps, id)
    const after = await list(pro.id)
    expect(after.reviews[0]).toMatchObject({
      id,
      rating: 1,
      author: 'Homeowner in Austin',
      scores: { punctuality: 1, communication: 1, quality: 2, value: 1 },
      isVerified: false,
    })
    expect(after.stats.total).toBe(before.stats.total + 1)
    expect(after.stats.distribution['1']).toBe((before.stats.distribution['1'] ?? 0) + 1)
    const detail = (await (await app.send(`/api/v1/pros/${pro.id}`)).json()) as {
      reviews: { stats: { count: number; average: number; breakdown: object }; recent: { id: string }[] }
    }
    const { total, average, breakdown } = after.stats
    expect(detail.reviews.stats).toEqual({ count: total, average, breakdown })
    expect(detail.reviews.recent[0]?.id).toBe(id)
    const [result] = await app.deps.read.run<{ doc: string }>(
      'searchDoc',
      (sql) => sql`select doc from pro_search where professional_id = ${pro.id}`,
    )
    expect(result?.doc).toContain(`"rating":${average},"reviewCount":${total}`)
  })

  test('that is rejected stays unseen, with the reason for its pro to read', async () => {
    const before = await list(pro.id)
    const { id } = await submitted()
    await rejectReview(app.deps, id, 'It names a person.')
    expect(await list(pro.id)).toEqual(before)
    const own = await app.key(['pro:read'], pro.email)
    const { reviews } = (await (await app.send('/api/v1/pro/reviews?status=rejected', { key: own })).json()) as {
      reviews: ProReview[]
    }
    expect(reviews).toMatchObject([{ id, status: 'rejected', rejectionReason: 'It names a person.' }])
    expect(await eventsOf(app, id)).toEqual(['review.submitted'])
  })

  test('of an unknown pro is a 404; without a rating, with six stars or eleven photos a 400', async () => {
    expect((await submit(newReview(randomUUID()))).status).toBe(404)
    const photos = (n: number) => Array.from({ length: n }, (_, i) => `https://photos.test.example/${i}.jpg`)
    const again = await hearth('approve', good.id)
    expect(again.code).toBe(1)
    expect(again.complained).toBe('hearth: A review that is approved does not take the action approve.\n')
  }, 60_000)
})
