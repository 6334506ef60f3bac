// A backup restored to a point in time: what was acknowledged before is there, nothing after; it sends nothing until told to.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { eventIdOf } from '../../src/webhooks/endpoints/events.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { processCounts } from '../../workers/runtime/actor-names.ts'
import { startSupervisor } from '../../workers/runtime/supervisor.ts'
import { INSTALL_MS } from '../support/apt-programs.ts'
import { type BackedUpPostgres, type RunningPostgres, openBackedUpPostgres } from '../support/backed-up-postgres.ts'
import { type BookingClient, openBookingClient } from '../support/booking-client.ts'
import { createWebhookKey } from '../support/chaos.ts'
import { ROOT } from '../support/imports.ts'
import { type Received, type Receiver, openReceiver } from '../support/receiver.ts'
import { type RedisServer, startRedisServer } from '../support/redis-server.ts'
import { PATIENT, type TestServer, startServer } from '../support/server.ts'

const COMMON = { HEARTH_SECRET: 'a secret that all processes of this test share', WEBHOOK_ALLOW_PRIVATE: '1' }
/** Within this the servers and workers of a busy machine do what they are asked for. */
const SEEN_MS = 30_000
/** An endpoint at this path refuses everything, so that its deliveries are pending at the point. */
const REFUSING = '/refusing'

let original: BackedUpPostgres
let copy: RunningPostgres
let redis: RedisServer
let receiver: Receiver
let client: BookingClient
let stack: Stack
let hours = 0
/** Bookings by when their request was sent and acknowledged. */
const booked: { id: string; sentAt: string; acknowledgedAt: string }[] = []
let point = ''

interface Stack {
  server: TestServer
  stop(): Promise<void>
}

/** A server, and the workers that send. */
async function startStack(databaseUrl: string): Promise<Stack> {
  const server = await startServer({ databaseUrl, redisUrl: redis.url, env: { ...COMMON, ...PATIENT } })
  const log = join(tmpdir(), `hearth-backup-workers-${process.pid}.log`)
  const output = openSync(log, 'w')
  const supervisor = startSupervisor({
    actors: processCounts(['relay-outbox', 'deliver-webhooks', 'sweep-expired'], new Map()),
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, REDIS_URL: redis.url, ...COMMON },
    output,
    onEvent: () => undefined,
  })
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await Promise.all([server.stop(), supervisor.stop()])
    closeSync(output)
    if (process.env['HEARTH_CHAOS_LOG']) process.stdout.write(readFileSync(log, 'utf8'))
    rmSync(log)
  }
  return { server, stop: () => (stopping ??= stop()) }
}

async function book(): Promise<Response> {
  const sentAt = new Date().toISOString()
  const response = await client.post(stack.server.url, hours++)
  if (response.status === 201) {
    const { booking } = (await response.clone().json()) as { booking: { id: string } }
    booked.push({ id: booking.id, sentAt, acknowledgedAt: new Date().toISOString() })
  }
  return response
}

