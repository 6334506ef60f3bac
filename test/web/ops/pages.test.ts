// The pages of operators in a real browser, with a real server and workers: the state of the system, and traces by id.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'

import type { Browser } from 'playwright-core'

import { readConfig } from '../../../src/config.ts'
import { type Deps, openDeps } from '../../../src/deps.ts'
import { ensureAccount } from '../../../src/auth/accounts/verbs.ts'
import { createUser } from '../../../src/auth/users/verbs/users.ts'
import { createWebhook } from '../../../src/webhooks/endpoints/verbs/endpoints.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type BookingClient, CUSTOMER, openBookingClient } from '../../support/booking-client.ts'
import { BROWSER_START_MS, type WatchedPage, openBrowser, watchPage } from '../../support/browser.ts'
import { checkPage } from '../../support/console.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { TOUCHED_PHONE, cutOffInLargeText, phoneFaults, axeFaults } from '../../support/page-faults.ts'
import { type Receiver, openReceiver } from '../../support/receiver.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { PASSWORD } from '../../support/visitor.ts'
import { type TestWorker, startWorker } from '../../support/workers.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { ctxOf } from '../../../src/ctx.ts'

const OPERATOR = 'operator@users.test.example'
const DEVELOPER = 'developer@users.test.example'
const ACCOUNT = 'dev@example.com'
/** Set explicitly, because `hearth work` otherwise uses the secret of a stack in this folder. */
const ENV = { WEBHOOK_ALLOW_PRIVATE: '1', HEARTH_SECRET: 'a secret of the processes of this test' }

let database: Awaited<ReturnType<typeof cloneDatabase>>
let deps: Deps
let client: BookingClient
let receiver: Receiver
/** Stores every trace; `samplingServer` stores only those of failed and refused requests. */
let server: TestServer
let samplingServer: TestServer
let workers: TestWorker
let browser: Browser
let watched: WatchedPage

beforeAll(async () => {
  database = await cloneDatabase('migrated')
  const env = {
    ...ENV,
    DATABASE_URL: database.url,
    REDIS_URL: testRedisUrl,
    LOG_LEVEL: 'silent',
  }
  deps = openDeps(readConfig(env))
  client = await openBookingClient(database.url)
  receiver = openReceiver()
  const { id: accountId } = await ensureAccount(ctxOf(deps), { email: ACCOUNT })
  await createWebhook(ctxOf(deps, { accountId }), {
    name: 'ops',
    url: `${receiver.url}/`,
    events: ['booking.confirmed'],
  })
  await createUser(ctxOf(deps), { email: OPERATOR, role: 'operator', password: PASSWORD })
  await createUser(ctxOf(deps), { email: DEVELOPER, role: 'developer', account: ACCOUNT, password: PASSWORD })
  const all = { ...ENV, OTEL_TRACES_SAMPLER_ARG: '1' }
  workers = startWorker('src/cli.ts', {
    databaseUrl: database.url,
    env: all,
    args: ['work', 'relay-outbox', 'deliver-webhooks'],
  })
  ;[server, samplingServer] = await Promise.all([
    startServer({ databaseUrl: database.url, env: all }),
    startServer({ databaseUrl: database.url, env: { ...ENV, OTEL_TRACES_SAMPLER_ARG: '0' } }),
  ])
  browser = await openBrowser()
  watched = await logIn(server)
}, BROWSER_START_MS)
afterAll(async () => {
  await browser?.close()
  await Promise.all([server?.stop(), samplingServer?.stop(), workers?.stop()])
  await receiver?.stop()
  await deps?.close()
  await database?.drop()
}, 60_000)
afterEach(() => expect([watched.outside, watched.errors]).toEqual([[], []]))

