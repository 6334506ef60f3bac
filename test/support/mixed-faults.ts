// What happens to the stores of a marketplace under mixed load: a replica that lags, a client that freezes, a full connection table.
import { join } from 'node:path'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { connect } from '../../src/platform/postgres/open-database.ts'
import { CHANGE, type MixedLoad } from './mixed-load.ts'
import type { MixedStack } from './mixed-stack.ts'

const FREEZING_PROGRAM = join(import.meta.dir, 'freezing-program.ts')
const FROZEN = 'hearth-test-frozen'
/** More than REPLICA_MAX_LAG_MS. */
const DELAY_MS = 4000
/** Requests that are sent while a fault lasts, besides those that start and end it. */
const REQUESTS = 100
/** A client that sends nothing holds its locks for no longer. */
const HELD_MS = 10_000
/** For a machine that is busy with other tests. */
const SLACK_MS = 4000
const WAIT_MS = 30_000

export type Fault = (stack: MixedStack, load: MixedLoad) => Promise<string>

/** The faults by name. Each ends what it has begun, and returns what it saw. */
export const FAULTS: Record<string, Fault> = {
  'lagging replica': lagReplica,
  'frozen client': freezeClient,
  'full connection table': fillConnections,
}

async function lagReplica({ replica, replicaStates }: MixedStack, load: MixedLoad): Promise<string> {
  const delay = async (ms: number) => {
    await replica.sql.unsafe(`alter system set recovery_min_apply_delay = ${ms}`)
    await replica.sql`select pg_reload_conf()`
  }
  await delay(DELAY_MS)
  try {
    await until('both servers say that the replica is behind', async () =>
      (await replicaStates()).every((state) => state === 'behind'),
    )
    await requestsWereSent(load)
  } finally {
    await delay(0)
  }
  await until('both servers use the replica', async () => (await replicaStates()).every((state) => state === 'used'))
  return `${DELAY_MS} ms behind`
}

/** Freezes a client that has changed half of the pros and holds their locks. */
async function freezeClient({ primary }: MixedStack, load: MixedLoad): Promise<string> {
  const ids = load.pros.slice(0, load.pros.length / 2).map(({ id }) => id)
  const program = Bun.spawn([process.execPath, FREEZING_PROGRAM, primary.url, ids.join()], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  try {
    const { value } = await program.stdout.getReader().read()
    if (new TextDecoder().decode(value) !== 'changed\n') throw new Error('The client did not change the pros.')
    program.kill('SIGSTOP')
    const startedMs = performance.now()
    // The counters of a place need no lock that all changes there wait for.
    await until('a change of another pro in the same place is served', () =>
      load.samples.some(
        ({ route, proId, status, atMs }) =>
          route === CHANGE && status === 200 && atMs > startedMs && !ids.includes(proId),
      ),
    )
    const limitMs = HELD_MS + SLACK_MS
    const isOver = async () =>
      (await primary.sql`select from pg_stat_activity where application_name = ${FROZEN}`).length === 0
    if (!(await waitUntil(isOver, limitMs))) throw new Error(`The frozen client kept its locks for ${limitMs} ms.`)
    return `held the locks of ${ids.length} pros for ${((performance.now() - startedMs) / 1000).toFixed(1)} s`
  } finally {
    program.kill('SIGKILL')
    await program.exited
  }
}

/** Takes all connections, and ends those of the servers, which then get no new ones. */
async function fillConnections({ primary }: MixedStack, load: MixedLoad): Promise<string> {
  const [row] = await primary.sql<{ max: number }[]>`select current_setting('max_connections')::integer as max`
  const max = row?.max ?? 0
  const filler = connect(primary.url, max, { applicationName: 'hearth-test-filler' })
  const fill = async () => {
    const taken = await Promise.allSettled(Array.from({ length: max }, () => filler`select pg_sleep(0.5)`))
    return taken.filter((one) => one.status === 'rejected').length
  }
  try {
    const refusedAtFirst = await fill()
    if (refusedAtFirst === 0) throw new Error('PostgreSQL refused no connection.')
    await primary.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'hearth' and state = 'idle'`
    await fill()
    const [held] = await primary.sql<{ fillers: number }[]>`
      select count(*) as fillers from pg_stat_activity where application_name = 'hearth-test-filler'`
    await requestsWereSent(load)
    return `${held?.fillers} of ${max} connections taken`
  } finally {
    await filler.end({ timeout: 1 })
  }
}

async function requestsWereSent({ samples }: MixedLoad): Promise<void> {
  const before = samples.length
  await until('requests are answered', () => samples.length > before + REQUESTS)
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  if (!(await waitUntil(holds, WAIT_MS, 50))) throw new Error(`Not within ${WAIT_MS} ms: ${what}.`)
}
