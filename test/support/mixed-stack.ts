// A marketplace on a slow disk: a primary whose commits wait, a replica that is read from, two servers and all workers.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { SizeOptions } from '../../bench/support/options.ts'
import { fillSizeSet } from '../../bench/support/size-set.ts'
import { readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { ACTOR_NAMES, processCounts } from '../../workers/runtime/actor-names.ts'
import { startSupervisor } from '../../workers/runtime/supervisor.ts'
import { type PostgresNode, openReplicatedPostgres } from './replicated-postgres.ts'
import { type TestServer, startServer } from './server.ts'
import { testRedisUrl } from './stores.ts'

const SERVERS = 2
/** How long PostgreSQL waits before it flushes a commit, as on a slow disk. */
const COMMIT_MS = 10
const START_MS = 30_000
const SECRET = 'a secret that all processes of this test share'

export interface MixedStack {
  readonly primary: PostgresNode
  readonly replica: PostgresNode
  readonly servers: readonly TestServer[]
  /** What an operator of the marketplace works with. */
  readonly deps: Deps
  /** The states of the replica as each server knows it. */
  readonly replicaStates: () => Promise<string[]>
  close(): Promise<void>
}

export async function openMixedStack(size: SizeOptions): Promise<MixedStack> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-mixed-'))
  const closes: (() => unknown)[] = [() => rmSync(dir, { recursive: true, force: true })]
  const close = async () => {
    for (const one of closes.splice(0).toReversed()) await one()
  }
  try {
    const postgres = await openReplicatedPostgres(1, (sql) => fill(sql, size))
    closes.push(() => postgres.close())
    const { primary } = postgres
    const [replica] = postgres.replicas
    if (!replica) throw new Error('There is no replica.')
    const env = {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      REDIS_URL: testRedisUrl,
      HEARTH_SECRET: SECRET,
      FEATURE_PRO_MCP: 'true',
    }
    const deps = openDeps(readConfig({ ...env, DATABASE_READ_URL: '', LOG_LEVEL: 'silent' }))
    closes.push(() => deps.close())

    const workerLog = join(dir, 'workers.log')
    const output = openSync(workerLog, 'a')
    const supervisor = startSupervisor({
      actors: processCounts(ACTOR_NAMES, new Map()),
      env: { PATH: process.env['PATH'], ...env },
      output,
      onEvent: () => undefined,
    })
    closes.push(async () => {
      await supervisor.stop()
      closeSync(output)
      if (process.env['HEARTH_CHAOS_LOG']) process.stdout.write(readFileSync(workerLog, 'utf8'))
    })
    const servers: TestServer[] = []
    closes.push(() => Promise.all(servers.map((server) => server.stop())))
    for (let n = 0; n < SERVERS; n++) servers.push(await startServer({ databaseUrl: primary.url, env }))
    if (!(await waitUntil(() => supervisor.statuses().every(({ isUp }) => isUp), START_MS)))
      throw new Error(`The workers do not run. They printed:\n${readFileSync(workerLog, 'utf8')}`)
    const stack = { primary, replica, servers, deps, replicaStates: () => replicaStates(servers), close }
    if (!(await waitUntil(async () => (await stack.replicaStates()).every((state) => state === 'used'), START_MS)))
      throw new Error('The servers do not read from the replica.')
    return stack
  } catch (error) {
    await close()
    throw error
  }
}

async function fill(sql: Sql, size: SizeOptions): Promise<void> {
  await fillSizeSet(sql, size, () => undefined)
  // The rows of the set were loaded without triggers.
  await sql`select rebuild_pro_revenue(null)`
  const [database] = await sql<{ name: string }[]>`select current_database() as name`
  await sql`alter database ${sql(database?.name ?? '')} set commit_siblings = 0`
  await sql.unsafe(`alter database ${database?.name} set commit_delay = ${COMMIT_MS * 1000}`)
}

async function replicaStates(servers: readonly TestServer[]): Promise<string[]> {
  const read = async ({ url }: TestServer) => {
    const body = (await (await fetch(`${url}/readyz`)).json()) as { replicas?: { state: string }[] }
    return body.replicas?.map(({ state }) => state) ?? ['unknown']
  }
  return (await Promise.all(servers.map(read))).flat()
}
