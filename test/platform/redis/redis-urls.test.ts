// Redis behind Sentinels, with TLS, with an ACL user of the documented rights, and as a cluster.
import { afterAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Redis } from 'ioredis'

import { findFreePort } from '../../../src/local/ports.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { connectRedis, redisUrlOf } from '../../../src/platform/redis/address.ts'
import { checkRedis, openRedis, refuseCluster } from '../../../src/platform/redis/client.ts'
import { RateLimiter } from '../../../src/rate-limit/limiter/rate-limiter.ts'
import { INSTALL_MS } from '../../support/apt-programs.ts'
import { openBlockedProxy } from '../../support/blocked-proxy.ts'
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../../support/certificate.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import { ROOT } from '../../support/imports.ts'
import { startReplicatedRedis } from '../../support/redis-sentinel.ts'
import { startClusterNode, startRedisServer } from '../../support/redis-server.ts'
import { runServerUntilExit } from '../../support/server.ts'
import { startWorker } from '../../support/workers.ts'
import { opened } from '../../support/fixture.ts'

const RELAY = join(ROOT, 'test/support/recording-relay.ts')
const EVENTS = 400
const dir = mkdtempSync(join(tmpdir(), 'hearth-redis-urls-'))
const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url, 4), 'end')
await sql`
    create table planned (
      n bigint generated always as identity, event_id uuid, aggregate_id uuid, sequence integer)`
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Writes events one after another while a relay works, and calls `halfway` in between. Returns those never planned. */
async function relayEvents(redisUrl: string, halfway: () => Promise<void>): Promise<string[]> {
  const relay = startWorker(RELAY, { databaseUrl: database.url, redisUrl })
  const ids = Array.from({ length: EVENTS }, () => randomUUID())
  const write = async (some: string[]) => {
    for (const id of some)
      await sql`select emit_event(${id}, 'booking.created', ${id}, 'booking', ${id}, 1, '{"n": 1}', null, now())`
  }
  await relay.waitForOutput('working')
  await write(ids.slice(0, EVENTS / 2))
  await Promise.all([halfway(), write(ids.slice(EVENTS / 2))])
  const missing = async () => {
    const rows = await sql<{ id: string }[]>`select event_id as id from planned`
    const planned = new Set(rows.map(({ id }) => id))
    return ids.filter((id) => !planned.has(id))
  }
  await waitUntil(async () => (await missing()).length === 0, 30_000, 100)
  await relay.stop()
  return await missing()
}

/** Whether Redis takes writes of this connection. */
const accepts = (connection: Redis) =>
  checkRedis(connection).then(
    () => true,
    () => false,
  )

test(
  'a failover of Sentinel loses no event, and rate limits are shared again',
  async () => {
    const redis = await startReplicatedRedis()
    const connections = [openRedis(redis.url, () => undefined), openRedis(redis.url, () => undefined)] as const
    const states: string[] = []
    const limiters = connections.map(
      (connection) =>
        new RateLimiter({ redis: connection, prefix: 'hearth:test:', onChange: (state) => states.push(state) }),
    )
    const bothAccept = async () => (await accepts(connections[0])) && (await accepts(connections[1]))
    expect(await waitUntil(bothAccept, 10_000)).toBe(true)
    const lost = await relayEvents(redis.url, () => redis.failOver())
    expect(lost).toEqual([])
    // A Sentinel whose timer was late names the former primary for 30 s more (TILT mode).
    expect(await waitUntil(bothAccept, 60_000)).toBe(true)
    const limit = { name: 'test', quota: 10, windowMs: 60_000, key: `{${randomUUID()}}:test`, isExact: true }
    const answers = []
    for (let n = 0; n < 20; n++) answers.push(await limiters[n % 2]?.take([limit]))
    expect(answers.filter((answer) => answer?.allowed)).toHaveLength(10)
    for (const connection of connections) connection.disconnect()
    await redis.close()
  },
  INSTALL_MS,
)

test(
  'a failover announced while a connection asks for the primary does not end it',
  async () => {
    const redis = await startReplicatedRedis()
    const proxy = await openBlockedProxy(redis.url)
    proxy.open()
    const connection = openRedis(proxy.url, () => undefined)
    expect(await waitUntil(() => connection.status === 'ready', 10_000)).toBe(true)
    expect(await waitUntil(async () => / sub=1 /.test(String(await redis.sentinel.client('LIST'))), 10_000)).toBe(true)
    await redis.sentinel.subscribe('+switch-master')
    const announced = once(redis.sentinel, 'message')
    proxy.hold()
    await Promise.all([announced, redis.failOver()])
    proxy.open()
    expect(await waitUntil(() => accepts(connection), 10_000)).toBe(true)
    connection.disconnect()
    proxy.stop()
    await redis.close()
  },
  INSTALL_MS,
)

