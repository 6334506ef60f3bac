// Other processes: runs programs, checks and signals processes.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'

/** The user a store runs as when Hearth runs as root, because PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

export interface ToolResult {
  readonly ok: boolean
  /** stdout and stderr, interleaved. */
  readonly output: string
}

export interface ToolOptions {
  account?: Account | undefined
  env?: Record<string, string>
  timeoutMs?: number
}

const C_LOCALE = { LC_ALL: 'C', LANGUAGE: 'C' }

/**
 * Runs a program to completion. It gets its own session, so that Ctrl-C does not interrupt it (an interrupted dpkg needs
 * manual repair), and the working folder `/`, because another user may not be able to enter the current one.
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

/** The command as it runs as `account`, by default as the current user. */
export function asAccount(account: Account | undefined, command: readonly string[]): readonly string[] {
  if (!account) return command
  // setpriv replaces itself with the program, so that no extra process stays in between.
  return ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups', '--', ...command]
}

/** The account of a user name, or undefined when there is no such user. */
export async function accountOf(name: string): Promise<Account | undefined> {
  const { ok, output } = await runTool(['id', name])
  const [, uid, gid] = /uid=(\d+).* gid=(\d+)/.exec(output) ?? []
  return ok && uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/**
 * Whether a process runs. A zombie does not count: the first process of a container often never reaps its children, and
 * signal 0 still reaches them.
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
 * Whether the process has `folder` as its working folder, as PostgreSQL and Redis have their data folder. A pid from an
 * old file may belong to another program by now. Without /proc, the command line must contain the folder.
 */
export async function isRunningIn(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (existsSync('/proc/self/cwd')) return currentFolderOf(pid) === folder
  const { output } = await runTool(['ps', '-o', 'command=', '-p', String(pid)])
  return output.includes(folder)
}

/** The processes that have `folder` as their working folder; empty without /proc. */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc/self/cwd')) return []
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => isAlive(pid) && currentFolderOf(pid) === folder)
}

function currentFolderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process ended, or belongs to another user.
    return undefined
  }
}

/** Sends a signal unless the process has ended, be it between the look and the signal. */
export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  if (!isAlive(pid)) return
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (isAlive(pid)) throw error
  }
}

/** The text of a file, or an empty string when it does not exist. */
export function readIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code)))
      return ''
    throw error
  }
}
