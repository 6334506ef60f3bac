// PostgreSQL with PostGIS and Redis as installed on this machine.
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { runTool } from './processes.ts'

/** What Hearth's SQL needs (NULLS NOT DISTINCT and others came with 15). */
export const OLDEST_POSTGRES = 15
/** What BullMQ needs. */
export const OLDEST_REDIS = 6

export interface PostgresBinaries {
  readonly folder: string
  readonly major: number
  readonly hasPostgis: boolean
}

// Folders per version, `*` being one level: Debian and Ubuntu, Red Hat, Homebrew, Postgres.app, from source.
const PLACES = [
  ['/usr/lib/postgresql', '', 'bin'],
  ['/usr', 'pgsql-', 'bin'],
  ['/opt/homebrew/opt', 'postgresql', 'bin'],
  ['/usr/local/opt', 'postgresql', 'bin'],
  ['/Applications/Postgres.app/Contents/Versions', '', 'bin'],
  ['/usr/local/pgsql', 'bin', ''],
] as const

/** Every PostgreSQL server found, newest first; those without PostGIS and too old ones are told apart, not hidden. */
export async function listPostgres(): Promise<PostgresBinaries[]> {
  const onPath = ['initdb', 'postgres']
    .flatMap((name) => Bun.which(name) ?? [])
    .map((path) => dirname(realpathSync(path)))
  const usual = PLACES.flatMap(([base, prefix, bin]) => foldersIn(base, prefix).map((name) => join(base, name, bin)))
  const folders = [...onPath, ...usual].filter(isServer).map((folder) => realpathSync(folder))
  const found = await Promise.all([...new Set(folders)].map(describe))
  return found.filter((binaries) => binaries.major > 0).toSorted((a, b) => b.major - a.major)
}

/** The newest usable server; with `major`, that version only (a data folder belongs to one version). */
export async function findPostgres(major?: number): Promise<PostgresBinaries | undefined> {
  const all = await listPostgres()
  return all.find((one) => one.hasPostgis && one.major >= OLDEST_POSTGRES && (!major || one.major === major))
}

/** The path of a Redis (or Valkey) server that is new enough. */
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
  const said = await runTool([join(folder, 'pg_config'), '--sharedir'])
  const shares = [
    said.ok ? said.output.trim() : '',
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