test(
  'a Sentinel that does not answer is skipped',
  async () => {
    const redis = await startReplicatedRedis()
    const silent = await openBlockedProxy(redis.url)
    const connection = openRedis(redis.url.replace('//', `//${new URL(silent.url).host},`), () => undefined)
    expect(await waitUntil(() => connection.status === 'ready', 10_000)).toBe(true)
    expect(silent.clients()).toBeGreaterThan(0)
    connection.disconnect()
    silent.stop()
    await redis.close()
  },
  INSTALL_MS,
)

test('a connection that has fallen silent is replaced', async () => {
  const redis = await startRedisServer()
  const proxy = await openBlockedProxy(redis.url)
  proxy.open()
  const connection = openRedis(proxy.url, () => undefined)
  expect(await waitUntil(() => accepts(connection), 10_000)).toBe(true)
  proxy.silence()
  expect(await accepts(connection)).toBe(false)
  expect(await waitUntil(() => accepts(connection), 30_000)).toBe(true)
  connection.disconnect()
  proxy.stop()
  await redis.close()
}, 60_000)

test('TLS with an authority of one’s own, and not without it', async () => {
  const [certificate, key] = [join(dir, 'certificate.pem'), join(dir, 'key.pem')]
  writeFileSync(certificate, LOOPBACK_CERTIFICATE)
  writeFileSync(key, LOOPBACK_KEY)
  const port = await findFreePort()
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  const redis = await startRedisServer('--tls-port', String(port), '--tls-auth-clients', 'no', ...files)
  const answerOf = async (url: string) => {
    const failures: string[] = []
    const connection = connectRedis(url, { lazyConnect: true, retryStrategy: () => null })
    connection.on('error', (error: Error) => failures.push(error.message))
    const answer = await connection
      .connect()
      .then(() => connection.ping())
      .catch(() => failures[0])
    connection.disconnect()
    return answer
  }
  expect(await answerOf(`rediss://127.0.0.1:${port}/0?ca=${encodeURIComponent(certificate)}`)).toBe('PONG')
  expect(await answerOf(`rediss://127.0.0.1:${port}/0`)).toContain('self')
  await redis.close()
})

/** The documented rules for the user of Hearth. */
const RULES = /ACL SETUSER hearth on >secret ([^`]+)`/
  .exec(await Bun.file(join(ROOT, 'docs/operators/running.md')).text())?.[1]
  ?.split(' ')

test('a user with the rights that the documents list is enough', async () => {
  const redis = await startRedisServer()
  await redis.client.call('ACL', 'SETUSER', 'hearth', 'on', '>secret', ...(RULES ?? []))
  await redis.client.call('ACL', 'SETUSER', 'default', 'resetkeys', '~nothing')
  const url = redis.url.replace('redis://', 'redis://hearth:secret@')
  expect(await relayEvents(url, () => Promise.resolve())).toEqual([])
  const connection = openRedis(url, () => undefined)
  expect(await waitUntil(() => connection.status === 'ready', 5000)).toBe(true)
  const limiter = new RateLimiter({ redis: connection, prefix: 'hearth:window:', onChange: () => undefined })
  const limit = { name: 'test', quota: 1, windowMs: 60_000, key: '{someone}:test', isExact: true }
  expect([(await limiter.take([limit])).allowed, (await limiter.take([limit])).allowed]).toEqual([true, false])
  connection.disconnect()
  expect(await redis.client.call('ACL', 'LOG')).toEqual([])
  await redis.close()
}, 60_000)

test('a cluster is refused in one line', async () => {
  const redis = await startClusterNode()
  expect(refuseCluster(redis.url)).rejects.toThrow(/^REDIS_URL leads to a Redis Cluster/)
  const { code, output } = await runServerUntilExit({ DATABASE_URL: database.url, REDIS_URL: redis.url })
  expect([code, output.split('\n').filter((line) => line.startsWith('hearth:'))]).toEqual([
    1,
    [expect.stringMatching(/^hearth: REDIS_URL leads to a Redis Cluster, .*redis\+sentinel/)],
  ])
  await redis.close()
}, 30_000)

test.each([
  ['http://host', 'must be a URL that begins with redis://'],
  ['redis+sentinel://one,two', 'must name the primary after the Sentinels'],
  ['redis://host/first', 'must end with the number of a database'],
  ['rediss://host?ca=/does/not/exist', 'names a file of certificates that cannot be read: /does/not/exist'],
])('%s is refused', (url, message) => {
  expect(() => redisUrlOf({ REDIS_URL: url }, 'REDIS_URL')).toThrow(`REDIS_URL ${message}`)
})
