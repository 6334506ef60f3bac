// A PostgreSQL whose log of changes pgBackRest archives, as ops/backup sets it up; and copies of it at a point in time.
import { appendFileSync, chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type LocalPostgres, openPostgres } from '../../src/local/postgres.ts'
import { runTool } from '../../src/local/processes.ts'
import { type StoreFolder, passwordFileIn, prepareFolder } from '../../src/local/store-folder.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import { migrate } from '../../src/platform/postgres/migrate.ts'
import { ensurePrograms } from './apt-programs.ts'
import { testSql, withoutSocket } from './database.ts'
import { ROOT } from './imports.ts'

export interface RunningPostgres {
  readonly url: string
  readonly sql: Sql
  stop: () => Promise<void>
}

export interface BackedUpPostgres extends RunningPostgres {
  /** Makes a full backup. */
  backUp(): Promise<void>
  /** Waits until everything that was committed so far is in the archive. */
  archived(): Promise<void>
  /** Restores the database as it was at the instant, or all of the archive, into another folder, and starts it there. */
  restore(instant?: string): Promise<RunningPostgres>
  close(): Promise<void>
}

const OPS = join(ROOT, 'ops/backup')

/** Opens a migrated one. */
export async function openBackedUpPostgres(): Promise<BackedUpPostgres> {
  await ensurePrograms('pgbackrest', ['pgbackrest'])
  const dir = newFolder()
  const local = await openPostgres({ dir, profile: 'dev', note: () => undefined })
  const running = runningOf(local)
  const postgres = await storeIn(dir, 'postgres')
  const repository = await storeIn(dir, 'pgbackrest')
  const config = join(repository.path, 'pgbackrest.conf')
  const password = readFileSync(passwordFileIn(postgres), 'utf8')
  const run = async (...command: string[]) => {
    const { ok, output } = await runTool(command, { account: postgres.account, env: { PGPASSWORD: password } })
    if (!ok) throw new Error(`${command.join(' ')} failed: ${output}`)
  }
  const pgbackrest = (command: string) => run('pgbackrest', `--config=${config}`, '--stanza=hearth', command)
  const copies: { dir: string; stop(): Promise<void> }[] = []
  writeOwned(repository, config, backupSettings(postgres, repository, running.url))
  writeOwned(postgres, join(postgres.path, 'data/archive.conf'), archiveSettings(config))
  appendFileSync(join(postgres.path, 'data/postgresql.conf'), "include 'archive.conf'\n")
  await local.restart()
  await migrate(running.sql)
  await pgbackrest('stanza-create')
  return {
    ...running,
    backUp: async () => {
      await pgbackrest('backup')
      // pgBackRest knows the end of a backup to the second, and restores to instants of later ones.
      const second = () => Math.floor(Date.now() / 1000)
      const endedAt = second()
      await waitUntil(() => second() > endedAt, 2000)
    },
    archived: () => archived(running.sql),
    restore: async (instant) => {
      const copyDir = newFolder()
      const folder = await storeIn(copyDir, 'postgres')
      await run(join(OPS, 'restore'), join(folder.path, 'data'), instant ?? '', `--config=${config}`)
      writeFileSync(passwordFileIn(folder), password, { mode: 0o600 })
      const copy = runningOf(await openPostgres({ dir: copyDir, profile: 'dev', note: () => undefined }))
      copies.push({ dir: copyDir, stop: copy.stop })
      if (!(await waitUntil(() => acceptsWrites(copy.sql), 30_000))) throw new Error('The copy does not accept writes.')
      return copy
    },
    close: async () => {
      for (const copy of [...copies, { dir, stop: running.stop }]) {
        await copy.stop()
        rmSync(copy.dir, { recursive: true, force: true })
      }
    },
  }
}

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-backup-'))
  // PostgreSQL's user enters the folder.
  chmodSync(dir, 0o755)
  return dir
}

const storeIn = (dir: string, name: string) => prepareFolder(dir, name, ['postgres', 'nobody'])

function runningOf(local: LocalPostgres): RunningPostgres {
  const url = withoutSocket(local.url)
  const sql = testSql(url, 2)
  let stopping: Promise<void> | undefined
  const stop = async () => {
    await sql.end({ timeout: 1 })
    await local.stop()
  }
  return { url, sql, stop: () => (stopping ??= stop()) }
}

/** The file of ops/backup with this machine's folders. */
function backupSettings(postgres: StoreFolder, repository: StoreFolder, url: string): string {
  const { port, username } = new URL(url)
  const own = [
    `pg1-port=${port}`,
    `pg1-user=${username}`,
    `pg1-socket-path=${join(postgres.path, 'socket')}`,
    '[global]',
    `log-path=${repository.path}`,
    `lock-path=${repository.path}`,
    'compress-level=0',
  ]
  return `${readFileSync(join(OPS, 'pgbackrest.conf'), 'utf8')
    .replace(/^repo1-path=.*$/m, `repo1-path=${join(repository.path, 'repository')}`)
    .replace(/^pg1-path=.*$/m, `pg1-path=${join(postgres.path, 'data')}`)}${own.join('\n')}\n`
}

const archiveSettings = (config: string) =>
  readFileSync(join(OPS, 'postgresql.conf'), 'utf8').replace('pgbackrest ', `pgbackrest --config=${config} `)

async function archived(sql: Sql): Promise<void> {
  const [row] = await sql<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`
  const isArchived = async () => {
    const [archiver] = await sql<{ file: string | null }[]>`select last_archived_wal as file from pg_stat_archiver`
    return (archiver?.file ?? '') >= (row?.file ?? '')
  }
  if (!(await waitUntil(isArchived, 20_000))) throw new Error('The log of changes was not archived.')
}

async function acceptsWrites(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ accepts: boolean }[]>`select not pg_is_in_recovery() as accepts`
  return row?.accepts ?? false
}

function writeOwned({ account }: StoreFolder, path: string, text: string) {
  writeFileSync(path, text, { mode: 0o600 })
  if (account) chownSync(path, account.uid, account.gid)
}
