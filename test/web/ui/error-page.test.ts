// The pages of errors: their words for people.
import { describe, expect, test } from 'bun:test'

import { toAppError } from '../../../src/http/problem.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { errorPage } from '../../../src/web/ui/error-page.tsx'
import { openTestApp } from '../../support/app.ts'
import { findPros } from '../../support/reviews.ts'
import { Visitor, loggedInVisitor, visitorFromNewAddress } from '../../support/visitor.ts'
import { opened } from '../../support/fixture.ts'

const app = await opened(openTestApp())
const visitor = new Visitor(app)
const [row] = await findPros(app, 1)
if (!row) throw new Error('The seed has no pros.')
const pro = row

const env = { PUBLIC_RATE_PER_MINUTE: '60', CODE_LOOKUPS_PER_MINUTE: '5' }
const limited = await opened(openTestApp('seeded', { env }))

describe('the page of a limit says to people what they did too often, and how long they wait', () => {
  test.each([
    ['opened many pages', (from: Visitor) => from.get('/bookings')],
    ['looked up many booking codes', (from: Visitor) => from.get('/bookings/HTH-0123456789AB')],
    ['sent many bookings or requests', (from: Visitor) => from.post(`/pros/${pro.slug}/quote`, {})],
    ['asked to connect many apps', (from: Visitor) => from.get('/oauth/authorize')],
  ])('they %s', async (counted, request) => {
    const client = visitorFromNewAddress(limited)
    let [status, text] = [0, '']
    for (let n = 0; n <= 60 && status !== 429; n++) ({ status, text } = await request(client))
    expect(status).toBe(429)
    expect(text).toMatch(new RegExp(`You ${counted} in a short time\\. Wait \\d+ seconds`))
  })
})

test.each([
  '/pros/an-unknown-name',
  '/pros/an-unknown-name/book',
  '/pros/an-unknown-name/quote',
  '/packages/an-unknown-name',
  `/pros/${pro.slug}/book?service=${crypto.randomUUID()}`,
])('%s says what is missing in words for people', async (path) => {
  const { status, text } = await visitor.get(path)
  const main = text.slice(text.indexOf('<main'), text.indexOf('<footer'))
  expect([status === 404 || status === 200, main.replaceAll(/<[^>]*>/g, ' ')]).toEqual([
    true,
    expect.not.stringMatching(/\b(id|slug|sku|code [a-z_]+)\b/),
  ])
})

test.each([
  [`/quotes/${'q'.repeat(43)}`, 'ask the pro for a new quote'],
  [`/bookings/manage/${'b'.repeat(43)}`, 'Open it exactly as you received it'],
  [`/console/password/${'p'.repeat(43)}`, 'Ask for a new one'],
  ['/oauth/consent?request=unknown', 'Start again in the app'],
])('%s says what to do about a link that opens nothing', async (path, advice) => {
  const { status, text } = await visitor.get(path)
  expect([status, text]).toEqual([404, expect.stringContaining(advice)])
})

test.each(['/console/payments', '/api-docs', '/pros/a'])(
  '%s says nothing of a key that programs send when PostgreSQL goes away, not even to operators and developers',
  async (path) => {
    const { cookies } = await loggedInVisitor(app, 'operator')
    const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ')
    for (const isOutcomeUnknown of [true, false]) {
      const cause = new StoreUnavailable('postgres', { code: '57P01', isOutcomeUnknown })
      const request = new Request(app.deps.config.baseUrl + path, { headers: { cookie } })
      const page = await errorPage(app.deps)(toAppError(cause), { request, requestId: null })
      expect([page.status, await page.text()]).toEqual([503, expect.not.stringContaining('Idempotency-Key')])
    }
  },
)
