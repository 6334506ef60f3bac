// A PostgreSQL with PostGIS to work with: the one named, or a private one kept in a folder.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import type postgres from 'postgres'

import { overSocket } from '../platform/postgres/address.ts'
import { postgresClient } from '../platform/postgres/client.ts'
import { OLDEST_POSTGRES, findPostgres, listPostgres } from './binaries.ts'
import { lockFolder } from './folder-lock.ts'
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
import { type StoreFolder, prepareFolder } from './store-folder.ts'
import { type Note, ensureInstalled } from './install.ts'
import { type Profile, fitsSocketIn } from './postgres-settings.ts'
import { LocalSetupError, explainDiskError } from './setup-error.ts'
import { readIfExists } from './processes.ts'
import { waitUntil } from '../platform/clock/deadlines.ts'

export interface PostgresOptions {
  /** Holds everything of this stack, such as `.hearth/dev`; the cluster is `<dir>/postgres`. */
  dir: string
  profile: Profile
  note: Note
  /** A server that exists already: it is checked, and left alone afterwards. */
  url?: string | undefined
  /** The port to use if it is free; otherwise the one used last time, or any. */
  port?: number
}

export interface LocalPostgres {
  /** `dev` and `bench`: the database `hearth`; `test`: the database `postgres`, to make others from. A superuser. */
  readonly url: string
  readonly logFile: string
  /** False when it ran already (a server named by URL, or one left over by a command that was killed). */
  readonly started: boolean
  stop(): Promise<void>
  /** Stops as a crash would: nothing is written out, the next start recovers. */
  stopImmediately(): Promise<void>
  /** Starts it again on the same port. */
  restart(): Promise<void>
}

/** Opens PostgreSQL. Throws a {@link LocalSetupError} when that is not possible here. */
export async function openPostgres(options: PostgresOptions): Promise<LocalPostgres> {
  if (options.url) return openExisting(options.url)
  const claim = lockFolder(options.dir, 'postgres-claim')
  if (!claim) throw new LocalSetupError(`Another command uses the PostgreSQL of ${options.dir}.`)
  try {
    return await openPrivate(options, claim.release)
  } catch (error) {
    claim.release()
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
  writeFileSync(portFile, String(port))
  const urlOf = (database: string) => urlOn(cluster, port, database)
  if (profile !== 'test') await ensureDatabase(urlOf('postgres'), 'hearth')
  return {
    url: urlOf(profile === 'test' ? 'postgres' : 'hearth'),
    logFile: logOf(cluster),
    started: adopted === undefined,
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

/** By its socket, where that has a place; whoever knows TCP alone finds host and port in it as well. */
function urlOn(cluster: Cluster, port: number, database: string): string {
  const url = `postgres://${SUPERUSER}:${cluster.password}@127.0.0.1:${port}/${database}`
  const folder = socketFolderOf(cluster)
  return fitsSocketIn(folder) ? overSocket(url, folder) : url
}

async function prepareStore(dir: string, note: Note): Promise<StoreFolder> {
  await ensureInstalled({ postgres: true, redis: false }, note)
  // After the installation: that is what makes the user `postgres`.
  const folder = await prepareFolder(dir, 'postgres', ['postgres', 'nobody'])
  if (!folder.path.startsWith('/var/lib/hearth/') || dataVersion(folder)) return folder
  note(`PostgreSQL's user cannot enter this folder: its data is kept in ${folder.path}`)
  return folder
}

/** A data folder can only be used by the version that made it. */
async function binariesFor(folder: StoreFolder) {
  const major = dataVersion(folder)
  const binaries = await findPostgres(major)
  if (binaries) return binaries
  const others = (await listPostgres()).map((one) => one.major).join(', ')
  throw new LocalSetupError(`${folder.path}/data was made by PostgreSQL ${major}, and here is only ${others}.
Install PostgreSQL ${major} with PostGIS, or remove ${folder.path} to begin with an empty database.`)
}

function passwordOf(folder: StoreFolder): string {
  const path = join(folder.path, 'password')
  if (existsSync(path)) return readFileSync(path, 'utf8')
  if (dataVersion(folder))
    throw new LocalSetupError(
      `${path} is gone, so nobody can log in. Put it back, or remove ${folder.path} to begin anew.`,
    )
  const password = randomBytes(24).toString('base64url')
  writeFileSync(path, password, { mode: 0o600 })
  return password
}

/** A server left over by a command that was killed is used again if it answers, and stopped if it does not. */
async function adopt(cluster: Cluster, note: Note): Promise<number | undefined> {
  const port = await findRunning(cluster)
  if (port === undefined) return undefined
  if (await waitUntil(() => answers(urlOn(cluster, port, 'postgres')), 15_000, 200)) {
    note('found PostgreSQL still running from last time')
    return port
  }
  note('stopping a PostgreSQL from last time that does not answer')
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
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    if (!found) await sql`create database ${sql(name)}`
  })
}

async function openExisting(url: string): Promise<LocalPostgres> {
  const where = new URL(url).host
  const checked = await withConnection(url, async (sql) => {
    const [row] = await sql<{ version: number; postgis: boolean }[]>`
      select current_setting('server_version_num')::int / 10000 as version,
        exists (select from pg_available_extensions where name = 'postgis') as postgis`
    return row
  }).catch((error: unknown) => {
    const why =
      error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : String(error)
    throw new LocalSetupError(`Cannot use the PostgreSQL at ${where} (DATABASE_URL): ${why}`)
  })
  if (!checked || checked.version < OLDEST_POSTGRES)
    throw new LocalSetupError(`The PostgreSQL at ${where} (DATABASE_URL) is older than ${OLDEST_POSTGRES}.`)
  if (!checked.postgis) throw new LocalSetupError(`The PostgreSQL at ${where} (DATABASE_URL) has no PostGIS installed.`)
  const leaveAlone = () => Promise.resolve()
  return { url, logFile: '', started: false, stop: leaveAlone, stopImmediately: leaveAlone, restart: leaveAlone }
}

async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgresClient(url, { max: 1, connect_timeout: 5 })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
