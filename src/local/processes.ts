// Processes other than our own: is it alive, what is it, run it and read what it said.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** The user a store runs as when we are root (PostgreSQL refuses to run as root). */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface ToolResult {
  readonly ok: boolean
  /** stdout and stderr as they came. */
  readonly output: string
}

export interface ToolOptions {
  account?: Account | undefined
  env?: Record<string, string>
  timeoutMs?: number
}

const C_LOCALE = { LC_ALL: 'C', LANGUAGE: 'C' }

/**
 * Runs a program to its end. It gets a session of its own, so that Ctrl-C in the terminal does not tear it apart
 * half-way (an interrupted dpkg needs repair by hand), and `/` as its folder, because another user may not enter ours.
 */
export function runTool(command: readonly string[], options: ToolOptions = {}): Promise<ToolResult> {
  const variables = Object.entries({ ...C_LOCALE, ...options.env }).map(([name, value]) => `${name}=${value}`)
  return new Promise((resolve) => {
    const child = spawn('env', [...variables, ...asAccount(options.account, command)], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs ?? 120_000,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output }))
  })
}

function asAccount(account: Account | undefined, command: readonly string[]): readonly string[] {
  if (!account) return command
  // setpriv replaces itself with the program: no extra process stands between us and it.
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--', ...command]
}

/** The account of a user name, when it exists. */
export async function accountOf(name: string): Promise<Account | undefined> {
  const { ok, output } = await runTool(['id', name])
  const [, uid, gid] = /uid=(\d+).* gid=(\d+)/.exec(output) ?? []
  return ok && uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/**
 * Whether a process runs. A zombie does not: containers often have a first process that never collects the dead, and a
 * signal 0 reaches those all the same.
 */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false
  }
  const stat = readIfExists(`/proc/${pid}/stat`)
  return !/^\d+ \(.*\) [ZX] /s.test(stat)
}

/**
 * Whether the process has `folder` as its current folder, as PostgreSQL and Redis have their data folder: a pid from an
 * old file may by now belong to something else. Without /proc its command line must name the folder.
 */
export async function isRunningIn(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (existsSync('/proc/self/cwd')) return currentFolderOf(pid) === folder
  const { output } = await runTool(['ps', '-o', 'command=', '-p', String(pid)])
  return output.includes(folder)
}

/** Every process that has `folder` as its current folder (none where there is no /proc). */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc/self/cwd')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => isAlive(pid) && currentFolderOf(pid) === folder)
}

function currentFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // Gone meanwhile, or another user's: in both cases not ours.
    return undefined
  }
}

/** Sends a signal; a process that is gone already is fine. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  if (isAlive(pid)) process.kill(pid, signal)
}

/** The text of a file, or an empty string when there is none. */
export function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code)))
      return ''
    throw error
  }
}
