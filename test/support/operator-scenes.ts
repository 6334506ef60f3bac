// For each act of operators, how it comes about: a page, the form on it, and what a person would choose there.
import { randomUUID } from 'node:crypto'

import { ctxOf } from '../../src/ctx.ts'
import { closePro } from '../../src/features/business/closing/verbs/close.ts'
import { letProsJoin, sentApplication } from './applications.ts'
import { book } from './booking-fixture.ts'
import { createOperatorWithKey } from './operator-keys.ts'
import { setUpFactor } from './second-factor.ts'
import { checkedImport } from './uploaded-imports.ts'
import { createTestUser, visitorFromNewAddress } from './visitor.ts'

import {
  type SceneMaker,
  AREA,
  CATALOG,
  first,
  review,
  ofReview,
  entryOf,
  ofPro,
  ofPlan,
  ofUser,
  ofPayment,
  ofBooking,
  messageOf,
  ofMessage,
  deliver,
  failingEndpoint,
  ofLetter,
  district,
} from './operator-scene-makers.ts'

const PLATFORM_KEYS = '/console/platform-keys'

/** By route. They are run in this order: a district is added, renamed and removed. */
export const OPERATOR_SCENES: Readonly<Record<string, SceneMaker>> = {
  'POST /console/reviews/bulk': async (open) => ({
    page: '/console/reviews',
    action: '/console/reviews/bulk',
    fields: { decision: 'approve', ids: await review(open) },
  }),
  'POST /console/reviews/:id/approve': async (open) => {
    const id = await review(open)
    return { page: '/console/reviews', action: `/console/reviews/${id}/approve` }
  },
  'POST /console/reviews/:id/reject': ofReview('reject'),
  'POST /console/reviews/:id/remove': ofReview('remove', true),
  'POST /console/customers/:id': async ({ world }) => {
    const { booking } = await book(world, await world.pro())
    return { page: `/console/customers/${booking.id}`, fields: { action: 'note' } }
  },
  'POST /console/reviews/:id/keep': async (open) => {
    const id = await review(open, true)
    await open.world.sql`
      insert into review_reports (id, review_id, professional_id, number, reason, words, created_at)
      select ${randomUUID()}, id, professional_id, 1, 'untrue', 'We were never there.', now() from reviews where id = ${id}`
    return { page: '/console/reviews', action: `/console/reviews/${id}/keep`, fields: { words: 'An opinion.' } }
  },
  'POST /console/applications/:id': async ({ world }) => {
    await letProsJoin(world.app)
    const { id } = await sentApplication(world.app, `scene-${randomUUID()}@test.example`)
    return { page: `/console/applications/${id}`, fields: { action: 'ask', words: 'Which license?' } }
  },
  'POST /console/verification/:id': ofPro('', { licensed: 'on' }),
  'POST /console/verification/:id/refuse': async ({ world }) => {
    const { id } = await world.pro()
    await world.sql`insert into verification_requests (professional_id, asked_at) values (${id}, now())`
    return { page: `/console/verification/${id}`, action: `/console/verification/${id}/refuse` }
  },
  'POST /console/verification/:id/status': ofPro('/status', { action: 'pause' }),
  'POST /console/verification/:id/move': async ({ world }) => {
    const page = `/console/verification/${(await world.pro()).id}/move`
    return { page, fields: { place: 'Austin, TX', radius: '20' } }
  },
  'POST /console/verification/:id/plan': async (open) => {
    const page = `/console/verification/${(await open.world.pro()).id}`
    const { page: planPage } = await ofPlan()(open)
    return { page, action: `${page}/plan`, fields: { plan: planPage.split('/').at(-1) ?? '', until: '' } }
  },
  'POST /console/verification/:id/close': async ({ world }) => {
    const { id } = await world.pro()
    const [pro] = await world.sql<{ name: string }[]>`select business_name as name from professionals where id = ${id}`
    const page = `/console/verification/${id}`
    return { page, action: `${page}/close`, fields: { name: pro?.name ?? '' } }
  },
  'POST /console/verification/:id/book': async ({ world }) => {
    const { id, serviceId } = await world.pro()
    const page = `/console/verification/${id}/book`
    const chosen = new URLSearchParams({ service: serviceId, date: '2026-11-23', time: '09:00' })
    return { page: `${page}?${chosen.toString()}`, action: page }
  },
  'POST /console/verification/:id/reopen': async ({ world }) => {
    const { id } = await world.pro()
    await closePro(ctxOf(world.app.deps), { professionalId: id, by: null, operatorReason: 'They asked.' })
    return { page: `/console/verification/${id}`, action: `/console/verification/${id}/reopen` }
  },
  'POST /console/plans': () => ({ page: '/console/plans' }),
  'POST /console/plans/:id': ofPlan(),
  'POST /console/plans/:id/retire': ofPlan('/retire'),
  'POST /console/plans/:id/offer': ofPlan('/offer', true),
  'POST /console/pros/new': () => ({ page: '/console/pros/new' }),
  'POST /console/pros/import/:id': async ({ world }) => {
    const by = await first(world.sql<{ id: string }[]>`select id from users where role = 'operator' limit 1`)
    const content = 'id,business,email,place\nscene-1,Oak Works,scene-1@import.example,Austin TX\n'
    return { page: `/console/pros/import/${await checkedImport(ctxOf(world.app.deps), { by, content })}` }
  },
  'POST /console/area': () => ({ page: AREA, fields: { place: 'Austin, TX', distance: '30' } }),
  'POST /console/area/districts': () => ({
    page: `${AREA}/districts`,
    fields: { name: 'The Annex', state: 'TX', position: '30.27, -97.74' },
  }),
  'POST /console/area/districts/:id': district,
  'POST /console/area/districts/:id/remove': async (open) => {
    const { page } = await district(open)
    return { page, action: `${page}/remove` }
  },
  'POST /console/catalog/categories/new': () => ({
    page: `${CATALOG}/categories/new`,
    fields: { name: 'Stables', slug: 'stables' },
  }),
  'POST /console/catalog/categories/:id': entryOf('categories'),
  'POST /console/catalog/categories/:id/merge': entryOf('categories', '/merge'),
  'POST /console/catalog/lines': () => ({ page: `${CATALOG}/lines` }),
  'POST /console/catalog/starter': () => ({ page: `${CATALOG}/starter` }),
  'POST /console/catalog/services/new': () => ({
    page: `${CATALOG}/services/new`,
    fields: { name: 'Shoeing', slug: 'shoeing', unit: '' },
  }),
  'POST /console/catalog/services/:id': entryOf('services', '', { unit: '' }),
  'POST /console/catalog/services/:id/merge': entryOf('services', '/merge'),
  'POST /console/payments/:id/refund': ofPayment('refund', false),
  'POST /console/payments/:id/resend': ofPayment('resend', true),
  'POST /console/payments/:id/returned': ofPayment('returned', true),
  'POST /console/mail/:id/send': ofMessage('send'),
  'POST /console/mail/:id/lift': ofMessage('lift'),
  'POST /console/stuck/endpoints/:id': failingEndpoint,
  'POST /console/stuck/letters': async (open) => {
    await ofLetter('')(open)
    await ofLetter('')(open)
    return { page: '/console/stuck', action: '/console/stuck/letters' }
  },
  'POST /console/stuck/letters/:id': ofLetter(''),
  'POST /console/stuck/letters/:id/discard': ofLetter('/discard'),
  'POST /console/users': () => ({
    page: '/console/users',
    fields: {
      email: `scene-${randomUUID()}@users.test.example`,
      role: 'operator',
      operatorRole: 'support',
      pro: '',
      account: '',
    },
  }),
  'POST /console/users/:id/link': ofUser('link'),
  'POST /console/users/:id/log-out': ofUser('log-out'),
  'POST /console/users/:id/role': ofUser('role'),
  'POST /console/users/:id/second-factor': async (open) => {
    const email = await createTestUser(open.world.app, 'operator')
    const visitor = visitorFromNewAddress(open.world.app)
    await visitor.logIn(email)
    await setUpFactor(visitor, open.world.clock.now())
    const id = await first(open.world.sql<{ id: string }[]>`select id from users where email = ${email}`)
    return { page: `/console/users/${id}`, action: `/console/users/${id}/second-factor` }
  },
  'POST /console/users/:id/email': async ({ world }) => {
    const email = await createTestUser(world.app, 'pro', { pro: (await world.pro()).id })
    const id = await first(world.sql<{ id: string }[]>`select id from users where email = ${email}`)
    return { page: `/console/users/${id}/email`, fields: { email: `moved-${email}` } }
  },
  'POST /console/users/:id/disable': ofUser('disable'),
  'POST /console/users/:id/enable': ofUser('enable', true),
  'POST /console/platform-keys': () => ({ page: PLATFORM_KEYS, fields: { expires: '' } }),
  'POST /console/platform-keys/:id/revoke': async ({ world }) => {
    const { key } = await createOperatorWithKey(world.app, { operatorRole: 'support' })
    const id = await first(
      world.sql<{ id: string }[]>`select id from api_keys where last_four = ${key.slice(-4)} order by created_at desc`,
    )
    return { page: PLATFORM_KEYS, action: `${PLATFORM_KEYS}/${id}/revoke` }
  },
  'POST /console/credits': async ({ world }) => {
    const page = `/console/credits?pro=${(await world.pro()).id}`
    return { page, action: '/console/credits' }
  },
  'POST /console/bookings/:id/operate': ofBooking('operate'),
  'POST /console/bookings/:id/messages': ofBooking('messages', (open, id) => messageOf(open, id, 'sent')),
  'POST /console/bookings/:id/deliveries': ofBooking('deliveries', deliver),
  'POST /console/marketplace': () => ({ page: '/console/marketplace', fields: { name: 'Renamed', accent: '#1b5a9e' } }),
  'POST /console/marketplace/opening': () => ({ page: '/console/marketplace', action: '/console/marketplace/opening' }),
  // Not required: the operator of the scenes has none.
  'POST /console/marketplace/second-factor': () => ({
    page: '/console/marketplace',
    action: '/console/marketplace/second-factor',
    fields: { state: 'optional' },
  }),
  'POST /console/marketplace/defaults': () => ({
    page: '/console/marketplace/defaults',
    fields: { holdMinutes: '20' },
  }),
  'POST /console/marketplace/texts/:kind': () => ({
    page: '/console/marketplace/texts/terms',
    fields: { content: '# Terms of the scene', step: 'publish' },
  }),
}
