// What the acts of operators need: rows, and the page with the form.
import { randomUUID } from 'node:crypto'

import { createUser } from '../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../src/ctx.ts'
import { addPlan, retirePlan } from '../../src/features/business/plans/verbs.ts'
import { approveReview } from '../../src/features/reviews/reviews/verbs/reviews.ts'
import { recordDeadLetter } from '../../src/features/upkeep/dead-letters/verbs.ts'
import { createWebhook } from '../../src/webhooks/endpoints/verbs/endpoints.ts'
import { book } from './booking-fixture.ts'
import type { RefundFixture } from './refund-fixture.ts'
import { PASSWORD, visitorFromNewAddress } from './visitor.ts'

export interface Scene {
  /** The page with the form. */
  page: string
  /** Where the form is sent to, if not to the page itself. */
  action?: string
  /** What is typed and chosen; the rest stays as the page filled it in, and empty fields get a plain answer. */
  fields?: Record<string, string | string[]>
}

/** Makes what the act needs, in a database with the catalog and no other pros. */
export type SceneMaker = (open: RefundFixture) => Promise<Scene> | Scene

export const AREA = '/console/area'
export const CATALOG = '/console/catalog'

export const first = async (rows: PromiseLike<{ id: string }[]>): Promise<string> => {
  const [row] = await rows
  if (!row) throw new Error('The scene lacks a row.')
  return row.id
}

export async function review({ world }: RefundFixture, isPublished = false): Promise<string> {
  const [pro, id] = [await world.pro(), randomUUID()]
  await world.sql`
    insert into reviews (id, professional_id, status, rating, content, customer_name, customer_email, created_at, proven_at)
    values (${id}, ${pro.id}, 'pending', 5, 'Came on time.', 'Homeowner', ${`${id}@scenes.test.example`}, now(), now())`
  if (isPublished) await approveReview(ctxOf(world.app.deps), { id, by: null })
  return id
}

export const ofReview =
  (act: string, isPublished = false): SceneMaker =>
  async (open) => {
    const id = await review(open, isPublished)
    return {
      page: '/console/reviews?status=all',
      action: `/console/reviews/${id}/${act}`,
      fields: { reason: 'About another business.' },
    }
  }

export const entryOf =
  (table: 'categories' | 'services', act = '', more: Record<string, string> = {}): SceneMaker =>
  async ({ world }) => {
    const id = await first(world.sql<{ id: string }[]>`select id from ${world.sql(table)} order by ordinal limit 1`)
    const page = `${CATALOG}/${table}/${id}`
    return { page: `${page}${act}`, fields: { name: `Renamed ${randomUUID()}`, ...more } }
  }

export const ofPro =
  (act = '', fields: Record<string, string> = {}): SceneMaker =>
  async ({ world }) => {
    const page = `/console/verification/${(await world.pro()).id}`
    return { page, action: `${page}${act}`, fields }
  }

export const ofPlan =
  (act = '', isRetired = false): SceneMaker =>
  async ({ world }) => {
    const ctx = ctxOf(world.app.deps)
    const name = `Scene ${randomUUID().slice(0, 8)}`
    const { id } = await addPlan(ctx, { name, priceCents: 100, tasks: 1, hasAgentServer: false, by: null })
    if (isRetired) await retirePlan(ctx, { id, by: null })
    return { page: `/console/plans/${id}`, action: `/console/plans/${id}${act}`, fields: { name: 'Renamed' } }
  }

export const ofUser =
  (act: string, isDisabled = false): SceneMaker =>
  async ({ world }) => {
    const email = `scene-${randomUUID()}@users.test.example`
    await createUser(ctxOf(world.app.deps), { email, role: 'operator', password: PASSWORD })
    const id = await first(world.sql<{ id: string }[]>`
      update users set disabled_at = ${isDisabled ? new Date().toISOString() : null} where email = ${email} returning id`)
    if (act === 'log-out') await visitorFromNewAddress(world.app).logIn(email)
    return { page: `/console/users/${id}`, action: `/console/users/${id}/${act}`, fields: { operatorRole: 'finance' } }
  }

