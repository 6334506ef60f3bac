// Photos of requests, reviews and jobs: files that were uploaded for them, seen by those who see the record.
import { describe, expect, test } from 'bun:test'

import { ctxOf } from '../../../../src/ctx.ts'
import { eraseCustomer } from '../../../../src/features/customers/privacy/verbs/erase-customer.ts'
import { exportCustomer } from '../../../../src/features/customers/privacy/verbs/export-customer.ts'
import { removeContent } from '../../../../src/features/files/files/verbs/remove.ts'
import {
  approveReview,
  listReviewsToModerate,
  rejectReview,
} from '../../../../src/features/reviews/reviews/verbs/reviews.ts'
import { openBookingFixture } from '../../../support/booking-fixture.ts'
import { opened } from '../../../support/fixture.ts'
import { ready } from '../../../support/uploads.ts'

const world = await opened(openBookingFixture())
const { app, sql } = world
const ctx = ctxOf(app.deps)
const pro = await world.pro()
const key = await app.key(['rfqs:write', 'reviews:write', 'reviews:read'], 'integrator@test.example')
const stranger = await app.key(['rfqs:write', 'reviews:write'], 'stranger@test.example')
const opens = async (url: string) => (await app.app.handle(new Request(url))).status
const unsigned = (url: string) => url.split('?')[0] ?? ''

let customers = 0
const someone = () => ({ name: 'Ada Homeowner', email: `photos-${customers++}@test.example` })

const ask = async (photos: string[], { by = key, customer = someone() } = {}) => {
  const json = { professionalId: pro.id, serviceId: pro.serviceId, customer, description: 'The gutter leaks.', photos }
  return await app.send('/api/v1/rfqs', { key: by, json })
}
const review = async (photos: string[], { by = key, customer = someone() } = {}) => {
  const json = {
    professionalId: pro.id,
    customer,
    rating: 5,
    title: 'Good',
    content: 'Clean and on time, twice.',
    photos,
  }
  return await app.send('/api/v1/reviews', { key: by, json })
}
const idIn = async (answer: Response, of: 'rfq' | 'review') => {
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as Record<string, { id: string }>)[of]?.id ?? ''
}
const photosOfLead = async (id: string) => {
  const answer = await app.send(`/api/v1/pro/leads/${id}`, { key: pro.key })
  return ((await answer.json()) as { rfq: { photos: string[] } }).rfq.photos
}
const unusedSince = async (id: string) => {
  const [row] = await sql<
    { unusedSince: Date | null }[]
  >`select unused_since as "unusedSince" from files where id = ${id}`
  return row?.unusedSince
}

describe('a photo of a request', () => {
  test('is seen by the pro at an address that ends, beside those of other sites', async () => {
    const file = await ready(app, { key, purpose: 'request' })
    const elsewhere = 'https://photos.test.example/1.jpg'
    const id = await idIn(await ask([elsewhere, file.url]), 'rfq')
    const [first, second = ''] = await photosOfLead(id)
    expect([first, unsigned(second)]).toEqual([elsewhere, unsigned(file.url)])
    expect([await opens(second), await opens(unsigned(second))]).toEqual([200, 404])
    expect(await unusedSince(file.id)).toBeNull()
  })

  test('is stored without a signature', async () => {
    const file = await ready(app, { key, purpose: 'request' })
    const id = await idIn(await ask([file.url]), 'rfq')
    const [row] = await sql<{ photos: string[] }[]>`select photos from rfqs where id = ${id}`
    expect(row?.photos).toEqual([unsigned(file.url)])
  })

  test.each([
    ['of another account', () => ready(app, { key: stranger, purpose: 'request' })],
    ['for another purpose', () => ready(app, { key, purpose: 'review' })],
    ['that was refused', () => ready(app, { key, purpose: 'request', bytes: Buffer.from('no picture') })],
  ])('%s is refused, and no request is made', async (_, fileOf) => {
    const { url } = await fileOf()
    const [before] = await sql`select count(*)::int as rfqs from rfqs`
    expect((await ask([url])).status).toBe(400)
    expect(await sql`select count(*)::int as rfqs from rfqs`).toEqual([before] as never)
  })

  test('is one request’s only', async () => {
    const { url } = await ready(app, { key, purpose: 'request' })
    expect((await ask([url])).status).toBe(201)
    expect((await ask([url])).status).toBe(400)
    expect((await ask([url, url])).status).toBe(400)
  })
})

describe('a photo of a review', () => {
  test('is private until the review is published, and after it is rejected', async () => {
    const file = await ready(app, { key, purpose: 'review' })
    const id = await idIn(await review([file.url]), 'review')
    expect(await opens(unsigned(file.url))).toBe(404)
    const { reviews } = await listReviewsToModerate(ctx, { status: 'pending' } as never)
    const pending = reviews.find((one) => one.id === id)?.photos[0]?.url ?? ''
    expect(await opens(pending)).toBe(200)
    await approveReview(ctx, { id })
    expect(await opens(unsigned(file.url))).toBe(200)
    const listed = await app.send(`/api/v1/reviews?professionalId=${pro.id}`, { key })
    expect(await listed.text()).toContain(unsigned(file.url))
    await sql`update reviews set status = 'rejected', approved_at = null, rejected_at = now(), rejection_reason = 'disowned' where id = ${id}`
    expect(await opens(unsigned(file.url))).toBe(404)
  })

  test('stays private when the review is rejected', async () => {
    const file = await ready(app, { key, purpose: 'review' })
    const id = await idIn(await review([file.url]), 'review')
    await rejectReview(ctx, { id, reason: 'Not about this pro.' })
    expect(await opens(unsigned(file.url))).toBe(404)
  })
})

describe('the customer', () => {
  test('gets the photos in the copy of their data, and they are erased with them', async () => {
    const customer = someone()
    const [asked, reviewed] = [
      await ready(app, { key, purpose: 'request' }),
      await ready(app, { key, purpose: 'review' }),
    ]
    await ask([asked.url], { customer })
    const id = await idIn(await review([reviewed.url], { customer }), 'review')
    await approveReview(ctx, { id })
    const copy = (await Array.fromAsync(exportCustomer(ctx, { email: customer.email }))).join('')
    const { files } = JSON.parse(copy) as { files: { id: string; url: string }[] }
    expect(files.map((file) => file.id).sort()).toEqual([asked.id, reviewed.id].sort())
    for (const { url } of files) expect(await opens(url)).toBe(200)
    expect(await eraseCustomer(ctx, { email: customer.email, requestedBy: 'a test' })).toMatchObject({
      outcome: 'erased',
      counts: { files: 2 },
    })
    while ((await removeContent(ctx, { limit: 10 })) > 0);
    for (const { url } of files) expect(await opens(url)).toBe(404)
    expect(await opens(unsigned(reviewed.url))).toBe(404)
    for (const { url } of files) {
      const part = unsigned(url).split('/').at(-1) ?? ''
      expect(await app.deps.storage.get(`ready/${part}`)).toBeUndefined()
    }
  })
})
