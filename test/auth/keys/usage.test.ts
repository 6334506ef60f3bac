// Key usage is counted per key and day: each request once, in memory first and in the database within seconds.
import { expect, test } from 'bun:test'

import { listKeys } from '../../../src/auth/keys/verbs/keys.ts'
import { listUsage, usageOf } from '../../../src/auth/keys/verbs/usage.ts'
import { deleteOldRows } from '../../../src/features/upkeep/retention/verbs.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { openTestApp } from '../../support/app.ts'
import { type TestServer, startServer } from '../../support/server.ts'
import { opened } from '../../support/fixture.ts'
import { ctxOf } from '../../../src/ctx.ts'

const app = await opened(openTestApp('migrated'))
for (let n = 0; n < 3; n++) await app.key(undefined, 'counted@test.example')
const keys = await listKeys(ctxOf(app.deps), { ownerEmail: 'counted@test.example' })

const [FIRST, DAY_MS] = [0, 86_400_000]
const keyOf = (n: number) => keys[n]?.id ?? ''
const accountId = () => keys[FIRST]?.accountId ?? ''
const counts = async (days = 1) =>
  Object.fromEntries(
    (await listUsage(ctxOf(app.deps), { accountId: accountId(), days })).map(
      ({ keyId, day, requests, refused, limited, failed }) => [
        `${keys.findIndex(({ id }) => id === keyId)} ${day}`,
        [requests, refused, limited, failed],
      ],
    ),
  )

test('requests are counted by response status, on the day of the request', async () => {
  const usage = usageOf(app.deps)
  for (const status of [200, 201, 304, 400, 404, 429, 429, 500]) usage.record(keyOf(0), status)
  usage.record(keyOf(1), 200)
  expect(await counts()).toEqual({})
  await usage.flush()
  expect(await counts()).toEqual({ '0 2026-06-01': [8, 2, 2, 1], '1 2026-06-01': [1, 0, 0, 0] })
  await usage.flush()
  expect(await counts()).toEqual({ '0 2026-06-01': [8, 2, 2, 1], '1 2026-06-01': [1, 0, 0, 0] })
})

test('concurrent processes count without deadlocks', async () => {
  const before = (await counts())['2 2026-06-01'] ?? [0]
  const processes = Array.from({ length: 8 }, () => usageOf({ ...app.deps }))
  for (let round = 0; round < 20; round++) {
    for (const usage of processes) for (const n of round % 2 ? [0, 1, 2] : [2, 1, 0]) usage.record(keyOf(n), 200)
    await Promise.all(processes.map((usage) => usage.flush()))
  }
  expect((await counts())['2 2026-06-01']?.[0]).toBe((before[0] ?? 0) + 160)
})

test('counts that cannot be written are kept and written once later', async () => {
  let isUnavailable = true
  const write = {
    ...app.deps.write,
    run: ((...args) =>
      isUnavailable
        ? Promise.reject(new Error('The database is unavailable.'))
        : app.deps.write.run(...args)) as typeof app.deps.write.run,
  }
  const usage = usageOf({ ...app.deps, write })
  const before = (await counts())['0 2026-06-01']?.[0] ?? 0
  usage.record(keyOf(0), 200)
  await usage.flush()
  usage.record(keyOf(0), 200)
  isUnavailable = false
  await usage.flush()
  expect((await counts())['0 2026-06-01']?.[0]).toBe(before + 2)
})

test('days past the retention are deleted in batches', async () => {
  await app.deps.write.run(
    'oldUsage',
    (sql) => sql`
      insert into key_usage (key_id, day, requests)
      select ${keyOf(0)}, date '2025-04-01' - n, 1 from generate_series(0, 6) n`,
  )
  expect(await deleteOldRows(ctxOf(app.deps), { table: 'key_usage', limit: 4 })).toEqual({ deleted: 4, hasMore: true })
  expect(await deleteOldRows(ctxOf(app.deps), { table: 'key_usage', limit: 4 })).toEqual({ deleted: 2, hasMore: false })
  expect(Object.keys(await counts(430))).toContain('0 2025-04-01')
})

test('a server writes the remaining counts when it stops', async () => {
  const server: TestServer = await startServer({ databaseUrl: app.databaseUrl })
  const key = await app.key(['pros:read'], 'served@test.example')
  const ask = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  for (let n = 0; n < 10; n++) expect((await ask('/api/v1/cities')).status).toBe(200)
  expect((await ask('/api/v1/rfqs?email=a@test.example')).status).toBe(403)
  expect(await server.stop()).toBe(0)
  const [served] = await listKeys(ctxOf(app.deps), { ownerEmail: 'served@test.example' })
  const later = { ...app.deps, clock: { now: () => new Date(Date.now() + DAY_MS) } }
  const written = async () => await listUsage(ctxOf(later), { accountId: served?.accountId ?? '', days: 3 })
  expect(await waitUntil(async () => (await written()).length > 0, 5000)).toBe(true)
  expect(await written()).toMatchObject([{ requests: 11, refused: 1, limited: 0, failed: 0 }])
})
