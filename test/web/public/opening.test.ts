// Until an operator opens the marketplace, visitors see that it opens soon, and search engines find nothing.
import { expect, test } from 'bun:test'

import { requestContextOf } from '../../../src/auth/request-context.ts'
import { ctxOf } from '../../../src/ctx.ts'
import { openDeps } from '../../../src/deps.ts'
import { getMarketplace } from '../../../src/features/upkeep/marketplace/verbs.ts'
import { OPEN_STEP } from '../../../src/web/ui/guide-steps.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { escaped } from '../../support/escaped.ts'
import { opened } from '../../support/fixture.ts'
import { findPros } from '../../support/reviews.ts'
import { SITE, nameSite } from '../../support/site.ts'
import { Visitor, createTestUser } from '../../support/visitor.ts'

const PATH = '/console/marketplace'
const app = await opened(openTestApp())
const { deps } = app
await nameSite(app)
const operator = new Visitor(app)
await operator.logIn(await createTestUser(app, 'operator'))
const visitor = new Visitor(app)
const [pro] = await findPros(app, 1)
if (!pro) throw new Error('The seed has no pros.')
const [named] = await app.sql<{ name: string }[]>`select business_name as name from professionals where id = ${pro.id}`
const proName = escaped(named?.name ?? '')

const isOpen = async () => (await getMarketplace(ctxOf(deps))).isOpen
const change = async (state: 'open' | 'closed', version: number) => {
  const answer = await operator.post(`${PATH}/opening`, { state, version: String(version) })
  const isKnown = await waitUntil(async () => (await isOpen()) === (state === 'open'), 10_000)
  return [answer.status, answer.location, isKnown]
}
const locations = async (path: string) =>
  [...(await visitor.get(path)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url).pathname)

/** One page of each sitemap, and those that lead to a booking or a request. */
const listed: string[] = []
for (const sitemap of await locations('/sitemap.xml')) listed.push(...(await locations(sitemap)).slice(0, 1))
const pages = ['/', `/pros/${pro.slug}`, `/pros/${pro.slug}/book`, `/pros/${pro.slug}/quote`, ...listed]

test('there are pages to find', () => {
  expect(listed.length).toBeGreaterThan(3)
})

test('before the first version, production is closed, and the marketplace of a developer open', async () => {
  const empty = await opened(openTestApp('migrated'))
  expect(await getMarketplace(ctxOf(empty.deps))).toMatchObject({ version: 0, isOpen: true })
  const production = await opened(openDeps({ ...empty.deps.config, environment: 'production' }))
  expect(await getMarketplace(ctxOf(production))).toMatchObject({ version: 0, isOpen: false })
})

test('closed, visitors see on each page of pros that it opens soon, with the contact', async () => {
  expect(await change('closed', 1)).toEqual([303, PATH, true])
  for (const path of pages) {
    const { status, text, headers } = await visitor.get(path)
    expect([path, status, headers.get('x-robots-tag')]).toEqual([path, 200, 'noindex'])
    const request = new Request(deps.config.baseUrl + path)
    await app.app.handle(request)
    expect([path, requestContextOf(request).caching]).toEqual([path, 'personal'])
    expect(text).toContain('<title>Opening soon · Maple &amp; Beam</title>')
    for (const said of [SITE.tagline, SITE.email]) expect(text).toContain(said)
    expect(text).not.toContain('We are not open yet')
    expect(text).not.toContain(proName)
  }
})

test('closed, nothing is sent, search engines find nothing, and other pages are not indexed', async () => {
  const sent = await visitor.postRaw(`/pros/${pro.slug}/quote`, { description: 'The sink leaks.' })
  expect([sent.status, sent.text]).toEqual([403, expect.stringContaining('opens soon')])
  expect(await locations('/sitemap.xml')).toEqual([])
  for (const path of ['/about', '/for-pros', '/terms']) {
    const { status, text } = await visitor.get(path)
    expect([path, status, text.includes('<meta name="robots" content="noindex"')]).toEqual([path, 200, true])
  }
})

test('closed, those who log in see the marketplace as it will be, and operators that it is not open', async () => {
  for (const path of pages) {
    const { status, text } = await operator.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(text).not.toContain('opens soon</h1>')
    expect(text).toContain('We are not open yet')
  }
  expect((await operator.get('/console')).text).toContain('Not open yet.')
})

test('a button of an older version of the page changes nothing', async () => {
  expect((await operator.post(`${PATH}/opening`, { state: 'open', version: '1' })).status).toBe(303)
  expect((await operator.get(PATH)).text).toContain('another operator has just saved')
  expect(await app.sql`select from marketplace_versions`).toHaveLength(2)
})

test('opened, visitors and search engines see it at once, and who opened it stands below', async () => {
  expect(await change('open', 2)).toEqual([303, OPEN_STEP, true])
  const { text, headers } = await visitor.get(`/pros/${pro.slug}`)
  expect(text).toContain(proName)
  expect([headers.get('x-robots-tag'), text.includes('noindex')]).toEqual([null, false])
  expect((await locations('/sitemap.xml')).length).toBeGreaterThan(0)
  expect((await operator.get(PATH)).text).toContain('that it opens soon')
})
