// A PgBouncer of its own before the test's PostgreSQL.
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from '../../src/local/ports.ts'
import { prepareFolder } from '../../src/local/store-folder.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { postgresClient } from '../../src/platform/postgres/client.ts'
import { ensurePrograms } from './apt-programs.ts'
import { newerPgBouncer } from './newer-pgbouncer.ts'

export interface PgBouncer {
  /** The database of the tested URL, through the pooler. */
  readonly url: string
  /** Makes it open new connections. */
  reconnect(): Promise<void>
  stop(): Promise<void>
}

export type Settings = Record<string, string | number>

/** Settings of the modes that Hearth works with. */
export const MODES = {
  // Far fewer connections than clients: each statement may come to another one.
  transaction: { pool_mode: 'transaction', default_pool_size: 5 },
  session: { pool_mode: 'session', default_pool_size: 90 },
}
/** Those with which PgBouncer 1.21 and later keep prepared statements. */
export const PREPARING = { ...MODES.transaction, max_prepared_statements: 200 }

/**
 * Starts a PgBouncer before the database of `url` with these settings of its configuration: the distribution's, or one that knows
 * `max_prepared_statements` when it is set.
 */
export async function startPgBouncer(url: string, settings: Settings): Promise<PgBouncer> {
  const isNewer = 'max_prepared_statements' in settings
  if (!isNewer) await ensurePrograms('pgbouncer', ['pgbouncer'])
  const target = new URL(url)
  const dir = mkdtempSync(join(tmpdir(), 'hearth-pgbouncer-'))
  chmodSync(dir, 0o755)
  // It refuses to run as root.
  const { path, account } = await prepareFolder(dir, 'pgbouncer', ['postgres', 'nobody'])
  const program = isNewer ? await newerPgBouncer(path) : ['pgbouncer']
  const port = await findFreePort()
  const files = {
    'users.txt': `"${target.username}" "${target.password}"\n`,
    'pgbouncer.ini': [
      '[databases]',
      `* = host=${target.hostname} port=${target.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `admin_users = ${target.username}`,
      `auth_file = ${join(path, 'users.txt')}`,
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      '',
    ].join('\n'),
  }
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(path, name), text, { mode: 0o600 })
    if (account) chownSync(join(path, name), account.uid, account.gid)
  }
  const as = account ? ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--'] : []
  const child = Bun.spawn([...as, ...program, '-q', join(path, 'pgbouncer.ini')], {
    cwd: '/',
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const log = child.stderr.text()
  const pooled = new URL(url)
  Object.assign(pooled, { hostname: '127.0.0.1', port: String(port), search: '' })
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(dir, { recursive: true, force: true })
  }
  if (await waitUntil(() => isListening(pooled.href), 10_000))
    return { url: pooled.href, reconnect: () => reconnect(pooled), stop }
  await stop()
  throw new Error(`PgBouncer did not start. It printed:\n${await log}`)
}

async function reconnect(pooled: URL): Promise<void> {
  const console = new URL(pooled)
  console.pathname = '/pgbouncer'
  const sql = postgresClient(console.href, { max: 1, limitsByRole: true, connect_timeout: 2 })
  await sql`reconnect`.simple()
  await sql.end()
}

/** An error of the database is an answer too. */
async function isListening(url: string): Promise<boolean> {
  const sql = postgresClient(url, { max: 1, limitsByRole: true, prepare: false, connect_timeout: 2 })
  try {
    await sql`select 1`
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED')
  } finally {
    await sql.end({ timeout: 0 })
  }
}
