// A rolling update from the last release to this build under load, and back: two versions on one database, port and Redis.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import manifest from '../../package.json'
import { runCommand } from '../../bench/support/checkout.ts'
import type { CreatedKey } from '../../src/auth/keys/verbs/keys.ts'
import { findFreePort } from '../../src/local/ports.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { startLoad } from '../support/booking-load.ts'
import { cloneDatabase, createEmptyDatabase, testSql } from '../support/database.ts'
import { ROOT } from '../support/imports.ts'
import { type Receiver, openReceiver } from '../support/receiver.ts'
import { checkOutRelease, lastRelease } from '../support/release.ts'
import { PATIENT, type TestServer, problemOfStart, startServer } from '../support/server.ts'
import { type TestWorker, startWorker } from '../support/workers.ts'

const ACTORS = ['relay-outbox', 'deliver-webhooks']
const EVENTS = ['booking.created', 'booking.confirmed']
/** What the \`migrate\` of the last release prints on a database of this build. */
const NEWER = `The database has functions of the newer version ${manifest.version}, which stay.\nThe database is up to date.`

const release = lastRelease()
let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let older: string
let sql: Sql
let client: BookingClient
let receiver: Receiver
let port: number
/** What runs now; the oldest first. */
const [servers, workers]: [TestServer[], TestWorker[]] = [[], []]

beforeAll(async () => {
  ;[older, database, port] = await Promise.all([checkOutRelease(release), createEmptyDatabase(), findFreePort()])
  await runCommand(older, database.url, 'migrate')
  sql = testSql(database.url, 2)
  const scopes = 'bookings:write availability:read pros:read webhooks:manage'
  const options = ['--owner', 'dev@example.com', '--scopes', scopes, '--rate-multiplier', '100000', '--json']
  // By the release, whose tables lack what this build would write.
  const key = JSON.parse(await runCommand(older, database.url, 'keys', 'create', ...options)) as CreatedKey
  client = await openBookingClient(database.url, [], key)
  receiver = openReceiver()
}, 60_000)

afterAll(async () => {
  await Promise.all([...servers, ...workers].map((process) => process.stop()))
  await receiver?.stop()
  await sql?.end()
  await database?.drop()
}, 60_000)

const functionsNow = () =>
  sql`select proname, md5(prosrc) from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`

const start = (folder: string): Promise<TestServer> =>
  startServer({
    databaseUrl: database.url,
    port,
    script: join(folder, 'src/server.ts'),
    env: { HTTP_PROCESSES: '2', WEBHOOK_ALLOW_PRIVATE: '1', ...PATIENT },
  })

async function startWorkers(folder: string): Promise<TestWorker> {
  const worker = startWorker(join(folder, 'src/cli.ts'), {
    databaseUrl: database.url,
    args: ['work', ...ACTORS],
    env: { WEBHOOK_ALLOW_PRIVATE: '1', OPS_PORT: '0' },
  })
  for (const actor of ACTORS) await worker.waitForOutput(`"actor":"${actor}"`)
  return worker
}

/** Replaces each server after its successor is ready, and the workers. */
async function replaceAll(folder: string): Promise<void> {
  for (let left = servers.length; left > 0; left--) {
    servers.push(await start(folder))
    expect(await servers.shift()?.stop()).toBe(0)
  }
  workers.push(await startWorkers(folder))
  expect(await workers.shift()?.stop()).toBe(0)
}

async function addWebhook(): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'upgrade', url: `${receiver.url}/hook`, events: EVENTS }),
  })
  expect([response.status, await response.text()]).toEqual([201, expect.any(String)])
}

test('a rolling update from the last release to this build and back loses no request, booking or delivery', async () => {
  servers.push(await start(older), await start(older))
  workers.push(await startWorkers(older))
  await addWebhook()
  const paths = [
    '/api/v1/services',
    `/api/v1/pros/${client.pro.id}/availability`,
    '/api/v1/pros?lat=30.27&lng=-97.74',
    `/api/v1/pros/${client.pro.id}`,
  ]
  // The last release waits 1.5 s for PostgreSQL, so the load is light. Its first requests stall those that come with them, which is not what this test is about.
  for (let n = 0; n < 8; n++) for (const path of paths) await (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  const { load, end } = startLoad(servers[0]?.url ?? '', client, { clients: 12, paths })
  const problem = await problemOfStart({ databaseUrl: database.url })
  expect(problem).toMatchObject({ version: manifest.version, notReady: ['migrations'] })

  await runCommand(ROOT, database.url, 'migrate')
  const functions = await functionsNow()
  await replaceAll(ROOT)

  // The operator's roll-back runs the older build's `migrate` first, as every deployment does.
  expect(await runCommand(older, database.url, 'migrate')).toBe(NEWER)
  expect(await functionsNow()).toEqual(functions)
  await replaceAll(older)
  expect(await runCommand(older, database.url, 'keys', 'list')).toContain(client.keyId)

  await end()
  process.stdout.write(`${load.requests} requests, the longest ${Math.round(load.longestMs())} ms: `)
  process.stdout.write(`${JSON.stringify(Object.fromEntries(load.outcomes))}\n`)
  expect([...load.outcomes.keys()].toSorted()).toEqual(['GET 200', 'POST 201'])
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from bookings`
  expect(row?.count).toBe(load.keys.size)
  expect([...load.codes.values()].every((codes) => codes.size === 1)).toBe(true)

  const ids = () => receiver.received.map(({ headers }) => headers['x-webhook-id'])
  const expected = load.keys.size * EVENTS.length
  await waitUntil(() => ids().length >= expected, 30_000)
  expect([ids().length, new Set(ids()).size]).toEqual([expected, expected])
}, 240_000)

test('the last release runs on a database that it never migrated', async () => {
  const created = await cloneDatabase('migrated')
  expect(await runCommand(older, created.url, 'migrate')).toBe(NEWER)
  const server = await startServer({ databaseUrl: created.url, script: join(older, 'src/server.ts') })
  expect(await server.stop()).toBe(0)
  await created.drop()
}, 60_000)

test('the version of this build is in package.json, `hearth --version`, `/readyz` and the manifests', async () => {
  const { version } = manifest
  expect(await runCommand(ROOT, database.url, '--version')).toBe(version)
  expect(readFileSync(join(ROOT, 'ops/kubernetes/kustomization.yaml'), 'utf8')).toContain(`newTag: ${version} }`)
  const server = await startServer({ databaseUrl: database.url })
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'ready', version })
  expect(await server.stop()).toBe(0)
}, 60_000)
