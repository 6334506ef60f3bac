// `hearth up` restarts a PostgreSQL or Redis that died, says so, and stops cleanly meanwhile.
import { afterEach, describe, expect, test } from 'bun:test'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { Redis } from 'ioredis'

import { type WatchedStore, watchStore } from '../../../src/commands/up/stores.ts'
import { findFreePort } from '../../../src/local/ports.ts'
import { isAlive } from '../../../src/local/processes.ts'
import { readLocalStack } from '../../../src/local/stack.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { testSql } from '../../support/database.ts'
import { newFolder, processesOf, startUp, stopRunning } from '../../support/running-up.ts'

afterEach(stopRunning)

/** The processes of the stores, and the data folder of PostgreSQL. */
async function storesOf(home: string) {
  const stack = readLocalStack(home)
  if (!stack) throw new Error('Hearth does not run.')
  const sql = testSql(stack.databaseUrl, 1)
  const redis = new Redis(stack.redisUrl)
  try {
    const [row] = await sql<{ pid: number; data: string }[]>`
      select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid, current_setting('data_directory') as data`
    const redisPid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1])
    return { postgres: row?.pid ?? 0, redis: redisPid, data: row?.data ?? '' }
  } finally {
    redis.disconnect()
    await sql.end()
  }
}

/** A client that books as the panel's example does, at the next open time. */
function clientOf(home: string, port: string, output: string) {
  const demo = JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as { keys: { server: string } }
  const example = JSON.parse(/-d '(\{.*\})'/.exec(output)?.[1] ?? '{}') as { professionalId: string; serviceId: string }
  const api = `http://127.0.0.1:${port}/api/v1`
  const headers = { authorization: `Bearer ${demo.keys.server}`, 'content-type': 'application/json' }
  const book = async () => {
    const times = await fetch(`${api}/pros/${example.professionalId}/availability?serviceId=${example.serviceId}`)
    if (!times.ok) return undefined
    const { nextAvailable } = (await times.json()) as { nextAvailable: { date: string; time: string } }
    const body = JSON.stringify({ ...example, date: nextAvailable.date, time: nextAvailable.time })
    const response = await fetch(`${api}/bookings`, { method: 'POST', headers, body })
    const { booking } = (await response.json()) as { booking?: { confirmationCode: string } }
    return booking?.confirmationCode
  }
  return {
    book,
    search: () => fetch(`${api}/pros?limit=3`).then(({ status }) => status),
    find: (code: string) => fetch(`${api}/bookings?code=${code}`).then(({ status }) => status),
  }
}

test('killed stores are restarted with a line for each step, bookings and searches work again, and no data is lost', async () => {
  const home = newFolder()
  const port = String(await findFreePort())
  const up = startUp(home, { PORT: port })
  const client = clientOf(home, port, await up.printed('# Book that time'))
  const first = (await client.book()) ?? ''
  expect(first).toStartWith('HTH-')
  const killed = await storesOf(home)
  process.kill(killed.postgres, 'SIGKILL')
  process.kill(killed.redis, 'SIGKILL')
  await up.printed('PostgreSQL died; restarting it in 1 s')
  await up.printed('Redis died; restarting it in 1 s')
  await up.printed('PostgreSQL is back after ')
  await up.printed('Redis is back after ')
  expect(await waitUntil(async () => (await client.search()) === 200, 20_000)).toBe(true)
  expect(await client.find(first)).toBe(200)
  let second: string | undefined
  expect(await waitUntil(async () => (second = await client.book()) !== undefined, 20_000, 100)).toBe(true)
  expect(await client.find(second ?? '')).toBe(200)
  const running = await storesOf(home)
  expect([running.postgres === killed.postgres, running.redis === killed.redis]).toEqual([false, false])
  expect(await up.end('SIGINT')).toBe(0)
  expect(processesOf(home)).toEqual([])
}, 120_000)

test('a store that cannot start is reported with its reason, the attempts go on, and Ctrl-C stops everything', async () => {
  const home = newFolder()
  const up = startUp(home, { PORT: String(await findFreePort()) })
  await up.printed('Try it')
  const { postgres, data } = await storesOf(home)
  appendFileSync(join(data, 'postgresql.conf'), "\nno_such_setting = 'on'\n")
  process.kill(postgres, 'SIGKILL')
  const output = await up.printed('Trying again in 4 s')
  const line = output.split('\n').find((each) => each.includes('Trying again'))
  expect(line).toMatch(
    /PostgreSQL did not start: .*no_such_setting.*\. Trying again in 2 s$|contains errors. Trying again in 2 s$/,
  )
  expect(await up.end('SIGINT')).toBe(0)
  expect(isAlive(postgres)).toBe(false)
  expect(processesOf(home)).toEqual([])
}, 120_000)

describe('the watch of a store', () => {
  /** A store whose restarts take as long as the test says. */
  function openStore() {
    const notes: string[] = []
    const state = { isRunning: false, restarts: 0, failures: 0, stops: 0 }
    const release = Promise.withResolvers<void>()
    const store: WatchedStore = {
      isRunning: () => Promise.resolve(state.isRunning),
      restart: async () => {
        state.restarts++
        if (state.restarts <= state.failures) throw new Error('No space left on device\nIts log is x.')
        await release.promise
        state.isRunning = true
      },
      stop: () => {
        state.stops++
        release.resolve()
        return Promise.resolve()
      },
    }
    return { notes, state, store, note: (line: string) => notes.push(line), finish: () => release.resolve() }
  }

  test('waits twice as long after each failed attempt', async () => {
    const { notes, state, store, note, finish } = openStore()
    state.failures = 1
    finish()
    const watch = watchStore('Redis', store, note)
    expect(await waitUntil(() => notes.length === 3, 10_000)).toBe(true)
    await watch.close()
    expect(notes).toEqual([
      'Redis died; restarting it in 1 s',
      'No space left on device. Trying again in 2 s',
      expect.stringMatching(/^Redis is back after [345] s$/),
    ])
  })

  test('ends at once while it waits, and stops a store whose restart takes long', async () => {
    const waiting = openStore()
    const early = watchStore('Redis', waiting.store, waiting.note)
    await early.close()
    expect([waiting.state.restarts, waiting.state.stops]).toEqual([0, 0])
    const slow = openStore()
    const watch = watchStore('Redis', slow.store, slow.note)
    expect(await waitUntil(() => slow.state.restarts === 1, 5000)).toBe(true)
    await watch.close()
    expect(slow.state.stops).toBe(1)
  })
})
