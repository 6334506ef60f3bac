// The settings of a private PostgreSQL cluster, per profile.
import { totalmem } from 'node:os'

import { fitsSocket } from './store-folder.ts'

export type Profile = 'dev' | 'test' | 'bench'

type Settings = Record<string, string>

const COMMON: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] %u@%d ',
  log_lock_waits: 'on',
  // Queries here take milliseconds; compiling a plan takes tens of milliseconds.
  jit: 'off',
  // On an SSD a random read costs about as much as a sequential one.
  random_page_cost: '1.1',
  effective_io_concurrency: '100',
  // After a checkpoint the first change of a page writes the whole page.
  wal_compression: 'on',
}

// Tests discard their data, so nothing has to survive a crash of the machine.
const NOT_DURABLE: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  checkpoint_timeout: '30min',
}

/** A quarter of the machine's memory, within bounds that leave room for other programs. */
const QUARTER_MB = Math.max(256, Math.min(4096, Math.floor(totalmem() / 4 / 1024 ** 2)))

const PROFILES: Record<Profile, Settings> = {
  dev: { shared_buffers: '256MB', effective_cache_size: '1GB', max_wal_size: '1GB' },
  test: { shared_buffers: '128MB', max_wal_size: '4GB', max_connections: '500', ...NOT_DURABLE },
  // Like a production server: durable, with the memory that PostgreSQL's manual advises (§20.4.1: a quarter).
  bench: {
    shared_buffers: `${QUARTER_MB}MB`,
    effective_cache_size: `${QUARTER_MB * 2}MB`,
    max_wal_size: '4GB',
    work_mem: '16MB',
    // The servers of all scenarios stay open.
    max_connections: '500',
  },
}

/** Whether PostgreSQL's socket path fits when the socket is in this folder. */
export const fitsSocketIn = (folder: string): boolean => fitsSocket(`${folder}/.s.PGSQL.65535`)

/** The text of a postgresql.conf fragment. Without a socket when the folder's path is too long for one. */
export function settingsFile(profile: Profile, port: number, socketFolder: string): string {
  const own = { port: String(port), unix_socket_directories: fitsSocketIn(socketFolder) ? socketFolder : '' }
  const lines = Object.entries({ ...COMMON, ...PROFILES[profile], ...own }).map(
    ([name, value]) => `${name} = ${quoted(value)}`,
  )
  return `# Written by hearth at every start.\n${lines.join('\n')}\n`
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`
