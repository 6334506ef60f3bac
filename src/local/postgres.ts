// Opens a PostgreSQL with PostGIS: an existing server by URL, or a private cluster in a folder.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type postgres from 'postgres'

import { hostsAndPath, socketUrl } from '../platform/postgres/address.ts'
import { postgresClient } from '../platform/postgres/client.ts'
import { primaryUrl } from '../platform/postgres/primary.ts'
import { OLDEST_POSTGRES, findPostgres, listPostgres } from './binaries.ts'
import { lockFolder } from '../platform/folder-lock.ts'
import {
  type Cluster,
  SUPERUSER,
  findRunning,
  logOf,
  socketFolderOf,
  ensureData,
  startCluster,
  stopCluster,
  dataVersion,
} from './cluster.ts'
import { type StoreFolder, passwordFileIn, passwordIn, prepareFolder } from './store-folder.ts'
import { type Note, ensureInstalled } from './install.ts'
import { type Profile, fitsSocketIn } from './postgres-settings.ts'
import { LocalSetupError, explainDiskError } from './setup-error.ts'
import { readIfExists } from './processes.ts'
import { waitUntil } from '../platform/clock/deadlines.ts'

export interface PostgresOptions {
  /** The folder of this stack, such as `.hearth/dev`; the cluster is `<dir>/postgres`. */
  dir: string
  profile: Profile
  note: Note
  /** An existing server: it is checked and never started or stopped. */
  url?: string | undefined
  /** The preferred port; defaults to the previous one. Any free port is used when it is taken. */
  port?: number
}

export interface LocalPostgres {
  /** URL of a superuser. `dev` and `bench`: the database `hearth`; `test`: the database `postgres`. */
  readonly url: string
  readonly logFile: string
  /** False when it was already running: a server given by URL, or one left by a killed command. */
  readonly started: boolean
  /** Whether its process runs; true for a server given by URL. */
  isRunning(): Promise<boolean>
  stop(): Promise<void>
  /** Stops like a crash: writes no checkpoint, the next start recovers. */
  stopImmediately(): Promise<void>
  /** Restarts it on the same port, also after it died. */
  restart(): Promise<void>
}

/** Opens PostgreSQL. Throws a {@link LocalSetupError} when this machine cannot. */
export async function openPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  if (options.url) return openExisting(options.url)
  const lock = lockFolder(options.dir, 'postgres-claim')
  if (!lock) throw new LocalSetupError(`Another command uses the PostgreSQL of ${options.dir}.`)
  try {
    return await openPrivate(options, lock.release)
  } catch (error) {
    lock.release()
    throw explainDiskError(error)
  }
}

async function openPrivate(options: PostgresOptions, release: () => void): Promise<LocalPostgres> {
  const { dir, profile, note } = options
  const folder = await prepareStore(dir, note)
  const cluster: Cluster = { folder, profile, binaries: await binariesFor(folder), password: passwordOf(folder) }
  await ensureData(cluster, note)
  const portFile = join(folder.path, 'port')
  const adopted = await adopt(cluster, note)
  const port = adopted ?? (await startCluster(cluster, options.port ?? (Number(readIfExists(portFile)) || undefined)))
  writeFileSync(portFile, String(port), { mode: 0o600 })
  const urlOf = (database: string) => urlOn(cluster, port, database)
  if (profile !== 'test') await ensureDatabase(urlOf('postgres'), 'hearth')
  return {
    url: urlOf(profile === 'test' ? 'postgres' : 'hearth'),
    logFile: logOf(cluster),
    started: adopted === undefined,
    isRunning: async () => (await findRunning(cluster)) !== undefined,
    stop: () => stopCluster(cluster, 'fast').finally(release),
    stopImmediately: () => stopCluster(cluster, 'immediate'),
    restart: async () => {
      await stopCluster(cluster, 'fast')
      const now = await startCluster(cluster, port)
      if (now === port) return
      await stopCluster(cluster, 'fast')
      throw new LocalSetupError(`Port ${port} was taken while PostgreSQL was down.`)
    },
  }
}