async function logIn({ url }: TestServer, email = OPERATOR, path = '/ops'): Promise<WatchedPage> {
  const visitor = await watchPage(browser)
  const { page } = visitor
  page.setDefaultTimeout(10_000)
  await page.goto(`${url}${path}`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.waitForURL(`**${path}`)
  return visitor
}

const requestId = (response: Response) => response.headers.get('x-request-id') ?? ''
/** Traces are stored once a second. */
const isKept = (id: string, spans: number) =>
  waitUntil(async () => {
    const rows = await deps.write.run<{ spans: number }>(
      'kept',
      (sql) =>
        sql`select coalesce(sum(jsonb_array_length(spans)), 0)::int as spans from trace_parts where trace_id = ${id}`,
    )
    return (rows[0]?.spans ?? 0) >= spans
  }, 20_000)

test('the trace of a booking shows the request, its statements, its event and the delivery', async () => {
  const response = await client.post(server.url, 0)
  expect(response.status).toBe(201)
  const id = requestId(response)
  // The request, finding the key, reserving the slot; two events; one delivery.
  expect(await isKept(id, 6)).toBe(true)
  const { page } = watched
  await page.goto(`${server.url}/ops/traces/${id}`)
  await page.getByRole('heading', { name: 'POST /api/v1/bookings 201' }).waitFor()
  const rows = page.getByRole('listitem').filter({ has: page.locator('summary') })
  const texts = (await rows.locator('.what').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  expect(texts).toEqual([
    'POST /api/v1/bookings 201 hearth-server',
    'findKeyByHash hearth-server',
    'reserve_slot hearth-server',
    'relay event booking.created hearth-relay-outbox',
    'relay event booking.confirmed hearth-relay-outbox',
    'deliver webhook 200 booking.confirmed hearth-deliver-webhooks',
  ])
  await rows.filter({ hasText: 'deliver webhook' }).locator('summary').click()
  await page.getByText('hearth.outcome').waitFor()
  const shown = await page.locator('main').innerText()
  for (const personal of Object.values(CUSTOMER)) expect(shown).not.toContain(personal)
  await checkPage(watched, 'ops-trace')
})

test('a developer sees how an event got to their endpoint, without the statements', async () => {
  const visitor = await logIn(server, DEVELOPER, '/console/webhooks/deliveries')
  const { page } = visitor
  await page.getByRole('link', { name: 'booking.confirmed' }).first().click()
  await page.getByRole('link', { name: 'From the request to this delivery' }).click()
  await page.waitForURL('**/console/webhooks/*/deliveries/*/trace')
  const texts = (await page.locator('.waterfall .what').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
  expect(texts).toEqual([
    'POST /api/v1/bookings 201 hearth-server',
    'relay event booking.confirmed hearth-relay-outbox',
    'deliver webhook 200 booking.confirmed hearth-deliver-webhooks',
  ])
  await checkPage(visitor, 'console-delivery-trace')
  expect([visitor.outside, visitor.errors]).toEqual([[], []])
  await page.context().close()
})

test('the id in an error finds its trace, although it was not sampled', async () => {
  const refused = await fetch(`${samplingServer.url}/api/v1/pros/no-such-pro`)
  const problem = (await refused.json()) as { requestId: string }
  expect(await isKept(problem.requestId, 2)).toBe(true)
  const visitor = await logIn(samplingServer)
  const { page } = visitor
  await page.goto(`${samplingServer.url}/ops/traces`)
  await page.getByLabel('Request id').fill(problem.requestId)
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('heading', { name: 'GET /api/v1/pros/:id 404' }).waitFor()
  expect(await page.locator('.waterfall').innerText()).toContain('professional-detail')
  expect([visitor.outside, visitor.errors]).toEqual([[], []])
  await page.context().close()
})

test('an error page links to the trace for operators only', async () => {
  const visitor = await logIn(samplingServer)
  const { page } = visitor
  await page.goto(`${samplingServer.url}/pros/no-such-pro`)
  const id = await page.locator('.hint code').innerText()
  expect(await isKept(id, 1)).toBe(true)
  await page.getByRole('link', { name: 'Show its trace' }).click()
  await page.getByRole('heading', { name: /^GET \/pros\/.* 404$/ }).waitFor()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.goto(`${samplingServer.url}/pros/no-such-pro`)
  expect(await page.getByRole('link', { name: 'Show its trace' }).count()).toBe(0)
  await page.context().close()
})

test('traces can be found by route, status and duration, and the page of an unknown id explains why it has no trace', async () => {
  const { page } = watched
  await fetch(`${server.url}/api/v1/services`)
  const wrong = await fetch(`${server.url}/api/v1/pros?radius=-1`)
  expect(await isKept(requestId(wrong), 1)).toBe(true)
  await page.goto(`${server.url}/ops/traces`)
  await checkPage(watched, 'ops-traces')
  await page.getByLabel('Route').fill('get /api/v1/PROS')
  await page.getByLabel('Status').selectOption('4xx refused')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('link', { name: 'GET /api/v1/pros' }).first().waitFor()
  expect(await page.getByRole('link', { name: 'GET /api/v1/services' }).count()).toBe(0)
  await page.getByLabel('At least, ms').fill('9000')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('No traces found').waitFor()
  await page.getByRole('link', { name: 'Show all' }).click()
  await page.getByLabel('Request id').fill('not an id')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByRole('alert').waitFor()
  await page.goto(`${server.url}/ops/traces/${'0123456789abcdef'.repeat(2)}`)
  await page.getByText('OTEL_TRACES_SAMPLER_ARG').waitFor()
  // The browser logs the 404 in its console.
  expect(watched.errors.splice(0)).toEqual([expect.stringContaining('404')])
  await checkPage(watched, 'ops-no-trace')
})

test('the operations page lists every process and refreshes itself', async () => {
  const { page } = watched
  await page.goto(`${server.url}/ops`)
  const processes = page.getByRole('table', { name: 'Processes' })
  for (const service of ['hearth-server', 'hearth-relay-outbox', 'hearth-deliver-webhooks'])
    await processes.getByRole('row').filter({ hasText: service }).first().waitFor({ timeout: 30_000 })
  const routes = page.getByRole('table', { name: 'Routes in the last minute' })
  expect(await routes.getByRole('row').filter({ hasText: 'GET /api/v1/cities' }).count()).toBe(0)
  await fetch(`${server.url}/api/v1/cities`)
  await page.waitForResponse('**/ops/now', { timeout: 30_000 })
  await routes.getByRole('row').filter({ hasText: 'GET /api/v1/cities' }).waitFor({ timeout: 30_000 })
  expect(await page.locator('[data-series] canvas').count()).toBe(2)
  await page.getByRole('table', { name: 'Queues' }).getByRole('row').filter({ hasText: 'deliver-webhooks' }).waitFor()
  await checkPage(watched, 'ops-now')
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 900 }
  await page.setViewportSize({ width: 390, height: 844 })
  const faults = await cutOffInLargeText(page)
  await page.setViewportSize({ width, height })
  expect(faults).toEqual([])
}, 90_000)

test('the operations page shows problems first', async () => {
  const { page } = watched
  const sql = testSql(database.url, 1)
  await sql`alter table bookings rename to bookings_away`
  const broken = await fetch(`${samplingServer.url}/api/v1/bookings?code=HTH-000000000000`)
  await sql`alter table bookings_away rename to bookings`
  await sql.end()
  expect(broken.status).toBe(500)
  workers.signal('SIGKILL')
  await page.goto(`${server.url}/ops`)
  await page.getByText('No relay-outbox process reports').waitFor({ timeout: 70_000 })
  await page.getByText('Not reporting:').waitFor()
  await page.getByRole('link', { name: 'See their traces' }).click()
  await page.getByRole('link', { name: 'GET /api/v1/bookings' }).first().click()
  await page.getByRole('heading', { name: 'GET /api/v1/bookings 500' }).waitFor()
  expect(await page.locator('.waterfall .badge.bad').count()).toBeGreaterThan(0)
}, 90_000)

test('bull-board shows the queues and loads nothing from other hosts', async () => {
  const { page } = watched
  await page.goto(`${server.url}/ops/queues`)
  await page.getByRole('link', { name: 'deliver-webhooks' }).first().click()
  await page.getByText('No latest jobs').or(page.getByText('No jobs')).first().waitFor()
  await watched.screenshot('console-ops-queues')
})

/** Faults of bull-board's own script: icon buttons without a name, a label that differs from its text, and its landmarks. */
const BULL_BOARD_FAULTS = new Set([
  'button-name',
  'image-redundant-alt',
  'label-content-name-mismatch',
  'landmark-main-is-top-level',
  'landmark-no-duplicate-main',
  'landmark-unique',
  'region',
])

test('the queues page has no accessibility faults except those of bull-board', async () => {
  const { page } = watched
  for (const path of ['/ops/queues', '/ops/queues/queue/deliver-webhooks']) {
    await page.goto(`${server.url}${path}`)
    await page.getByRole('link', { name: 'deliver-webhooks' }).first().waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      let rules: string[] = []
      await waitUntil(async () => {
        const faults = (await axeFaults(page)).map((fault) => fault.split(':')[0] ?? '')
        rules = faults.filter((rule) => !BULL_BOARD_FAULTS.has(rule))
        return rules.length === 0
      }, 5000)
      expect([path, colorScheme, rules]).toEqual([path, colorScheme, []])
    }
  }
  await watched.screenshot('console-ops-queues-light')
  const phone = await browser.newContext({ ...TOUCHED_PHONE, storageState: await page.context().storageState() })
  const faults = await phoneFaults(await phone.newPage(), `${server.url}/ops/queues`, { exclude: ['#root'] })
  await phone.close()
  expect(faults).toEqual([])
}, 60_000)
