// People of a pro's business do what their role allows, and see nothing that leads to more.
import { describe, expect, test } from 'bun:test'

import { PRO_AREAS, PRO_ROLES, PRO_ROUTES, type ProRole } from '../../src/auth/users/rules/pro-roles.ts'
import { mayOpen, mayPost, proRolesFor } from '../../src/auth/users/rules/permissions.ts'
import { accessOf, nameOf, routes } from '../support/app-routes.ts'
import { opened } from '../support/fixture.ts'
import { openBookingFixture } from '../support/booking-fixture.ts'
import { type Team, teamOf } from '../support/team.ts'
import type { Visitor } from '../support/visitor.ts'

const fixture = await opened(openBookingFixture())
const team: Team = await teamOf(fixture)
const visitorOf = (role: ProRole): Visitor => team[role].visitor

/** The routes that pros use. */
const OF_PROS = routes.filter((route) => accessOf(route)?.session?.includes('pro')).map(nameOf)

test('each route of pros has one line in the table of roles, and the table has no others', () => {
  const missing = OF_PROS.filter((route) => !(route in PRO_ROUTES)).map(
    (route) =>
      `Add to PRO_ROUTES in src/auth/users/rules/pro-roles.ts: '${route}': <one of ${Object.keys(PRO_AREAS).join(', ')}>,`,
  )
  expect(missing).toEqual([])
  expect(Object.keys(PRO_ROUTES).filter((route) => !OF_PROS.includes(route))).toEqual([])
})

test('a route without a line is refused to all but owners, and a person without a role may use none', () => {
  for (const proRole of PRO_ROLES) {
    expect(mayOpen({ role: 'pro', proRole }, '/console/not-in-the-table')).toBe(proRole === 'owner')
    expect(mayPost({ role: 'pro', proRole }, '/console/jobs')).toBe(proRole === 'owner')
  }
  for (const route of OF_PROS) expect(mayOpen({ role: 'pro', proRole: null }, route.split(' ')[1] ?? '')).toBe(false)
})

test('only owners reach money, keys, webhooks, the profile, log-ins and the end of the account', () => {
  const business = /\/console\/(closing|credits|keys|webhooks|profile|my-verification|team|settings|apps|services)/
  for (const route of OF_PROS.filter((it) => business.test(it)))
    expect([route, proRolesFor(route)]).toEqual([route, ['owner']])
  expect(proRolesFor('GET /console/leads')).toEqual(['owner', 'dispatcher'])
  expect(proRolesFor('GET /console/search')).toEqual(['owner', 'dispatcher'])
  expect(proRolesFor('GET /console/bookings/:id')).toEqual(['owner', 'dispatcher', 'worker'])
})

const NO_ID = '01890000-0000-7000-8000-000000000000'
const addressOf = (route: string) => (route.split(' ')[1] ?? '').replace(/:\w+/g, NO_ID)

describe.each(OF_PROS.filter((route) => !/logout|POST \/console\/closing/.test(route)))('%s', (route) => {
  test.each([...PRO_ROLES])('is open to the role %s as the table says', async (role) => {
    const visitor = visitorOf(role)
    const path = addressOf(route)
    const { status, text } = route.startsWith('GET') ? await visitor.get(path) : await visitor.post(path)
    const isAllowed = proRolesFor(route).includes(role)
    expect([route, role, status === 403]).toEqual([route, role, !isAllowed])
    if (isAllowed) return
    expect(text).toContain(`Your role is ${role}.`)
    for (const allowed of proRolesFor(route)) expect(text).toContain(`${allowed}s`)
  })
})

const addressesIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)]
    .map(([, address = '']) => address.replaceAll('&amp;', '&'))
    .filter((it) => /^\/(console|ops)/.test(it))

test('no page shows a role a link, a form or a button that it may not use', async () => {
  const plain = Object.keys(PRO_ROUTES).filter((route) => route.startsWith('GET') && !/[:*]/.test(route))
  const { assigned, other, job, lead } = team.work
  const pages = [
    ...plain.map(addressOf),
    ...[assigned, other].map((id) => `/console/bookings/${id}`),
    '/console/bookings?show=all',
    `/console/jobs/${job}`,
    `/console/leads/${lead}`,
    `/console/leads/${lead}/quote`,
    `/console/calendar?week=${team.week}`,
    '/console/search?q=homeowner',
    '/console/bookings?show=cancelled',
  ]
  for (const proRole of PRO_ROLES) {
    const user = { role: 'pro', proRole } as const
    let seen = 0
    // The page of components has samples of forms that send nothing.
    for (const path of pages.filter((it) => mayOpen(user, it) && it !== '/console/design')) {
      const { status, text } = await visitorOf(proRole).get(path)
      if (status === 303 || (proRole === 'worker' && status === 404)) continue
      expect([path, status]).toEqual([path, 200])
      const links = addressesIn(text, / href="([^"]+)"/g).filter((href) => !mayOpen(user, href))
      const forms = addressesIn(text, /<form [^>]*action="([^"]+)"/g)
      const searches = addressesIn(text, /<form class="find"[^>]* action="([^"]+)"/g)
      const refused = forms.filter((action) => !mayPost(user, action) && !searches.includes(action))
      expect([proRole, path, links, refused, searches.filter((it) => !mayOpen(user, it))]).toEqual([
        proRole,
        path,
        [],
        [],
        [],
      ])
      seen += forms.length
    }
    expect(seen).toBeGreaterThan(5)
  }
})
