// A node that answers late is busy: what asks it must not make it busier, by connections whose logins cost more than answers.
import { expect, test } from 'bun:test'

import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { connect } from '../../../src/platform/postgres/open-database.ts'
import { watchNode } from '../../../src/platform/postgres/node-watch.ts'
import { checkOnceReachable } from '../../../src/platform/start-checks.ts'
import { StoreUnavailable } from '../../../src/platform/store-error.ts'
import { openBlockedProxy } from '../../support/blocked-proxy.ts'
import { databaseUrl, withoutSocket } from '../../support/database.ts'

test('a watched node that answers late counts as silent meanwhile, and keeps its connection', async () => {
  const proxy = await openBlockedProxy(withoutSocket(databaseUrl('postgres')))
  const node = watchNode(proxy.url, () => undefined)
  try {
    await node.asked
    expect([node.status, node.failure]).toEqual([undefined, expect.any(StoreUnavailable)])
    expect(await waitUntil(() => proxy.clients() > 1, 1000)).toBe(false)
    proxy.open()
    expect(await waitUntil(() => node.status?.acceptsWrites === true, 5000)).toBe(true)
    expect(proxy.clients()).toBe(1)
  } finally {
    await node.close()
    proxy.stop()
  }
})

test('a watched node whose connection stays silent gets another one', async () => {
  const proxy = await openBlockedProxy(withoutSocket(databaseUrl('postgres')))
  proxy.open()
  const node = watchNode(proxy.url, () => undefined)
  try {
    expect(await waitUntil(() => node.status !== undefined, 5000)).toBe(true)
    proxy.silence()
    expect(await waitUntil(() => node.status === undefined, 5000)).toBe(true)
    expect(await waitUntil(() => node.status !== undefined, 10_000)).toBe(true)
    expect(proxy.clients()).toBe(2)
  } finally {
    await node.close()
    proxy.stop()
  }
}, 30_000)

test('a pool whose statements may take long gives a login that is late more time', async () => {
  const proxy = await openBlockedProxy(withoutSocket(databaseUrl('postgres')))
  const sql = connect(proxy.url, 1, { applicationName: 'hearth-test', statementTimeoutMs: 30_000 })
  try {
    const answer = sql`select 1 as one`.execute()
    // Others give up after a second, and try again.
    expect(await waitUntil(() => proxy.clients() > 1, 2500)).toBe(false)
    proxy.open()
    expect([...(await answer)]).toEqual([{ one: 1 }])
    expect(proxy.clients()).toBe(1)
  } finally {
    await sql.end()
    proxy.stop()
  }
}, 20_000)

test('a check at the start is repeated after longer and longer pauses, and refuses what it then finds', async () => {
  const calledAtMs: number[] = []
  const refused = Promise.withResolvers<unknown>()
  const check = () => {
    calledAtMs.push(performance.now())
    throw calledAtMs.length < 4 ? new StoreUnavailable('postgres') : new Error('a wrong URL')
  }
  // The timers of checks keep no process running.
  const running = setInterval(() => undefined, 1000)
  await checkOnceReachable(check, refused.resolve, 50)
  expect(String(await refused.promise)).toBe('Error: a wrong URL')
  clearInterval(running)
  const pauses = calledAtMs.slice(1).map((at, n) => at - (calledAtMs[n] ?? at))
  for (const [n, leastMs] of [50, 100, 200].entries()) expect(pauses[n]).toBeGreaterThanOrEqual(leastMs - 1)
})
