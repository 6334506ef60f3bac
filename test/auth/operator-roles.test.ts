// Operators do what their role allows, and see nothing that leads to more.
import { describe, expect, test } from 'bun:test'

import { AREAS, OPERATOR_ROLES, OPERATOR_ROUTES, type OperatorRole } from '../../src/auth/users/rules/operator-roles.ts'
import { mayOpen, mayPost, rolesFor } from '../../src/auth/users/rules/permissions.ts'
import { giveOperatorRole } from '../../src/auth/users/verbs/operator-roles.ts'
import { createUser, disableUser } from '../../src/auth/users/verbs/users.ts'
import { ctxOf } from '../../src/ctx.ts'
import { accessOf, nameOf, routes } from '../support/app-routes.ts'
import { book, openBookingFixture, pay } from '../support/booking-fixture.ts'
import { opened } from '../support/fixture.ts'
import { PASSWORD, type Visitor, createTestUser, visitorFromNewAddress } from '../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const { app, sql } = fixture

async function operatorOf(operatorRole: OperatorRole) {
  const email = await createTestUser(app, 'operator', { operatorRole })
  const visitor = visitorFromNewAddress(app)
  await visitor.logIn(email)
  return { email, visitor }
}

const operators = new Map<OperatorRole, Visitor>()
for (const role of OPERATOR_ROLES) operators.set(role, (await operatorOf(role)).visitor)
const visitorOf = (role: OperatorRole): Visitor => {
  const visitor = operators.get(role)
  if (!visitor) throw new Error(`No operator has the role ${role}.`)
  return visitor
}

/** The pages that operators use, and the routes that their programs use. */
const PAGES = routes.filter((route) => accessOf(route)?.session?.includes('operator')).map(nameOf)
const PROGRAMS = routes.filter((route) => accessOf(route)?.owner === 'operator').map(nameOf)
const OF_OPERATORS = [...PAGES, ...PROGRAMS]

test('each route of operators has one line in the table of roles, and the table has no others', () => {
  const missing = OF_OPERATORS.filter((route) => !(route in OPERATOR_ROUTES)).map(
    (route) =>
      `Add to OPERATOR_ROUTES in src/auth/users/rules/operator-roles.ts: '${route}': <one of ${Object.keys(AREAS).join(', ')}>,`,
  )
  expect(missing).toEqual([])
  expect(Object.keys(OPERATOR_ROUTES).filter((route) => !OF_OPERATORS.includes(route))).toEqual([])
})

test('a route without a line is refused to all roles', () => {
  for (const operatorRole of OPERATOR_ROLES) {
    expect(mayOpen({ role: 'operator', operatorRole }, '/console/not-in-the-table')).toBe(false)
    expect(mayPost({ role: 'operator', operatorRole }, '/console/reviews')).toBe(false)
  }
})

test('support refunds nothing, moderation and finance cancel nothing, and only administrators change what all see', () => {
  expect(rolesFor('POST /console/bookings/:id/operate')).toEqual(['administrator', 'support'])
  expect(rolesFor('POST /console/payments/:id/refund')).toEqual(['administrator', 'finance'])
  expect(rolesFor('POST /console/verification/:id')).toEqual(['administrator', 'moderation'])
  expect(rolesFor('POST /console/reviews/:id/approve')).toEqual(['administrator', 'moderation'])
  expect(rolesFor('POST /console/verification/:id/plan')).toEqual(['administrator', 'finance'])
  for (const route of Object.keys(OPERATOR_ROUTES).filter((it) =>
    /\/console\/(users|marketplace|catalog|area)/.test(it),
  ))
    expect([route, rolesFor(route)]).toEqual([route, ['administrator']])
})

const NO_ID = '01890000-0000-7000-8000-000000000000'
const addressOf = (route: string) =>
  (route.split(' ')[1] ?? '')
    .replace('texts/:kind', 'texts/terms')
    .replace(':kind', 'booking-confirmed')
    .replace('/mail/:id', '/mail/4711')
    .replace(/:\w+/g, NO_ID)

describe.each(PAGES.filter((route) => !route.endsWith('/logout')))('%s', (route) => {
  test.each([...OPERATOR_ROLES])('is open to the role %s as the table says', async (role) => {
    const visitor = visitorOf(role)
    const path = addressOf(route)
    const { status, text } = route.startsWith('GET') ? await visitor.get(path) : await visitor.post(path)
    const isAllowed = rolesFor(route).includes(role)
    expect([route, role, status === 403]).toEqual([route, role, !isAllowed])
    if (isAllowed) return
    expect(text).toContain(`Your role is ${role}.`)
    for (const allowed of rolesFor(route)) expect(text).toContain(allowed)
  })
})

/** A page of each kind, with all that a page may have. */
async function pagesWithContent(): Promise<string[]> {
  const pro = await fixture.pro()
  const { booking, payment } = await book(fixture, pro, 0)
  await pay(fixture, payment?.clientSecret ?? '')
  await visitorOf('support').post(`/console/bookings/${booking.id}/operate`, { action: 'note', reason: 'They called.' })
  const [paid] = await sql<{ id: string }[]>`select id from payments where booking_id = ${booking.id}`
  const [message] = await sql<
    { id: string }[]
  >`select id::text as id from messages where booking_id = ${booking.id} limit 1`
  const code = encodeURIComponent(booking.confirmationCode)
  return [
    `/console/bookings/${booking.id}`,
    `/console/payments/${paid?.id ?? ''}`,
    `/console/mail/${message?.id ?? ''}`,
    `/console/verification/${pro.id}`,
    `/console/search?q=${code}`,
    `/console/search?q=${encodeURIComponent('users.test.example')}`,
    `/console/credits?pro=${pro.id}`,
    '/console/reviews?status=all',
  ]
}

const addressesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((it) => /^\/(console|ops)/.test(it))

test('no page shows a role a link, a form or a button that it may not use', async () => {
  const plain = PAGES.filter((route) => route.startsWith('GET') && !/[:*]/.test(route))
  const pages = [...plain.map(addressOf), ...(await pagesWithContent())]
  for (const operatorRole of OPERATOR_ROLES) {
    const user = { role: 'operator', operatorRole } as const
    let seen = 0
    // The page of components has samples of forms that send nothing.
    for (const path of pages.filter((it) => mayOpen(user, it) && it !== '/console/design')) {
      const { status, text } = await visitorOf(operatorRole).get(path)
      if (status === 303) continue
      expect([path, status]).toEqual([path, 200])
      const links = addressesIn(text, / href="([^"]+)"/g).filter((href) => !mayOpen(user, href))
      const forms = addressesIn(text, /<form method="post"[^>]* action="([^"]+)"/g)
      expect([operatorRole, path, links, forms.filter((action) => !mayPost(user, action))]).toEqual([
        operatorRole,
        path,
        [],
        [],
      ])
      seen += forms.length
    }
    expect(seen).toBeGreaterThan(pages.length / 4)
  }
})

test('a role that was changed counts at the next request of each session, and is in the log of the user', async () => {
  const { email, visitor } = await operatorOf('support')
  const elsewhere = visitorFromNewAddress(app)
  await elsewhere.logIn(email)
  const [user] = await sql<{ id: string }[]>`select id from users where email = ${email}`
  const page = `/console/users/${user?.id ?? ''}`
  const administrator = visitorOf('administrator')
  expect((await administrator.post(`${page}/role`, { operatorRole: 'finance' })).status).toBe(303)
  for (const session of [visitor, elsewhere]) {
    expect((await session.get('/console/plans')).status).toBe(200)
    expect((await session.post(`/console/bookings/${NO_ID}/operate`)).status).toBe(403)
  }
  expect((await administrator.get(page)).text).toContain('Role given: finance')
  const changes = await sql<{ role: string; isByOperator: boolean }[]>`
    select operator_role as role, by_user_id is not null as is_by_operator from user_changes
    where user_id = ${user?.id ?? ''} and action = 'role_given'`
  expect(changes.map((row) => ({ ...row }))).toEqual([{ role: 'finance', isByOperator: true }])
})

test('only an administrator gives roles, to operators only, and not to themselves', async () => {
  const { email, visitor } = await operatorOf('administrator')
  const developer = await createTestUser(app, 'developer')
  const idOf = async (of: string) =>
    (await sql<{ id: string }[]>`select id from users where email = ${of}`)[0]?.id ?? ''
  const give = (by: Visitor, id: string) => by.post(`/console/users/${id}/role`, { operatorRole: 'support' })
  expect((await give(visitorOf('support'), await idOf(email))).status).toBe(403)
  for (const of of [email, developer]) await give(visitor, await idOf(of))
  const roles = await sql<{ role: string; operatorRole: string }[]>`
    select role, operator_role from users where email in (${email}, ${developer}) order by role`
  expect(roles.map((row) => ({ ...row }))).toEqual([
    { role: 'developer', operatorRole: 'administrator' },
    { role: 'operator', operatorRole: 'administrator' },
  ])
})

test('an invitation of an operator names the role', async () => {
  const administrator = visitorOf('administrator')
  const email = `invited-${crypto.randomUUID()}@users.test.example`
  const without = await administrator.post('/console/users', { email, role: 'operator' })
  expect([without.status, without.text.includes(email)]).toEqual([400, true])
  expect(
    (await administrator.post('/console/users', { email, role: 'operator', operatorRole: 'moderation' })).status,
  ).toBe(303)
  const [user] = await sql<{ operatorRole: string }[]>`select operator_role from users where email = ${email}`
  expect(user?.operatorRole).toBe('moderation')
})

test('of administrators who end one another’s rights at the same moment, one remains', async () => {
  const ctx = ctxOf(app.deps)
  await sql`update users set operator_role = 'support' where role = 'operator'`
  const emails = await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const email = `last-${n}-${crypto.randomUUID()}@users.test.example`
      await createUser(ctx, { email, role: 'operator', password: PASSWORD })
      return email
    }),
  )
  const outcomes = await Promise.allSettled(
    emails.map((email, n) =>
      n % 2 === 0 ? disableUser(ctx, { email }) : giveOperatorRole(ctx, { email, operatorRole: 'support' }),
    ),
  )
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: 'last_operator' } }])
  const [left] = await sql<{ n: number }[]>`
    select count(*)::int as n from users where role = 'operator' and operator_role = 'administrator' and disabled_at is null`
  expect(left?.n).toBe(1)
})
