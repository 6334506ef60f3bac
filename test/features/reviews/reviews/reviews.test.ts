// Reviews over HTTP: submission, access, publication after approval, and order.
import { describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'

import type { ProReview, ReviewSubmitted } from '../../../../src/features/reviews/reviews/schemas.ts'
import { approveReview, rejectReview } from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { ROOT } from '../../../support/imports.ts'
import { openTestApp } from '../../../support/app.ts'
import { confirmByMail, eventsOf, findPros, newReview, reviewsOf } from '../../../support/reviews.ts'
import { testRedisUrl } from '../../../support/stores.ts'
import { opened } from '../../../support/fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const app = await opened(openTestApp())
const key = await app.key(['reviews:write'])
const [first, second] = await findPros(app, 2)
if (!first || !second) throw new Error('The seed has no pros.')
const [pro, other] = [first, second]

const submit = (json: object, headers = {}) => app.send('/api/v1/reviews', { key, json, headers })

async function submitted(changes: object = {}): Promise<ReviewSubmitted['review']> {
  const response = await submit({ ...newReview(pro.id), ...changes })
  expect(response.status).toBe(201)
  return ((await response.json()) as ReviewSubmitted).review
}

const list = (professionalId: string, more = '') => reviewsOf(app, professionalId, more)

const problemOf = async (response: Response) =>
  ({ status: response.status, ...((await response.json()) as object) }) as {
    status: number
    code: string
    errors?: { path: string }[]
  }

/** Completed, unreviewed work of the seed, with its pro and customer. */
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
  if (!work) throw new Error(`The seed has no unreviewed ${kind} that is ${status}.`)
  return work
}

