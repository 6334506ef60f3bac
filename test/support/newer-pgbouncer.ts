// A PgBouncer that keeps prepared statements. Debian 12 has an older one, so that of Debian 13 is downloaded, with its libraries.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { runTool } from '../../src/local/processes.ts'
import { debianCodename, mirrorOf, must } from './base-images.ts'
import { ROOT } from './imports.ts'

/** The first version that keeps prepared statements in transaction mode. */
const SINCE = [1, 21] as const
const RELEASE = 'trixie'
/** The package and the libraries that it is linked to, with theirs. */
const PACKAGES = [
  'pgbouncer',
  'libaudit1',
  'libc6',
  'libcap-ng0',
  'libcap2',
  'libcares2',
  'libevent-2.1-7t64',
  'libpam0g',
  'libssl3t64',
  'libsystemd0',
  'libzstd1',
  'zlib1g',
]
const LIBRARIES = `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
const LOADER = process.arch === 'arm64' ? 'ld-linux-aarch64.so.1' : 'ld-linux-x86-64.so.2'

/**
 * The command of a PgBouncer of 1.21 or later. Its files are copied to `folder`, which the account that runs it can read. Throws
 * with what to install where neither this machine nor its Debian has one.
 */
export async function newerPgBouncer(folder: string): Promise<string[]> {
  const own = Bun.which('pgbouncer')
  if (own !== null && (await isNewEnough([own]))) return [own]
  const root = join(folder, 'debian')
  await must(['cp', '-a', await unpackedDebian(), root])
  const libraries = join(root, LIBRARIES)
  return [join(libraries, LOADER), '--library-path', libraries, join(root, 'usr/sbin/pgbouncer')]
}

async function isNewEnough(command: readonly string[]): Promise<boolean> {
  const { output } = await runTool([...command, '--version'])
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(output) ?? []).map(Number)
  return major > SINCE[0] || (major === SINCE[0] && minor >= SINCE[1])
}

/** The folder with the unpacked packages: downloaded once, with package lists of its own. */
async function unpackedDebian(): Promise<string> {
  const home = join(ROOT, `.hearth/roots/pgbouncer-${RELEASE}`)
  if (existsSync(home)) return home
  const codename = debianCodename()
  const mirror = codename === undefined ? undefined : await mirrorOf(codename)
  if (mirror === undefined) throw new Error(`This test needs PgBouncer ${SINCE.join('.')} or later: install it.`)
  const partial = `${home}.${process.pid}`
  const apt = join(partial, 'apt')
  for (const path of ['lists/partial', 'cache/archives/partial', 'debs', 'root'])
    mkdirSync(join(apt, path), { recursive: true })
  writeFileSync(join(apt, 'sources.list'), `deb ${mirror} ${RELEASE} main\n`)
  writeFileSync(join(apt, 'status'), '')
  const options = {
    'Dir::State::lists': join(apt, 'lists'),
    'Dir::State::status': join(apt, 'status'),
    'Dir::Cache': join(apt, 'cache'),
    'Dir::Etc::sourcelist': join(apt, 'sources.list'),
    'Dir::Etc::sourceparts': '/dev/null',
    'APT::Sandbox::User': '',
  }
  const aptGet = ['apt-get', '-q', ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`])]
  await must([...aptGet, 'update'])
  await must(['env', '-C', join(apt, 'debs'), ...aptGet, 'download', ...PACKAGES])
  for (const file of readdirSync(join(apt, 'debs')))
    await must(['dpkg-deb', '--extract', join(apt, 'debs', file), join(apt, 'root')])
  rmSync(home, { recursive: true, force: true })
  renameSync(join(apt, 'root'), home)
  rmSync(partial, { recursive: true, force: true })
  return home
}
