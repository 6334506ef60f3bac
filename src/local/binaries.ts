// Finds the PostgreSQL (with PostGIS) and Redis binaries on this machine.
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { runTool } from './processes.ts'

/** The oldest version Hearth's SQL supports (NULLS NOT DISTINCT came with 15). */
export const OLDEST_POSTGRES = 15
/** The oldest version BullMQ supports. */
export const OLDEST_REDIS = 6

export interface PostgresBinaries {
  readonly folder: string
  readonly major: number
  readonly hasPostgis: boolean
}

// Base folder, prefix of the version folders and binary folder: Debian and Ubuntu, Red Hat, Homebrew (twice),
// Postgres.app, built from source.
const PLACES = [
  ['/usr/lib/postgresql', '', 'bin'],
  ['/usr', 'pgsql-', 'bin'],
  ['/opt/homebrew/opt', 'postgresql', 'bin'],
  ['/usr/local/opt', 'postgresql', 'bin'],
  ['/Applications/Postgres.app/Contents/Versions', '', 'bin'],
  ['/usr/local/pgsql', 'bin', ''],
] as const

/** Every PostgreSQL server on this machine, newest first, including old ones and ones without PostGIS. */
export async function listPostgres(): Promise<PostgresBinaries[]> {
  const onPath = ['initdb', 'postgres']
    .flatMap((name) => Bun.which(name) ?? [])
    .map((path) => dirname(realpathSync(path)))
  const usual = PLACES.flatMap(([base, prefix, bin]) => foldersIn(base, prefix).map((name) => join(base, name, bin)))
  const folders = [...onPath, ...usual].filter(isServer).map((folder) => realpathSync(folder))
  const servers = await Promise.all([...new Set(folders)].map(describe))
  return servers.filter((binaries) => binaries.major > 0).toSorted((a, b) => b.major - a.major)
}

/** The newest usable server, or the one of version `major`, because a data folder belongs to one version. */
export async function findPostgres(major?: number): Promise<PostgresBinaries | undefined> {
  const all = await listPostgres()
  return all.find((one) => one.hasPostgis && one.major >= OLDEST_POSTGRES && (!major || one.major === major))
}

/** The path of a supported Redis or Valkey server. */
export async function findRedis(): Promise<string | undefined> {
  const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/usr/sbin']
  for (const name of ['redis-server', 'valkey-server']) {
    const path = Bun.which(name) ?? folders.map((folder) => join(folder, name)).find(isExecutable)
    if (path && (await majorOf(path, /v=(\d+)/)) >= OLDEST_REDIS) return path
  }
  return undefined
}

function foldersIn(base: string, prefix: string): string[] {
  return existsSync(base) ? readdirSync(base).filter((name) => name.startsWith(prefix)) : []
}

const isServer = (folder: string) => ['initdb', 'pg_ctl', 'postgres'].every((name) => isExecutable(join(folder, name)))

async function describe(folder: string): Promise<PostgresBinaries> {
  const major = await majorOf(join(folder, 'postgres'), /PostgreSQL\)? (\d+)/)
  const shareDir = await runTool([join(folder, 'pg_config'), '--sharedir'])
  const shares = [
    shareDir.ok ? shareDir.output.trim() : '',
    `/usr/share/postgresql/${major}`,
    join(folder, '../share/postgresql'),
    join(folder, '../share'),
  ]
  const hasPostgis = shares.some((share) => share && existsSync(join(share, 'extension', 'postgis.control')))
  return { folder, major, hasPostgis }
}

async function majorOf(program: string, pattern: RegExp): Promise<number> {
  const { output } = await runTool([program, '--version'])
  return Number(pattern.exec(output)?.[1] ?? 0)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
