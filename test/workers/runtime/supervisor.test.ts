// The supervisor restarts crashed and hung processes with growing delay; a stop drains them within a deadline.
import { afterAll, afterEach, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'

import { readConfig } from '../../../src/config.ts'
import { openDeps } from '../../../src/deps.ts'
import { isAlive, readIfExists } from '../../../src/local/processes.ts'
import { waitUntil } from '../../../src/platform/clock/deadlines.ts'
import { type Limits, type Supervisor, type WorkerEvent, startSupervisor } from '../../../workers/runtime/supervisor.ts'
import { ACTOR_NAMES } from '../../../workers/runtime/actor-names.ts'
import { ACTORS } from '../../../workers/runtime/all-actors.ts'
import { databaseLimitsOf } from '../../../workers/runtime/process.ts'
import { connectionsOfPools } from '../../../src/platform/postgres/open-database.ts'
import { cloneDatabase, testSql } from '../../support/database.ts'
import type { RecordingMessage } from '../../support/recording-actor.ts'
import { testRedisUrl } from '../../support/stores.ts'
import { opened } from '../../support/fixture.ts'

const SCRIPT = join(import.meta.dir, '../../support/recording-actor.ts')
const HEARTH = join(import.meta.dir, '../../../src/cli.ts')
const folder = mkdtempSync(join(tmpdir(), 'hearth-supervisor-'))
const logFile = join(folder, 'log')
const database = await opened(cloneDatabase('migrated'), 'drop')
const sql = await opened(testSql(database.url), 'end')
await sql`
    create table handled (
      n bigint generated always as identity, id text, key text, pid integer, attempt integer, began timestamptz,
      ended timestamptz)`
const env: Record<string, string> = {
  PATH: process.env['PATH'] ?? '',
  DATABASE_URL: database.url,
  REDIS_URL: testRedisUrl,
}
const deps = await opened(openDeps(readConfig({ ...env, LOG_LEVEL: 'silent' })))
afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()))
  // Restarted processes write there until their supervisor has stopped.
  for (const output of outputs.splice(0)) closeSync(output)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const supervisors: Supervisor[] = []
const outputs: number[] = []
function supervise(limits: Partial<Limits> = {}, processes = 1, itsEnv = env) {
  const events: WorkerEvent[] = []
  const output = openSync(logFile, 'a')
  outputs.push(output)
  const supervisor = startSupervisor({
    actors: [{ name: 'recording-actor', processes, script: SCRIPT }],
    env: itsEnv,
    output,
    onEvent: (event) => void events.push(event),
    limits: { firstDelayMs: 50, ...limits },
  })
  supervisors.push(supervisor)
  return { supervisor, events }
}

const send = (id: string, data: RecordingMessage) => deps.queues.send('recording-actor', [{ id, data }])
const rows = (id: string) => sql<{ pid: number; ended: string | null }[]>`
  select pid, ended from handled where id = ${id} order by n`
const begun = (id: string) => waitUntil(async () => (await rows(id)).length > 0, 30_000)

test('a process that the system fails to start is started again', async () => {
  const invalidEnv: Record<string, string> = { ...env, SPOILT: 'no text for a system\0' }
  const { supervisor, events } = supervise({}, 1, invalidEnv)
  expect(events).toMatchObject([{ kind: 'ended', how: expect.stringContaining('not started') as string }])
  expect(supervisor.running()).toEqual([])
  delete invalidEnv['SPOILT']
  expect(await waitUntil(() => supervisor.running().length === 1, 5000)).toBe(true)
})

test('as many processes begin at a time as there are cores, and a stop ends the queue', async () => {
  const cores = availableParallelism()
  const { supervisor, events } = supervise({}, cores + 4)
  const started = () => events.filter(({ kind }) => kind === 'started').length
  expect(started()).toBe(cores)
  expect(await waitUntil(() => started() > cores, 10_000)).toBe(true)
  const before = started()
  // Its processes end now, and each end would let the next begin.
  await supervisor.stop()
  expect(started()).toBe(before)
  const { supervisor: other } = supervise({}, cores + 1)
  expect(await waitUntil(() => other.statuses().every(({ isUp }) => isUp), 20_000)).toBe(true)
})

test('a killed process is started again, after a longer delay each time', async () => {
  const { supervisor, events } = supervise({}, 2)
  for (let n = 0; n < 3; n++) {
    const [victim] = supervisor.running()
    process.kill(victim?.pid ?? 0, 'SIGKILL')
    const isBack = () =>
      supervisor.running().length === 2 && supervisor.running().every(({ pid }) => pid !== victim?.pid)
    expect(await waitUntil(isBack, 10_000)).toBe(true)
  }
  const waits = events.flatMap((event) => (event.kind === 'ended' ? [event.againInMs] : []))
  expect(waits).toEqual([50, 100, 200])
  expect(events.filter(({ kind }) => kind === 'started')).toHaveLength(5)
  await send('alive', { ms: 0 })
  expect(await begun('alive')).toBe(true)
})

test('a process whose event loop is blocked is killed, and its message is handled again', async () => {
  const { supervisor, events } = supervise({ silenceMs: 3000 })
  const [first] = supervisor.running()
  await send('spinning', { ms: 0, and: 'spin' })
  expect(await begun('spinning')).toBe(true)
  expect(await waitUntil(() => events.some(({ kind }) => kind === 'hung'), 20_000)).toBe(true)
  expect(await waitUntil(() => !isAlive(first?.pid ?? 0), 5000)).toBe(true)
  expect(await waitUntil(async () => (await rows('spinning')).length > 1, 40_000)).toBe(true)
  expect((await rows('spinning'))[1]?.pid).not.toBe(first?.pid)
}, 90_000)

