// Installs packages with apt without starting the distribution's services or creating its clusters.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { LocalSetupError } from './setup-error.ts'
import { readIfExists, runTool } from './processes.ts'

const MINUTE = 60_000
const APT = ['apt-get', '-q', '-y', '-o', 'DPkg::Use-Pty=0', '-o', 'DPkg::Lock::Timeout=300']

/** Whether apt's package lists contain an installable version of this package. */
export async function isAvailableInApt(name: string): Promise<boolean> {
  const { ok, output } = await runTool(['apt-cache', 'policy', name])
  return ok && /Candidate: (?!\(none\))/.test(output)
}

/**
 * Installs the packages that `choose` returns. Refreshes the package lists when they lack a package or when the install
 * fails, because old lists name files that no longer exist. Throws a {@link LocalSetupError} with apt's message.
 */
export async function aptInstall(choose: () => Promise<string[] | undefined>, note: (line: string) => void) {
  let names = await choose()
  if (names && (await install(names, note)).ok) return
  note('refreshing the package lists (apt-get update)')
  const update = await runTool([...APT, 'update'], { timeoutMs: 5 * MINUTE })
  names = await choose()
  if (!names)
    throw new LocalSetupError(`apt offers no PostgreSQL 15 or later with PostGIS here. ${errorLines(update.output)}
See https://www.postgresql.org/download/ for packages, or set DATABASE_URL and REDIS_URL.`)
  const result = await install(names, note)
  if (!result.ok) throw new LocalSetupError(`apt-get install ${names.join(' ')} failed: ${errorLines(result.output)}`)
}

async function install(names: string[], note: (line: string) => void) {
  note(`installing ${names.join(', ')} with apt (once; a minute or two)`)
  // An interrupted dpkg refuses to work until this has been run.
  await runTool(['dpkg', '--configure', '-a'], { env: NONINTERACTIVE, timeoutMs: 10 * MINUTE })
  const restore = preventServiceStarts()
  try {
    const command = [...APT, '--no-install-recommends', 'install', ...names]
    const result = await runTool(command, { env: NONINTERACTIVE, timeoutMs: 20 * MINUTE })
    if (result.ok && names.includes('redis-server') && existsSync('/run/systemd/system'))
      // Hearth needs only the program: the service must not start at boot.
      await runTool(['systemctl', 'disable', 'redis-server'])
    return result
  } finally {
    restore()
  }
}

const NONINTERACTIVE = { DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'l' }

// Packages read these two files before they start a service or create a cluster. The mark identifies files left by a
// killed install, so that the next one removes them.
const MARK = '# Put here by hearth while it installs packages; safe to remove.'
const POLICY_FILES = [
  { path: '/usr/sbin/policy-rc.d', text: `#!/bin/sh\n${MARK}\nexit 101\n`, mode: 0o755 },
  {
    path: '/etc/postgresql-common/createcluster.d/hearth.conf',
    text: `${MARK}\ncreate_main_cluster = false\n`,
    mode: 0o644,
  },
]

function preventServiceStarts(): () => void {
  const ours = POLICY_FILES.filter(({ path }) => !existsSync(path) || readIfExists(path).includes(MARK))
  for (const { path, text, mode } of ours) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode })
  }
  return () => ours.forEach(({ path }) => rmSync(path, { force: true }))
}

function errorLines(output: string): string {
  const lines = output.split('\n').map((line) => line.trim())
  const errors = lines.filter((line) => /^(E:|W: Failed|dpkg: error)/.test(line))
  return (errors.length > 0 ? errors.slice(0, 2) : lines.filter(Boolean).slice(-3)).join(' ')
}
