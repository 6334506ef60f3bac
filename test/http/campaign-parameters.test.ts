// Links from campaigns: parameters of advertising on pages and on the API.
import { expect, test } from 'bun:test'

import { openTestApp } from '../support/app.ts'
import { ACCESS_KEY } from '../../src/http/guard.ts'
import type { Access } from '../../src/auth/access.ts'
import type { Role } from '../../src/auth/users/schemas.ts'
import { findPros } from '../support/reviews.ts'
import { type Visitor, loggedInVisitor } from '../support/visitor.ts'
import { opened } from '../support/fixture.ts'

const app = await opened(openTestApp())
const [pro] = await findPros(app, 1)
const slug = pro?.slug ?? ''
const visitors: Record<Role, Visitor> = {
  operator: await loggedInVisitor(app, 'operator'),
  developer: await loggedInVisitor(app, 'developer'),
  pro: await loggedInVisitor(app, 'pro', { pro: pro?.id ?? '' }),
}

const CAMPAIGN = 'utm_source=news&utm_medium=mail&fbclid=IwAR0&gclid=Cj0&msclkid=1&mc_cid=2&ref=friend'

interface Route {
  method: string
  path: string
  hooks: { detail?: { [ACCESS_KEY]?: Access } }
}

test('every page opens with the parameters of a campaign, as without them', async () => {
  const pages = (app.app.routes as unknown as Route[]).filter(
    ({ method, hooks }) => method === 'GET' && hooks.detail?.[ACCESS_KEY]?.page,
  )
  expect(pages.length).toBeGreaterThan(20)
  const statuses = new Set<number>()
  for (const { path, hooks } of pages) {
    const [role = 'operator'] = hooks.detail?.[ACCESS_KEY]?.session ?? []
    const filled = path.replace(/:\w+/g, slug)
    const { status } = await visitors[role].get(filled)
    statuses.add(status)
    expect([path, (await visitors[role].get(`${filled}?${CAMPAIGN}`)).status]).toEqual([path, status])
  }
  expect(statuses).toContain(200)
})

test('the API refuses unknown parameters, also those of campaigns', async () => {
  for (const path of ['/api/v1/cities', '/api/v1/services', '/api/v1/pros']) {
    const response = await app.send(`${path}?utm_source=news`)
    expect([path, response.status]).toEqual([path, 400])
    expect(await response.json()).toMatchObject({ errors: [{ path: 'query.utm_source' }] })
  }
})