test('a stop lets processes finish their current messages, within its deadline', async () => {
  const { supervisor, events } = supervise()
  await send('finishing', { ms: 1500 })
  expect(await begun('finishing')).toBe(true)
  await supervisor.stop()
  expect((await rows('finishing'))[0]?.ended).not.toBeNull()
  expect(events.some(({ kind }) => kind === 'killed')).toBe(false)

  const second = supervise({ drainMs: 500 })
  await send('endless', { ms: 60_000 })
  expect(await begun('endless')).toBe(true)
  const startedMs = performance.now()
  await second.supervisor.stop()
  expect(performance.now() - startedMs).toBeLessThan(3000)
  expect(second.events.some(({ kind }) => kind === 'killed')).toBe(true)
  expect(second.supervisor.running()).toEqual([])
}, 60_000)

test('hearth work runs every actor, each with metrics, and stops them all on SIGTERM', async () => {
  const hearth = Bun.spawn([process.execPath, HEARTH, 'work'], {
    env: { ...env, WORKERS_RELAY_OUTBOX: '2' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  const reading = (async () => {
    for await (const chunk of hearth.stdout) output += new TextDecoder().decode(chunk)
  })()
  type Line = { msg?: string; actor?: string; pid?: number; opsUrl?: string }
  const lines = () =>
    output
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line)
  const working = () => lines().filter(({ msg }) => msg === 'working')
  expect(await waitUntil(() => working().length === ACTOR_NAMES.length + 1, 60_000)).toBe(true)
  expect(working().map(({ actor }) => actor)).toEqual(expect.arrayContaining([...ACTOR_NAMES]))
  const opsUrl = lines().find(({ msg }) => msg === 'supervising')?.opsUrl
  expect(await waitUntil(async () => (await fetch(`${opsUrl}/readyz`)).ok, 10_000)).toBe(true)
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
  expect(metrics).toContain('hearth_worker_up{worker="relay-outbox-2",actor="relay-outbox"} 1')
  for (const { actor } of working()) expect(metrics).toContain(`target_info{worker="${actor}-1",`)
  expect(metrics).toContain('hearth_outbox_lag_seconds{worker="relay-outbox-2"}')
  expect(metrics.match(/^# TYPE process_resident_memory_bytes/gm)).toHaveLength(1)
  hearth.kill('SIGTERM')
  expect(await hearth.exited).toBe(0)
  await reading
  expect(working().filter(({ pid }) => isAlive(pid ?? 0))).toEqual([])
}, 90_000)

test('hearth work --together runs all actors in one process, apart from those with another number of processes', async () => {
  const own = { ...env, WORKERS_RELAY_OUTBOX: '2', WORKERS_SWEEP_EXPIRED: '0', DATABASE_CONNECTIONS: '2' }
  const hearth = Bun.spawn([process.execPath, HEARTH, 'work', '--together'], {
    env: own,
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  const reading = (async () => {
    for await (const chunk of hearth.stdout) output += new TextDecoder().decode(chunk)
  })()
  const linesOf = (msg: string) => output.split('\n').filter((line) => line.includes(`"msg":"${msg}"`))
  expect(await waitUntil(() => linesOf('working').length === 3, 60_000)).toBe(true)
  const actors = linesOf('working').map((line) => (JSON.parse(line) as { actor: string }).actor)
  const shared = ACTOR_NAMES.filter((name) => name !== 'relay-outbox' && name !== 'sweep-expired')
  expect(actors.toSorted()).toEqual([shared.join(', '), 'relay-outbox', 'relay-outbox'])
  const { opsUrl } = JSON.parse(linesOf('supervising')[0] ?? '{}') as { opsUrl: string }
  expect(await waitUntil(async () => (await fetch(`${opsUrl}/readyz`)).ok, 10_000)).toBe(true)
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text()
  expect(metrics).toContain('hearth_worker_up{worker="workers-1",actor="workers"} 1')
  for (const actor of ['deliver-webhooks', 'run-agent-tasks'])
    expect(metrics).toContain(`hearth_actor_dead_letters{worker="workers-1",actor="${actor}"}`)
  const connected = await sql<{ count: number }[]>`
    select count(*)::int from pg_stat_activity where application_name = 'hearth-workers'`
  const limits = databaseLimitsOf(shared.map((name) => ACTORS[name]))
  expect(limits.length).toBe(2)
  expect(connected[0]?.count).toBeWithin(1, limits.length * connectionsOfPools(2) + 1)
  const doctor = Bun.spawn([process.execPath, HEARTH, 'doctor'], { env: own, stdout: 'pipe' })
  const found = await doctor.stdout.text()
  for (const name of shared) expect(found).toMatch(new RegExp(`^✓ ${name} +running$`, 'm'))
  hearth.kill('SIGTERM')
  expect(await hearth.exited).toBe(0)
  await reading
}, 90_000)

test('hearth work --together takes no names', async () => {
  const run = Bun.spawn([process.execPath, HEARTH, 'work', '--together', 'relay-outbox'], { env, stderr: 'pipe' })
  expect(await run.stderr.text()).toStartWith('hearth: --together runs all actors: ')
  expect(await run.exited).toBe(1)
})

test('hearth work lists the actors when an unknown one is requested', async () => {
  const run = Bun.spawn([process.execPath, HEARTH, 'work', 'herd-cats'], { env, stderr: 'pipe' })
  expect(await run.stderr.text()).toBe(`hearth: Unknown actor "herd-cats". Actors: ${ACTOR_NAMES.join(', ')}.\n`)
  expect(await run.exited).toBe(1)
  expect(readIfExists(logFile)).not.toContain('herd-cats')
})
