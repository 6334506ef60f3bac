// Three machines with the stores, a server and workers each, joined to one marketplace.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type postgres from 'postgres'

import { findPostgres } from '../../src/local/binaries.ts'
import { LocalSetupError } from '../../src/local/setup-error.ts'
import { accountOf } from '../../src/local/processes.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { postgresClient } from '../../src/platform/postgres/client.ts'
import { type Machine, OUTSIDE, closeNamespaces, openMachines } from './machine.ts'
import { ensureClusterPackages } from './packages.ts'
import type { Service, Victim } from './service.ts'
import type { ActorName } from '../../workers/runtime/actor-names.ts'
import { hearthEnvironment, runHearth, startHearth } from './hearth.ts'
import { type StoreName, postgresOf, startStores } from './stores.ts'

const MACHINES = 3
/** For the processes of one machine: up to ten, of a second or two of CPU time each, and more on a slow machine. */
const START_MS = 120_000

export type VictimName = StoreName | 'postgres' | 'server' | 'workers'

export interface Node {
  readonly machine: Machine
  readonly victims: Record<VictimName, Victim>
}

export interface Cluster {
  readonly folder: string
  readonly nodes: readonly Node[]
  /** Where each machine's load balancer takes requests for all servers. */
  readonly entrances: readonly string[]
  /** The environment of `hearth` commands. */
  readonly env: Record<string, string>
  /** The address of clients and receivers. */
  readonly outside: string
  /** The URL of Hearth's database on one machine, for the superuser. */
  readonly adminUrl: (node: Node) => string
  /** The machine whose PostgreSQL takes writes; undefined during a failover. */
  primary(): Promise<Node | undefined>
  close(): Promise<void>
}

export interface ClusterOptions {
  /** Gives each machine a network of its own that can be cut. */
  withNamespaces?: boolean
  /** Further environment of the servers and workers. */
  settings?: Record<string, string>
  /** The actors of each machine's workers; all by default. */
  actors?: readonly ActorName[]
}

type Note = (line: string) => void

/** Starts the cluster in a temporary folder, which its end removes. */
export async function openCluster(
  note: Note,
  { withNamespaces = false, settings: own = {}, actors = [] }: ClusterOptions = {},
): Promise<Cluster> {
  await ensureClusterPackages(note)
  const postgres = await findPostgres()
  if (!postgres) throw new LocalSetupError('There is no PostgreSQL with PostGIS here.')
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined
  const folder = mkdtempSync(join(tmpdir(), 'hearth-cluster-'))
  chmodSync(folder, 0o755)
  const machines = await openMachines(MACHINES, folder, withNamespaces)
  const password = randomBytes(18).toString('base64url')
  const stores = machines.map((machine) => startStores(machine, { machines, postgres, account, password }))
  const started: Service[] = stores.flatMap((all) => Object.values(all)).toReversed()
  const close = async () => {
    await Promise.all(started.filter(({ name }) => /^(server|workers)/.test(name)).map((one) => one.stop()))
    await Promise.all(started.map((one) => one.stop()))
    if (withNamespaces) await closeNamespaces(machines.map(({ name }) => name))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const urlOf = superuserUrls(password)
    note('waiting for a primary and a synchronous replica …')
    const primary = await awaitPrimary(machines, (machine) => urlOf(machine, 'postgres'))
    await createDatabase((database) => urlOf(primary, database), password)
    const env = { ...hearthEnvironment(machines, password), ...own }
    note('migrating …')
    await runHearth(primary, env, 'migrate')
    const start = (name: 'server' | 'workers') => {
      note(`waiting for the ${name} …`)
      return startInTurn(machines, name, (machine) => {
        const service = startHearth(name, machine, { env, actors })
        started.unshift(service)
        return service
      })
    }
    const servers = await start('server')
    const workers = await start('workers')
    const nodes = machines.map((machine, n): Node => {
      const [server, work, of] = [servers[n] ?? fail(), workers[n] ?? fail(), stores[n] ?? fail()]
      return { machine, victims: { ...of, postgres: postgresOf(machine), server, workers: work } }
    })
    return {
      folder,
      nodes,
      entrances: machines.map(entranceOf),
      env,
      outside: withNamespaces ? OUTSIDE.namespaces : OUTSIDE.loopback,
      adminUrl: (node) => urlOf(node.machine, 'hearth'),
      primary: async () => {
        const now = await primaryOf(machines)
        return nodes.find(({ machine }) => machine === now)
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

const superuserUrls =
  (password: string) =>
  ({ address }: Machine, database: string): string =>
    `postgres://postgres:${password}@${address}:5432/${database}`

const entranceOf = ({ address }: Machine): string => `http://${address}:8080`

/** Starts one after the other: where machines share cores, thirty processes that begin starve PostgreSQL, and Patroni fails over. */
async function startInTurn(
  machines: readonly Machine[],
  name: 'server' | 'workers',
  start: (machine: Machine) => Service,
): Promise<Service[]> {
  const services: Service[] = []
  for (const machine of machines) {
    services.push(start(machine))
    const url = name === 'server' ? entranceOf(machine) : `http://${machine.address}:9474`
    if (!(await waitUntil(() => isOk(`${url}/readyz`), START_MS, 200)))
      throw new LocalSetupError(`The ${name} of ${machine.name} did not become ready.`)
  }
  return services
}

const fail = (): never => {
  throw new Error('The cluster has no machines.')
}

/** The first machine whose PostgreSQL is the primary and has a replica that confirms its commits. */
async function awaitPrimary(machines: readonly Machine[], urlOf: (machine: Machine) => string): Promise<Machine> {
  let primary: Machine | undefined
  const isSafe = async () => {
    primary = await primaryOf(machines)
    return primary !== undefined && (await countSynchronousReplicas(urlOf(primary))) > 0
  }
  if ((await waitUntil(isSafe, START_MS, 300)) && primary) return primary
  throw new LocalSetupError('Patroni elected no primary with a synchronous replica.')
}

/** The machine that Patroni calls the primary, if one does. */
async function primaryOf(machines: readonly Machine[]): Promise<Machine | undefined> {
  const answers = await Promise.all(machines.map(({ address }) => isOk(`http://${address}:8008/primary`)))
  return machines[answers.indexOf(true)]
}

const isOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  )

const countSynchronousReplicas = (url: string): Promise<number> =>
  withSuperuser(url, async (sql) => {
    const rows = await sql`select from pg_stat_replication where sync_state = 'sync'`
    return rows.length
  }).catch(() => 0)

/** Creates the role and the database of Hearth, with the extensions that only a superuser may create. */
async function createDatabase(urlOf: (database: string) => string, password: string): Promise<void> {
  await withSuperuser(urlOf('postgres'), async (sql) => {
    await sql`select set_config('hearth.password', ${password}, false)`
    await sql`do $$ begin
      execute format('create role hearth login password %L', current_setting('hearth.password'));
    end $$`
    await sql`create database hearth owner hearth`
  })
  await withSuperuser(urlOf('hearth'), async (sql) => {
    for (const extension of ['postgis', 'btree_gist']) await sql`create extension ${sql(extension)}`
  })
}

async function withSuperuser<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgresClient(url, { max: 1, connect_timeout: 2 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