async function subscribe(path: string): Promise<void> {
  const key = await createWebhookKey(original.url, 'dev@example.com')
  const response = await fetch(`${stack.server.url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: path, url: `${receiver.url}${path}`, events: ['booking.confirmed'], maxRetries: 15 }),
  })
  expect(response.status).toBe(201)
}

async function hearth(...args: string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, join(ROOT, 'src/cli.ts'), ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: copy.url, REDIS_URL: redis.url, ...COMMON },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return out + err
}

const eventOf = ({ body }: Received) => (JSON.parse(body) as { id: string }).id
const bookingOf = ({ body }: Received) => (JSON.parse(body) as { data: { object: { id: string } } }).data.object.id
const at = (path: string, from = 0) => receiver.received.slice(from).filter((got) => got.path === path)

beforeAll(async () => {
  receiver = openReceiver()
  receiver.answer = ({ path }) => new Response('', { status: path === REFUSING ? 500 : 200 })
  ;[original, redis] = await Promise.all([openBackedUpPostgres(), startRedisServer()])
  client = await openBookingClient(original.url, ['bookings:write'])
  stack = await startStack(original.url)
  await subscribe('/accepting')
}, INSTALL_MS)

afterAll(async () => {
  await stack?.stop()
  await receiver?.stop()
  await original?.close()
  await redis?.close()
}, 60_000)

test('a restore to an instant has every booking acknowledged before it, and none that was sent after it', async () => {
  let isOver = false
  const load = Promise.all(
    Array.from({ length: 2 }, async () => {
      while (!isOver) expect((await book()).status).toBe(201)
    }),
  )
  const more = async () => {
    const before = booked.length
    expect(await waitUntil(() => booked.length >= before + 30, SEEN_MS)).toBe(true)
  }
  await original.backUp()
  await subscribe(REFUSING)
  await more()
  const [clock] = await original.sql<{ now: string }[]>`select clock_timestamp()::text as now`
  point = clock?.now ?? ''
  await more()
  isOver = true
  await load
  await original.archived()
  const isDelivered = () => new Set(at('/accepting').map(bookingOf)).size === booked.length
  expect(await waitUntil(isDelivered, SEEN_MS)).toBe(true)
  await stack.stop()
  await original.stop()
  await redis.client.flushall()

  copy = await original.restore(point)
  const rows = await copy.sql<{ id: string }[]>`select id from bookings`
  const restored = new Set(rows.map(({ id }) => id))
  const pointMs = Date.parse(point)
  const before = booked.filter(({ acknowledgedAt }) => Date.parse(acknowledgedAt) < pointMs)
  const after = booked.filter(({ sentAt }) => Date.parse(sentAt) > pointMs)
  process.stdout.write(
    `${before.length} bookings before the point, ${after.length} after it, ${restored.size} restored\n`,
  )
  expect(before.length).toBeGreaterThan(30)
  expect(after.length).toBeGreaterThan(20)
  expect(before.filter(({ id }) => !restored.has(id))).toEqual([])
  expect(after.filter(({ id }) => restored.has(id))).toEqual([])
}, 180_000)

test('the copy serves reads, says what it is, refuses changes and sends nothing', async () => {
  const sent = receiver.received.length
  stack = await startStack(copy.url)
  const isWorking = async () =>
    (await copy.sql`select from webhook_couriers where enlisted_at > ${point}::timestamptz`).length > 0
  expect(await waitUntil(isWorking, SEEN_MS)).toBe(true)
  await copy.sql`update webhook_deliveries set next_attempt_at = now() where state = 'pending'`
  const [{ id } = { id: '' }] = booked
  const found = await fetch(`${stack.server.url}/api/v1/bookings/${id}`, {
    headers: { authorization: `Bearer ${client.key}` },
  })
  expect(found.status).toBe(200)
  const refused = await book()
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
  expect(await (await fetch(`${stack.server.opsUrl}/readyz`)).json()).toMatchObject({
    status: 'ready',
    restoredCopy: expect.stringContaining(point) as string,
  })
  expect(await hearth('doctor')).toContain('sends nothing, accepts no changes → see `hearth restored`')
  expect(await hearth('restored', '--send-pending')).toContain('A restored copy sends nothing.')
  expect(await hearth('restored')).toMatch(/is a restored copy: .*\n[^]* [1-9]\d* deliveries and/)
  expect(await waitUntil(() => receiver.received.length > sent, 3000)).toBe(false)
}, 120_000)

test('declared the original it sends what is new, and nothing twice; what was pending is sent when asked for', async () => {
  const sent = receiver.received.length
  const sentBefore = new Set(receiver.received.map(eventOf))
  receiver.answer = () => new Response('')
  expect(await hearth('restored', '--original')).toMatch(/what was pending is held: [1-9]\d* deliveries/)
  let id = ''
  const isBooked = async () => {
    const response = await book()
    if (response.status === 201) id = booked.at(-1)?.id ?? ''
    return id !== ''
  }
  expect(await waitUntil(isBooked, SEEN_MS)).toBe(true)
  const paths = ['/accepting', REFUSING]
  expect(await waitUntil(() => paths.every((path) => at(path, sent).length > 0), SEEN_MS)).toBe(true)
  expect(paths.map((path) => at(path, sent).map(bookingOf))).toEqual([[id], [id]])
  expect(receiver.received.slice(sent).filter((got) => sentBefore.has(eventOf(got)))).toEqual([])

  const held = await copy.sql<{ eventId: string; path: string }[]>`
    select d.event_id, e.name as path from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.state = 'failed'`
  expect(await hearth('restored')).toContain('This database is the original.\n  held: ')
  expect(await hearth('restored', '--send-pending')).toContain(`Due now: ${held.length} deliveries`)
  const arrived = () => new Set(receiver.received.slice(sent).map((got) => `${got.path} ${eventIdOf(eventOf(got))}`))
  const areSent = () => held.every(({ path, eventId }) => arrived().has(`${path} ${eventId}`))
  expect(await waitUntil(areSent, SEEN_MS)).toBe(true)
  expect(receiver.received.length - sent).toBe(held.length + 2)
}, 120_000)

test('a restore of the whole archive is recognised, too', async () => {
  copy = await original.restore()
  const [row] = await copy.sql<{ target: string | null }[]>`select restored_copy() as target`
  expect(row?.target).toStartWith('end of the archive')
}, 120_000)
