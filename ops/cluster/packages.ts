// The programs of the cluster besides PostgreSQL: from Debian's packages, installed when missing and possible.
import { aptInstall } from '../../src/local/apt.ts'
import { type Note, ensureInstalled } from '../../src/local/install.ts'
import { LocalSetupError } from '../../src/local/setup-error.ts'

/** Debian's package by the program it brings. */
const PACKAGES = {
  patroni: ['patroni', 'python3-etcd'],
  etcd: ['etcd-server'],
  haproxy: ['haproxy'],
  pgbouncer: ['pgbouncer'],
  'redis-sentinel': ['redis-sentinel'],
  ip: ['iproute2'],
} as const

/** Installs what is missing as root, or else throws a {@link LocalSetupError} that names the packages. */
export async function ensureClusterPackages(note: Note): Promise<void> {
  await ensureInstalled({ postgres: true, redis: true }, note)
  const missing = () =>
    Object.entries(PACKAGES).flatMap(([program, packages]) => (Bun.which(program, { PATH }) ? [] : packages))
  if (missing().length === 0) return
  if (process.getuid?.() !== 0 || !Bun.which('apt-get'))
    throw new LocalSetupError(`The cluster needs more programs: sudo apt-get install ${missing().join(' ')}`)
  await aptInstall(() => Promise.resolve(missing()), note)
}

const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`