/** The URL of its socket when the path fits one. It also contains host and port, for clients that only use TCP. */
function urlOn(cluster: Cluster, port: number, database: string): string {
  const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`
  const folder = socketFolderOf(cluster)
  return fitsSocketIn(folder) ? socketUrl(url, folder) : url
}

async function prepareStore(dir: string, note: Note): Promise<StoreFolder> {
  await ensureInstalled({ postgres: true, redis: false }, note)
  // After the installation, which creates the user `postgres`.
  const folder = await prepareFolder(dir, 'postgres', ['postgres', 'nobody'])
  if (!folder.path.startsWith('/var/lib/hearth/') || dataVersion(folder)) return folder
  note(`PostgreSQL's user cannot enter this folder; its data is in ${folder.path}`)
  return folder
}

/** A data folder works only with the PostgreSQL version that created it. */
async function binariesFor(folder: StoreFolder) {
  const major = dataVersion(folder)
  const binaries = await findPostgres(major)
  if (binaries) return binaries
  const others = (await listPostgres()).map((one) => one.major).join(', ')
  throw new LocalSetupError(`${folder.path}/data was created by PostgreSQL ${major}, and this machine has only ${others}.
Install PostgreSQL ${major} with PostGIS, or remove ${folder.path} to start with an empty database.`)
}

function passwordOf(folder: StoreFolder): string {
  const path = passwordFileIn(folder)
  if (dataVersion(folder) && !existsSync(path))
    throw new LocalSetupError(
      `${path} is missing, so Hearth cannot log in. Restore it, or remove ${folder.path} to start over.`,
    )
  return passwordIn(folder)
}

/** Reuses a server left by a killed command if it responds, and stops it if it does not. */
async function adopt(cluster: Cluster, note: Note): Promise<number | undefined> {
  const port = await findRunning(cluster)
  if (port === undefined) return undefined
  if (await waitUntil(() => answers(urlOn(cluster, port, 'postgres')), 15_000, 200)) {
    note('reusing the PostgreSQL that is still running')
    return port
  }
  note('stopping an earlier PostgreSQL that does not respond')
  await stopCluster(cluster, 'immediate')
  return undefined
}

const answers = (url: string) =>
  withConnection(url, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  )

async function ensureDatabase(url: string, name: string) {
  await withConnection(url, async (sql) => {
    const [row] = await sql`select 1 from pg_database where datname = ${name}`
    if (!row) await sql`create database ${sql(name)}`
  })
}

async function openExisting(url: string): Promise<LocalPostgres> {
  const where = hostsAndPath(url)
  const checked = await withConnection(url, async (sql) => {
    const [row] = await sql<{ version: number; postgis: boolean }[]>`
      select current_setting('server_version_num')::int / 10000 as version,
        exists (select from pg_available_extensions where name = 'postgis') as postgis`
    return row
  }).catch((error: unknown) => {
    const reason =
      error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
    throw new LocalSetupError(`Cannot use the PostgreSQL at ${where} (DATABASE_URL): ${reason}`)
  })
  if (!checked || checked.version < OLDEST_POSTGRES)
    throw new LocalSetupError(`The PostgreSQL at ${where} (DATABASE_URL) is older than ${OLDEST_POSTGRES}.`)
  if (!checked.postgis) throw new LocalSetupError(`The PostgreSQL at ${where} (DATABASE_URL) has no PostGIS installed.`)
  const leaveAlone = () => Promise.resolve()
  return {
    url,
    logFile: '',
    started: false,
    isRunning: () => Promise.resolve(true),
    stop: leaveAlone,
    stopImmediately: leaveAlone,
    restart: leaveAlone,
  }
}

async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgresClient(await primaryUrl(url), { max: 1, connect_timeout: 5 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
