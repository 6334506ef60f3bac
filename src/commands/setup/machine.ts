// The machine that `hearth setup` prepares: programs, packages, and whether systemd runs.
import { existsSync } from 'node:fs'

import { accountOf, runTool } from '../../local/processes.ts'
import { UsageError } from '../failure.ts'

const MINUTE = 60_000
/** The system user of servers and workers, and the role and the database of the same name. */
export const USER = 'hearth'
/** Files that people sent, and what else the user writes. */
export const HOME = `/var/lib/${USER}`
/** Debian's packages. PostGIS has the number of PostgreSQL in its name. */
export const PACKAGES = ['postgresql', 'redis-server', 'caddy', 'pgbackrest'] as const

/** Runs a program as root, or as the user. Throws a UsageError with its last line and the remedy unless it succeeds; returns its output. */
export async function must(
  command: readonly string[],
  { remedy, user, timeoutMs }: { remedy: string; user?: string; timeoutMs?: number },
): Promise<string> {
  const account = user === undefined ? undefined : await accountOf(user)
  if (user !== undefined && !account) throw new UsageError(`There is no user ${user} on this machine. ${remedy}`)
  const { ok, output } = await runTool(command, {
    account,
    env: { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l' },
    timeoutMs: timeoutMs ?? 2 * MINUTE,
  })
  if (ok) return output.trim()
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => /error|^E:|^hearth:/i.test(line)) ?? lines.at(-1) ?? ''
  throw new UsageError(`\`${command.slice(0, 4).join(' ')}\` failed: ${reason.trim()} → ${remedy}`)
}

/** Installs the packages that are missing. Returns their names. */
export async function installPackages(names: readonly string[]): Promise<string[]> {
  const installed = await Promise.all(names.map(isInstalled))
  const missing = names.filter((_, index) => !installed[index])
  if (missing.length === 0) return []
  const apt = ['apt-get', '-q', '-y', '-o', 'DPkg::Lock::Timeout=300']
  const remedy = 'run the same command by hand, see what apt says, and run `hearth setup` again'
  await must([...apt, 'update'], { remedy, timeoutMs: 5 * MINUTE })
  await must([...apt, '--no-install-recommends', 'install', ...missing], { remedy, timeoutMs: 20 * MINUTE })
  return missing
}

async function isInstalled(name: string): Promise<boolean> {
  const { ok, output } = await runTool(['dpkg-query', '--show', '--showformat', '${Status}', name])
  return ok && output.includes('ok installed')
}

/** The MD5 sums of configuration files as their packages shipped them, by path. */
export async function shippedFiles(packages: readonly string[]): Promise<Map<string, string>> {
  const { output } = await runTool(['dpkg-query', '--show', '--showformat', '${Conffiles}\n', ...packages])
  return new Map(Array.from(output.matchAll(/^ (\/\S+) ([0-9a-f]{32})$/gm), ([, path = '', sum = '']) => [path, sum]))
}

/** Makes the system user and its folder, unless there is one. Returns whether there was. */
export async function ensureUser(): Promise<boolean> {
  if (await accountOf(USER)) return true
  const remedy = `make the system user ${USER}, and run \`hearth setup\` again`
  const options = ['--system', '--user-group', '--home-dir', HOME, '--shell', '/usr/sbin/nologin']
  await must(['useradd', ...options, USER], { remedy })
  await must(['install', '-d', '-o', USER, '-g', USER, '-m', '750', HOME], { remedy })
  return false
}

/** Folders that units do not show to the user of Hearth. */
const HIDDEN = /^\/(home|root|tmp|var\/tmp|run\/user)\//
const MOVE = 'Move Hearth and Bun to /opt/hearth, and run `hearth setup` there.'

/** Throws a UsageError unless the user of Hearth can run the program where it is. */
export async function requireReadable(program: Program): Promise<void> {
  const account = await accountOf(USER)
  const isReadable = async (flag: '-x' | '-r', path: string) =>
    !HIDDEN.test(path) && (await runTool(['test', flag, path], { account })).ok
  for (const path of Object.values(program)) {
    if (!/^[\w./+@-]+$/.test(path)) throw new UsageError(`The path ${path} has a sign that units cannot hold. ${MOVE}`)
    if (!(await isReadable(path === program.bun ? '-x' : '-r', path)))
      throw new UsageError(`The user ${USER} cannot read ${path}. ${MOVE}`)
  }
}

/** Where Bun and Hearth are. */
export interface Program {
  readonly bun: string
  readonly cli: string
}

/** Whether systemd is the first process of this machine; in a container or a chroot it is not. */
export const hasSystemd = (): boolean => existsSync('/run/systemd/system')
