// An operator resumes an endpoint that failed: it gets what it missed since then, and no other endpoint gets anything.
import { expect, test } from 'bun:test'

import { ctxOf } from '../../../src/ctx.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { resumeEndpoint } from '../../../src/webhooks/endpoints/verbs/failing-endpoints.ts'
import { opened } from '../../support/fixture.ts'
import { findPros } from '../../support/reviews.ts'
import { WEBHOOK_SCOPES, openWebhookFixture } from '../../support/webhooks.ts'

const hooks = await opened(openWebhookFixture())
const { app, clock } = hooks
const { sql } = app
const [pro] = await findPros(app, 1)
if (!pro) throw new Error('The seed has no pro.')
const key = await app.key(WEBHOOK_SCOPES, pro.email)

const emit = () => hooks.emitAndPlan({ type: 'availability.updated', professionalId: pro.id })
const deliveriesTo = async ({ id }: { id: string }) => [
  ...(await sql<{ eventId: string; state: string; nextAt: string | null }[]>`
    select event_id, state, next_attempt_at::text as next_at from webhook_deliveries where endpoint_id = ${id} order by id`),
]

test('an endpoint that is resumed gets what failed since it fails and what waits, and those of others stay as they are', async () => {
  const [resumed, other] = [await hooks.create({ name: 'Resumed' }, key), await hooks.create({ name: 'Other' }, key)]
  const ids = [resumed.id, other.id]
  const haveFailed = (events: number) =>
    waitUntil(async () => {
      const [tried] = await sql<{ n: number }[]>`
        select count(*)::int as n from webhook_deliveries where endpoint_id = any (${ids}) and attempts > 0 and courier_id is null`
      return tried?.n === 2 * events
    }, 10_000)
  hooks.receiver.answer = () => new Response('', { status: 500 })
  const first = await emit()
  expect(await haveFailed(1)).toBe(true)
  const end = (endpoint: string, event: string, at: Date) => sql`
    update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = ${at.toISOString()}
    where endpoint_id = ${endpoint} and event_id = ${event}`
  // What was given up before the present failures began stays given up.
  await end(resumed.id, first, new Date(clock.now().getTime() - 3_600_000))
  await end(other.id, first, clock.now())
  const second = await emit()
  expect(await haveFailed(2)).toBe(true)
  await end(resumed.id, second, clock.now())
  const third = await emit()
  expect(await haveFailed(3)).toBe(true)
  const before = await deliveriesTo(other)
  hooks.receiver.answer = () => new Response('ok')
  expect(await resumeEndpoint(ctxOf(app.deps), { id: resumed.id, by: null })).toEqual({ again: 2 })
  const states = async () => (await deliveriesTo(resumed)).map(({ eventId, state }) => [eventId, state])
  const all = [
    [first, 'failed'],
    [second, 'delivered'],
    [third, 'delivered'],
  ]
  hooks.dispatcher.notify([resumed.id])
  expect(await waitUntil(async () => Bun.deepEquals(await states(), all), 10_000)).toBe(true)
  expect(await deliveriesTo(other)).toEqual(before)
})