export const ofPayment =
  (act: string, isReturnedByTheBank: boolean): SceneMaker =>
  async (open) => {
    const paid = await open.paidBooking()
    if (isReturnedByTheBank) {
      open.stripe.refundStatus = 'failed'
      await paid.refund(100)
      open.stripe.refundStatus = 'succeeded'
    }
    const page = `/console/payments/${paid.paymentId}`
    return { page, action: `${page}/${act}`, fields: { amount: '1' } }
  }

export const ofBooking =
  (act: string, prepare?: (open: RefundFixture, id: string) => Promise<unknown>): SceneMaker =>
  async (open) => {
    const { booking } = await book(open.world, await open.world.pro())
    await prepare?.(open, booking.id)
    const page = `/console/bookings/${booking.id}`
    return { page, action: `${page}/${act}` }
  }

/** A message about a booking, which its server refused for good if it was not sent. */
export const messageOf = ({ world }: RefundFixture, bookingId: string, status: 'sent' | 'failed') =>
  first(world.sql<{ id: string }[]>`
    insert into messages (key, kind, recipient, data, booking_id, professional_id, status, outcome, send_at, created_at, finished_at)
    select 'scene:' || b.id, 'booking-confirmed', b.customer_email, '{}', b.id, b.professional_id, ${status}, 'No such user',
      b.created_at, b.created_at, b.created_at
    from bookings b where b.id = ${bookingId} returning id::text as id`)

export const ofMessage =
  (act: string): SceneMaker =>
  async (open) => {
    const { booking } = await book(open.world, await open.world.pro())
    const id = await messageOf(open, booking.id, 'failed')
    await open.world.sql`
      insert into message_suppressions (email, reason, created_at) select recipient, 'bounced', now() from messages where id = ${id}
      on conflict do nothing`
    return { page: `/console/mail/${id}`, action: `/console/mail/${id}/${act}` }
  }

/** An event of the booking that was delivered to an endpoint. */
export async function deliver({ world }: RefundFixture, bookingId: string): Promise<void> {
  const { deps } = world.app
  const [account] = await world.sql<{ accountId: string }[]>`select account_id from bookings where id = ${bookingId}`
  const hook = { name: 'Scene', url: 'https://hooks.test.example/scene', events: ['booking.created' as const] }
  const { id: endpointId } = await createWebhook(ctxOf(deps, { accountId: account?.accountId ?? '' }), hook)
  await world.sql`
    with event as (
      insert into webhook_events (id, type, aggregate_id, body, created_at)
      values (${randomUUID()}, 'booking.created', ${bookingId}, '{}', now()) returning id)
    insert into webhook_deliveries (endpoint_id, event_id, state, finished_at, created_at)
    select ${endpointId}, id, 'delivered', now(), now() from event`
}

/** An endpoint that fails, and no delivery of it. */
export const failingEndpoint: SceneMaker = async ({ world }) => {
  const { deps } = world.app
  const [account] = await world.sql<{ id: string }[]>`
    select account_id as id from professionals where id = ${(await world.pro()).id}`
  const hook = { name: 'Failing', url: 'https://hooks.test.example/failing', events: ['booking.created' as const] }
  const { id } = await createWebhook(ctxOf(deps, { accountId: account?.id ?? '' }), hook)
  await world.sql`update webhook_endpoints set failing_since = now() where id = ${id}`
  return { page: '/console/stuck', action: `/console/stuck/endpoints/${id}` }
}

export const ofLetter =
  (act: '' | '/discard'): SceneMaker =>
  async ({ world }) => {
    const failed = { actor: 'decode-files', messageId: randomUUID(), data: {}, traceparent: null, attempts: 3 }
    await recordDeadLetter(ctxOf(world.app.deps), { ...failed, error: new Error('It does not answer.') })
    const id = await first(
      world.sql<{ id: string }[]>`select id from dead_letters where message_id = ${failed.messageId}`,
    )
    const action = `/console/stuck/letters/${id}${act}`
    return { page: act === '' ? '/console/stuck' : action, action }
  }

export const district: SceneMaker = async ({ world }) => {
  const id = await first(world.sql<{ id: string }[]>`select id::text as id from districts where not is_removed limit 1`)
  return { page: `${AREA}/districts/${id}`, fields: { name: 'The Other Annex' } }
}
