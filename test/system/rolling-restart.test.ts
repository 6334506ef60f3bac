// A rolling restart of two servers on one port loses no request. The clients retry nothing.
import { expect, test } from 'bun:test'

import { findFreePort } from '../../src/local/ports.ts'
import { openBookingClient } from '../support/booking-client.ts'
import { startLoad } from '../support/booking-load.ts'
import { cloneDatabase, testSql } from '../support/database.ts'
import { longForm } from '../support/long-form.ts'
import { PATIENT, type TestServer, startServer } from '../support/server.ts'
import { opened } from '../support/fixture.ts'

const RESTARTS = longForm(4, 40)
const REQUESTS = longForm(6000, 100_000)
const clone = await opened(cloneDatabase('migrated'), 'drop')
const booking = await openBookingClient(clone.url, ['bookings:write', 'availability:read'])
const sql = await opened(testSql(clone.url, 2), 'end')

test(
  'requests during a rolling restart of servers that share a port all succeed, and each booking is made exactly once',
  async () => {
    const port = await findFreePort()
    const start = () => startServer({ databaseUrl: clone.url, port, env: { HTTP_PROCESSES: '2', ...PATIENT } })
    const servers: TestServer[] = [await start(), await start()]
    const { load, end } = startLoad(servers[0]?.url ?? '', booking, {
      clients: 32,
      paths: ['/api/v1/services', `/api/v1/pros/${booking.pro.id}/availability`],
    })
    let restarts = 0
    for (; restarts < RESTARTS || load.requests < REQUESTS; restarts++) {
      servers.push(await start())
      expect(await servers.shift()?.stop()).toBe(0)
    }
    await end()
    await Promise.all(servers.map((server) => server.stop()))
    process.stdout.write(
      `${restarts} restarts, ${load.requests} requests, the longest ${Math.round(load.longestMs())} ms: `,
    )
    process.stdout.write(`${JSON.stringify(Object.fromEntries(load.outcomes))}\n`)
    expect([...load.outcomes.keys()].toSorted()).toEqual(['GET 200', 'POST 201'])
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from bookings`
    expect(row?.count).toBe(load.keys.size)
    expect([...load.codes.values()].every((codes) => codes.size === 1)).toBe(true)
  },
  longForm(240_000, 2_400_000),
)
