// The second factor that a marketplace requires of its operators: they set it up before they do anything else.
import { expect, test } from 'bun:test'

import { OPERATOR_ROUTES } from '../../src/auth/users/rules/operator-roles.ts'
import { mayUseWithoutFactor } from '../../src/auth/users/rules/permissions.ts'
import { ctxOf } from '../../src/ctx.ts'
import { getMarketplace, updateMarketplace } from '../../src/features/upkeep/marketplace/verbs.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../support/app.ts'
import { opened } from '../support/fixture.ts'
import { FACTOR_PATH, setUpFactor } from '../support/second-factor.ts'
import { createTestUser, loggedInVisitor, visitorFromNewAddress } from '../support/visitor.ts'

const app = await opened(openTestApp())
const ctx = ctxOf(app.deps)

async function require(operatorsNeedFactor: boolean): Promise<void> {
  const { version } = await getMarketplace(ctx)
  await updateMarketplace(ctx, { operatorsNeedFactor, version, by: null })
  const isKnown = async () => (await getMarketplace(ctx)).operatorsNeedFactor === operatorsNeedFactor
  expect(await waitUntil(isKnown, 10_000)).toBe(true)
}

const NO_ID = '01890000-0000-7000-8000-000000000000'
const addressOf = (route: string) =>
  (route.split(' ')[1] ?? '').replace('texts/:kind', 'texts/terms').replace(/:\w+/g, NO_ID).replace('*', 'x')

test('operators without one are led to set it up from every route but those of their own log-in', async () => {
  const [visitor, developer] = [await loggedInVisitor(app, 'operator'), await loggedInVisitor(app, 'developer')]
  await require(true)
  const open: string[] = []
  // Keys have no second factor.
  for (const route of Object.keys(OPERATOR_ROUTES).filter((it) => !it.includes(' /api/'))) {
    const path = addressOf(route)
    if (mayUseWithoutFactor(route)) open.push(route)
    else {
      const { status, location } = route.startsWith('GET') ? await visitor.get(path) : await visitor.post(path)
      expect([route, status, location]).toEqual([route, 303, FACTOR_PATH])
    }
  }
  expect(open.toSorted()).toEqual([
    'GET /console/account',
    'GET /console/account/password',
    'GET /console/account/second-factor',
    'POST /console/account/password',
    'POST /console/account/second-factor',
    'POST /console/logout',
  ])
  const page = await visitor.get(FACTOR_PATH)
  expect([page.status, page.text.includes('Operators of this marketplace need a second factor')]).toEqual([200, true])
  expect((await developer.get('/console')).status).toBe(200)
  await setUpFactor(visitor, app.deps.clock.now())
  expect((await visitor.get('/console/users')).status).toBe(200)
})

test('new operators log in with their password, and are led there, also by parts of pages', async () => {
  await require(true)
  const visitor = visitorFromNewAddress(app)
  expect((await visitor.logIn(await createTestUser(app, 'operator'))).status).toBe(303)
  expect((await visitor.get('/console')).location).toBe(FACTOR_PATH)
  const part = await visitor.get('/console/users', { 'hx-request': 'true' })
  expect([part.status, part.headers.get('hx-redirect')]).toEqual([403, FACTOR_PATH])
  await require(false)
  expect((await visitor.get('/console')).status).toBe(200)
})

test('a route that the table does not name is not open to them', () => {
  expect(mayUseWithoutFactor('GET /console/not-in-the-table')).toBe(false)
})

test('an administrator requires it on a page that says how many have no second factor, and the log of the defaults says who did', async () => {
  const administrator = await loggedInVisitor(app, 'operator')
  await setUpFactor(administrator, app.deps.clock.now())
  const page = await administrator.get('/console/marketplace')
  const [, shown] = /(\d+) operators? (?:has|have) no second factor yet/.exec(page.text) ?? []
  const [counted] = await app.sql<{ without: number }[]>`
    select count(*)::int as without from users u
    where role = 'operator' and not exists (select from second_factors f where f.user_id = u.id)`
  expect(Number(shown)).toBe(counted?.without ?? 0)
  const version = String((await getMarketplace(ctx)).version)
  const send = (state: string) => administrator.post('/console/marketplace/second-factor', { state, version })
  expect((await send('required')).location).toBe('/console/marketplace')
  expect((await administrator.get('/console/marketplace')).text).toContain(
    'Operators need a second factor from now on.',
  )
  const { text } = await administrator.get('/console/marketplace/defaults')
  expect(text).toContain('Second factor of operators: as each of them wants → needed')
  // The page of before says nothing of what another operator has saved meanwhile.
  await send('optional')
  expect((await administrator.get('/console/marketplace')).text).toContain('another operator has just saved it')
})
