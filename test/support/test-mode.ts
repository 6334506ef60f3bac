// An account in test mode beside real pros, a real payment provider and a mail server.
import { randomUUID } from 'node:crypto'

import { PRESETS, type Scope } from '../../src/auth/scopes.ts'
import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { createKeyInMode } from '../../src/features/upkeep/test-mode/verbs.ts'
import { type CreatedBooking, bookingBody } from './booking-fixture.ts'
import { FakeStripe } from './fake-stripe.ts'
import { type MessageFixture, openMessageFixture } from './messages.ts'
import { ctxOf } from '../../src/ctx.ts'

export const DEVELOPER = 'developer-in-test-mode@test.example'
const SCOPES: readonly Scope[] = [...PRESETS['full-server'], ...PRESETS['agent-tools'], 'webhooks:manage']

export interface KnownPro {
  id: string
  serviceId: string
}

export interface FoundPros {
  professionals: { id: string; slug: string; matchedService: { id: string } | null }[]
  meta: { total: number }
}

export type TestMode = Awaited<ReturnType<typeof openTestMode>>

export const rfqOf = (pro: KnownPro) => ({
  professionalId: pro.id,
  serviceId: pro.serviceId,
  customer: { name: 'Customer', email: 'customer@test.example' },
  description: 'The tap drips.',
})

export const reviewOf = (pro: KnownPro) => ({
  professionalId: pro.id,
  rating: 5,
  content: 'On time.',
  customer: { name: 'Customer', email: `${randomUUID()}@test.example` },
})

/** `ownLive` is of the developer whose test key is `test`; the real pro and the instant test pro have a review each. */
export async function openTestMode() {
  const stripe = new FakeStripe()
  const world: MessageFixture = await openMessageFixture({
    ...stripe.env,
    MACHINE_PAYMENTS: 'true',
    LOG_LEVEL: 'silent',
  })
  const { app } = world
  const testKey = async (scopes: readonly Scope[] = SCOPES, ownerEmail = DEVELOPER) =>
    (await createKeyInMode(ctxOf(app.deps), { ownerEmail, scopes, name: 'test', mode: 'test', rateMultiplier: 10_000 }))
      .secret
  const real: KnownPro = await world.pro({ deposit: false })
  const keys = {
    live: await app.key(SCOPES),
    ownLive: await app.key(SCOPES, DEVELOPER),
    test: await testKey(),
    otherTest: await testKey(SCOPES, 'another-developer@test.example'),
  }
  const send = async (path: string, key?: string, json?: object) =>
    await app.send(path, { ...(key === undefined ? {} : { key }), ...(json ? { json } : {}) })
  const find = async (key?: string, query = '') =>
    (await (await send(`/api/v1/pros?${query.includes('limit=') ? '' : 'limit=50'}${query}`, key)).json()) as FoundPros

  const { professionals } = await find(keys.test)
  const named = (what: string): KnownPro => {
    const pro = professionals.find(({ slug }) => slug.startsWith(`test-${what}-`))
    if (!pro) throw new Error(`No test pro ${what} is found.`)
    return { id: pro.id, serviceId: real.serviceId }
  }
  const pros = { instant: named('instant'), deposit: named('deposit'), approval: named('approval') }
  const review = async (key: string, pro: KnownPro) =>
    ((await (await send('/api/v1/reviews', key, reviewOf(pro))).json()) as { review: { id: string; status: string } })
      .review
  await approveReview(ctxOf(app.deps), { id: (await review(keys.live, real)).id })
  await review(keys.test, pros.instant)

  let hours = 0
  /** The body of a booking in an hour that no other has. */
  const nextBooking = (pro: KnownPro, changes: object = {}) => {
    const hour = hours++
    return bookingBody({ ...pro, accountId: '' }, 24 * Math.floor(hour / 6) + (hour % 6), changes)
  }
  return {
    world,
    stripe,
    real,
    pros,
    keys,
    testKey,
    send,
    find,
    review,
    nextBooking,
    book: async (pro: KnownPro, key = keys.test, changes: object = {}): Promise<CreatedBooking> => {
      const response = await send('/api/v1/bookings', key, nextBooking(pro, changes))
      if (response.status !== 201) throw new Error(`Not booked: ${await response.text()}`)
      return (await response.json()) as CreatedBooking
    },
    close: async () => {
      await world.close()
      await stripe.close()
    },
  }
}