describe('a submitted review', () => {
  test('waits for a moderator: it is not shown, and review.submitted omits the e-mail address', async () => {
    const before = await list(pro.id)
    const input = newReview(pro.id, { title: 'Fine work', photos: ['https://photos.test.example/1.jpg'] })
    const response = await submit(input)
    expect(await response.json()).toMatchObject({
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
    expect(JSON.stringify(event?.data)).not.toContain(input.customer.email)
  })

  test('is shown once approved: in its pro’s reviews, profile and search result, with updated statistics', async () => {
    const [before, { id }] = [await list(pro.id), await submitted({ rating: 1, scores: { quality: 2 } })]
    await approveReview(ctxOf(app.deps), { id })
    const after = await list(pro.id)
    expect(after.reviews[0]).toMatchObject({
      id,
      rating: 1,
      author: 'Homeowner A.',
      scores: { punctuality: 1, communication: 1, quality: 2, value: 1 },
      scoresGiven: ['quality'],
      isVerified: false,
    })
    expect(after.stats.total).toBe(before.stats.total + 1)
    expect(after.stats.distribution['1']).toBe((before.stats.distribution['1'] ?? 0) + 1)
    const detail = (await (await app.send(`/api/v1/pros/${pro.id}`)).json()) as {
      reviews: {
        stats: { count: number; average: number; breakdown: object; scored: object }
        recent: { id: string }[]
      }
    }
    const { total, average, breakdown, scored } = after.stats
    expect(detail.reviews.stats).toEqual({ count: total, average, breakdown, scored })
    expect(detail.reviews.recent[0]?.id).toBe(id)
    const [result] = await app.deps.read.run<{ doc: string }>(
      'searchDoc',
      (sql) => sql`select doc from pro_search where professional_id = ${pro.id}`,
    )
    expect(result?.doc).toContain(`"rating":${average},"reviewCount":${total}`)
  })

  test('stays hidden when rejected, and its pro can read the reason', async () => {
    const before = await list(pro.id)
    const { id } = await submitted()
    await rejectReview(ctxOf(app.deps), { id, reason: 'It names a person.' })
    expect(await list(pro.id)).toEqual(before)
    const own = await app.key(['pro:read'], pro.email)
    const { reviews } = (await (await app.send('/api/v1/pro/reviews?status=rejected', { key: own })).json()) as {
      reviews: ProReview[]
    }
    expect(reviews).toMatchObject([{ id, status: 'rejected', rejectionReason: 'It names a person.' }])
    expect(await eventsOf(app, id)).toEqual(['review.submitted'])
  })

  test('is a 404 for an unknown pro, and a 400 without a rating, with six stars or with eleven photos', async () => {
    expect((await submit(newReview(randomUUID()))).status).toBe(404)
    const photos = (n: number) => Array.from({ length: n }, (_, i) => `https://photos.test.example/${i}.jpg`)
    for (const wrong of [{ rating: undefined }, { rating: 6 }, { content: '' }, { photos: photos(11) }])
      expect((await submit({ ...newReview(pro.id), ...wrong })).status).toBe(400)
    expect((await submit({ ...newReview(pro.id), photos: ['javascript:alert(1)'] })).status).toBe(400)
    expect((await submit({ ...newReview(pro.id), photos: photos(10) })).status).toBe(201)
    const nothing = { projectId: null, bookingId: null, title: null, scores: null }
    expect((await submit({ ...newReview(pro.id), ...nothing })).status).toBe(201)
  })

  test('is stored once per Idempotency-Key', async () => {
    const [headers, input] = [{ 'idempotency-key': randomUUID() }, newReview(pro.id)]
    const [first, replay] = [await submit(input, headers), await submit(input, headers)]
    expect([first.status, replay.status]).toEqual([201, 201])
    expect(await replay.text()).toBe(await first.text())
  })
})

describe('a customer', () => {
  test('can review a pro once, ignoring the case of the e-mail address; a second review is a 400 duplicate_review', async () => {
    const customer = { name: 'Homeowner', email: 'Once.Only@customers.test.example' }
    await submitted({ customer })
    for (const email of [customer.email, customer.email.toLowerCase(), customer.email.toUpperCase()])
      expect(await problemOf(await submit(newReview(pro.id, { customer: { ...customer, email } })))).toMatchObject({
        status: 400,
        code: 'duplicate_review',
      })
    expect((await submit(newReview(other.id, { customer }))).status).toBe(201)
  })

  test.each(['booking', 'job'] as const)(
    'can review their completed %s once, as verified after the mail',
    async (kind) => {
      const work = await findWork(kind)
      const customer = { name: 'Homeowner', email: work.email.toUpperCase() }
      const named = kind === 'booking' ? { bookingId: work.id } : { projectId: work.id }
      const { id } = await submitted({ professionalId: work.professionalId, customer, ...named })
      await confirmByMail(app, id)
      await approveReview(ctxOf(app.deps), { id })
      const [shown] = (await list(work.professionalId)).reviews
      expect(shown).toMatchObject({
        id,
        isVerified: true,
        project: kind === 'job' ? { id: work.id, title: expect.any(String) as string } : null,
      })
      const second = await submit(newReview(work.professionalId, { customer, ...named }))
      expect(await problemOf(second)).toMatchObject({ status: 400, code: 'duplicate_review' })
      // A review of the pro in general is separate.
      expect((await submit(newReview(work.professionalId, { customer }))).status).toBe(201)
    },
  )

  test.each(['booking', 'job'] as const)('cannot name a %s of another customer or pro', async (kind) => {
    const work = await findWork(kind)
    const named = kind === 'booking' ? { bookingId: work.id } : { projectId: work.id }
    const [field] = Object.keys(named)
    const stranger = (await findPros(app, 2)).find(({ id }) => id !== work.professionalId)
    const customer = { name: 'Homeowner', email: work.email }
    for (const input of [
      newReview(work.professionalId, named),
      newReview(stranger?.id ?? '', { customer, ...named }),
      newReview(work.professionalId, { customer, [field ?? '']: randomUUID() }),
    ])
      expect(await problemOf(await submit(input))).toMatchObject({ status: 400, errors: [{ path: `body.${field}` }] })
  })

  test('is not shown with an e-mail address that they entered as their name', async () => {
    const email = 'name.is.address@customers.test.example'
    const { id } = await submitted({ customer: { name: email, email } })
    await approveReview(ctxOf(app.deps), { id })
    const page = await list(pro.id, '&limit=50')
    expect(page.reviews.find((review) => review.id === id)?.author).toBe('Customer')
    expect(JSON.stringify(page)).not.toContain('@')
  })
})

describe('a vote', () => {
  const vote = (id: string, helpful: boolean, as = key) =>
    app.send(`/api/v1/reviews/${id}/helpful`, { key: as, json: { helpful } })

  test('counts once per account and can be changed', async () => {
    const { id } = await submitted()
    await approveReview(ctxOf(app.deps), { id })
    const neighbour = await app.key(['reviews:write'], 'neighbour@test.example')
    const counts = async (response: Response) => ((await response.json()) as { helpful: object }).helpful
    expect(await counts(await vote(id, true))).toEqual({ yes: 1, no: 0 })
    expect(await counts(await vote(id, true))).toEqual({ yes: 1, no: 0 })
    expect(await counts(await vote(id, true, neighbour))).toEqual({ yes: 2, no: 0 })
    expect(await counts(await vote(id, false))).toEqual({ yes: 1, no: 1 })
    const shown = (await list(pro.id, '&limit=50')).reviews.find((review) => review.id === id)
    expect(shown?.helpful).toEqual({ yes: 1, no: 1 })
  })

  test('on an unpublished review is a 404', async () => {
    const { id } = await submitted()
    expect((await vote(id, true)).status).toBe(404)
    expect((await vote(randomUUID(), true)).status).toBe(404)
  })
})

describe('the pro', () => {
  test('sees only their own reviews, by state, newest first', async () => {
    const own = await app.key(['pro:read'], other.email)
    const { id } = await submitted({ professionalId: other.id })
    const page = async (query: string) =>
      (await (await app.send(`/api/v1/pro/reviews${query}`, { key: own })).json()) as {
        reviews: ProReview[]
        meta: { total: number; hasMore: boolean }
      }
    const all = await page('?limit=50')
    expect(all.reviews[0]).toMatchObject({ id, status: 'pending' })
    expect(all.reviews.every(({ professional }) => professional.id === other.id)).toBe(true)
    const [pending, approved] = [await page('?status=pending'), await page('?status=approved')]
    expect(pending.meta.total + approved.meta.total).toBe(all.meta.total)
    expect((await page('?limit=1&offset=1')).reviews[0]?.id).toBe(all.reviews[1]?.id ?? '')
    expect(JSON.stringify(all)).not.toContain('@')
  })

  test('can respond to a published review and replace the response', async () => {
    const own = await app.key(['pro:write'], pro.email)
    const { id } = await submitted()
    const respond = (content: string, as = own) =>
      app.send(`/api/v1/pro/reviews/${id}/response`, { key: as, json: { content } })
    expect(await problemOf(await respond('Thank you.'))).toMatchObject({ status: 409, code: 'invalid_transition' })
    await approveReview(ctxOf(app.deps), { id })
    for (const content of ['Thank you.', 'Thank you very much.']) {
      expect((await respond(content)).status).toBe(200)
      const shown = (await list(pro.id, '&limit=50')).reviews.find((review) => review.id === id)
      expect(shown).toMatchObject({ proResponse: { content } })
    }
    const stranger = await app.key(['pro:write'], other.email)
    expect((await respond('Not mine.', stranger)).status).toBe(404)
  })
})

describe('`hearth reviews`', () => {
  const hearth = async (...args: string[]) => {
    const child = Bun.spawn([process.execPath, 'src/cli.ts', 'reviews', ...args], {
      cwd: ROOT,
      env: { ...process.env, DATABASE_URL: app.databaseUrl, REDIS_URL: testRedisUrl },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [code, said, complained] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
    return { code, said, complained }
  }

  test('lists pending reviews, approves and rejects them, and explains a refusal', async () => {
    const [good, bad] = [await submitted(), await submitted()]
    expect((await hearth('list')).said).toContain(good.id)
    expect(await hearth('approve', good.id)).toMatchObject({ code: 0, complained: '' })
    expect(await hearth('reject', bad.id, '--reason', 'It names a person.')).toMatchObject({ code: 0, complained: '' })
    const rejected = JSON.parse((await hearth('list', '--status', 'rejected', '--json')).said) as ProReview[]
    expect(rejected.find(({ id }) => id === bad.id)?.rejectionReason).toBe('It names a person.')
    const repeated = await hearth('approve', good.id)
    expect(repeated.code).toBe(1)
    expect(repeated.complained).toBe('hearth: A review that is approved does not allow the action approve.\n')
  }, 60_000)
})
