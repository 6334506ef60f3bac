// A private PostgreSQL cluster on disk: creates its data folder, starts and stops it, finds it again after a crash.
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type PostgresBinaries } from './binaries.ts'
import { type StoreFolder } from './store-folder.ts'
import { rotateLog } from './log-file.ts'
import { findFreePort } from './ports.ts'
import { type Profile, settingsFile } from './postgres-settings.ts'
import { LocalSetupError } from './setup-error.ts'
import { isAlive, processesIn, readIfExists, runTool, signalIfAlive, isRunningIn } from './processes.ts'
import { waitUntil } from '../platform/clock/deadlines.ts'

export const SUPERUSER = 'hearth'
const SECOND = 1000

export interface Cluster {
  readonly folder: StoreFolder
  readonly binaries: PostgresBinaries
  readonly profile: Profile
  readonly password: string
}

export const dataOf = (cluster: Cluster) => join(cluster.folder.path, 'data')
export const socketFolderOf = (cluster: Cluster) => join(cluster.folder.path, 'socket')
export const logOf = (cluster: Cluster) => join(cluster.folder.path, 'postgres.log')

/** The PostgreSQL version of the data folder; undefined when there is no complete one. */
export function dataVersion(folder: StoreFolder): number | undefined {
  const data = join(folder.path, 'data')
  const isComplete = existsSync(join(data, 'global', 'pg_control'))
  return isComplete ? Number.parseInt(readIfExists(join(data, 'PG_VERSION')), 10) || undefined : undefined
}

/** Creates the data folder unless it exists. It gets its final name only when complete, so a partial one is never used. */
export async function ensureData(cluster: Cluster, note: (line: string) => void): Promise<void> {
  const { folder, binaries, password } = cluster
  if (dataVersion(folder)) return
  setAside(dataOf(cluster), note)
  const partial = join(folder.path, 'data.partial')
  rmSync(partial, { recursive: true, force: true })
  const secret = join(folder.path, 'initdb-password')
  writeOwned(cluster, secret, password)
  note(`creating a PostgreSQL ${binaries.major} data folder`)
  const locale = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  const options = ['-U', SUPERUSER, `--pwfile=${secret}`, '--auth=scram-sha-256', '-E', 'UTF8', `--locale=${locale}`]
  if (cluster.profile === 'test') options.push('--no-sync')
  const initdb = await tool(cluster, 'initdb', ['-D', partial, ...options])
  rmSync(secret)
  if (!initdb.ok)
    throw new LocalSetupError(`PostgreSQL could not create its data folder ${partial}: ${lastLine(initdb.output)}`)
  const main = join(partial, 'postgresql.conf')
  writeOwned(cluster, main, `${readIfExists(main)}\ninclude_if_exists 'hearth.conf'\n`)
  renameSync(partial, dataOf(cluster))
}

/** Renames an incomplete data folder, because it may hold data that must not be deleted. */
function setAside(data: string, note: (line: string) => void) {
  if (!existsSync(data)) return
  if (readdirSync(data).length === 0) return rmSync(data, { recursive: true })
  const aside = `${data}.broken-${Date.now()}`
  renameSync(data, aside)
  note(`the data folder was incomplete; moved it to ${aside} and creating a new one`)
}

/** Starts the cluster on the `preferred` port, or on another free one when that is taken. Returns the port. */
export async function startCluster(cluster: Cluster, preferred: number | undefined): Promise<number> {
  await clearStalePid(cluster)
  rotateLog(logOf(cluster))
  const socket = socketFolderOf(cluster)
  // A killed server leaves its socket's lock file, which can be as stale as postmaster.pid.
  rmSync(socket, { recursive: true, force: true })
  mkdirSync(socket, { recursive: true, mode: 0o700 })
  setOwner(cluster, socket)
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort(attempt === 1 ? preferred : undefined)
    writeOwned(cluster, join(dataOf(cluster), 'hearth.conf'), settingsFile(cluster.profile, port, socket))
    const logged = sizeOf(logOf(cluster))
    const start = await tool(cluster, 'pg_ctl', [
      '-D',
      dataOf(cluster),
      '-w',
      '-t',
      '60',
      '-l',
      logOf(cluster),
      'start',
    ])
    if (start.ok) return port
    const output = readIfExists(logOf(cluster)).slice(logged)
    // Two causes are temporary: another program took the port after the check, or backends of a killed server are still
    // exiting.
    const isTemporary = /could not bind|could not create any TCP|Address already in use|shared memory block/.test(
      output,
    )
    if (!isTemporary || attempt === 5) throw new LocalSetupError(explainStart(cluster, output || start.output))
    await new Promise((resolve) => setTimeout(resolve, 300 * attempt))
  }
}

/** `fast` ends sessions and writes a checkpoint; `immediate` is a crash that the next start recovers from. */
export async function stopCluster(cluster: Cluster, mode: 'fast' | 'immediate'): Promise<void> {
  const pid = readPidFile(cluster)?.pid ?? 0
  if (!(await isRunningIn(pid, dataOf(cluster)))) return
  const stop = (stopMode: string) =>
    tool(cluster, 'pg_ctl', ['-D', dataOf(cluster), '-w', '-t', '20', '-m', stopMode, 'stop'])
  if (!(await stop(mode)).ok) await stop('immediate')
  if (!(await waitUntil(() => !isAlive(pid), 10 * SECOND))) signalIfAlive(pid, 'SIGKILL')
}

/** The port of a server that still runs in this folder, such as after a SIGKILL of the command that started it. */
export async function findRunning(cluster: Cluster): Promise<number | undefined> {
  const file = readPidFile(cluster)
  return file && (await isRunningIn(file.pid, dataOf(cluster))) ? file.port : undefined
}

/** postmaster.pid: first line the pid, fourth the port (PostgreSQL's pidfile.h). */
function readPidFile(cluster: Cluster): { pid: number; port: number } | undefined {
  const lines = readIfExists(join(dataOf(cluster), 'postmaster.pid')).split('\n')
  return lines[0] ? { pid: Number(lines[0]), port: Number(lines[3]) } : undefined
}

/**
 * PostgreSQL considers a pid file stale only when its pid is free or another user's. After a power loss or in a container
 * the number is often in use again, by a zombie or another cluster. This removes the file once no backend of the old
 * server is left: removing it earlier would let two servers write the same files.
 */
async function clearStalePid(cluster: Cluster): Promise<void> {
  const data = dataOf(cluster)
  const file = readPidFile(cluster)
  if (!file || (await isRunningIn(file.pid, data))) return
  for (const pid of processesIn(data)) signalIfAlive(pid, 'SIGQUIT')
  if (!(await waitUntil(() => processesIn(data).length === 0, 10 * SECOND)))
    throw new LocalSetupError(`Processes of an earlier PostgreSQL still use ${data}: ${processesIn(data).join(', ')}.`)
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

const tool = (cluster: Cluster, name: string, args: string[]) =>
  runTool([join(cluster.binaries.folder, name), ...args], { account: cluster.folder.account })

function writeOwned(cluster: Cluster, path: string, text: string) {
  writeFileSync(path, text, { mode: 0o600 })
  setOwner(cluster, path)
}

function setOwner({ folder: { account } }: Cluster, path: string) {
  if (account) chownSync(path, account.uid, account.gid)
}

function explainStart(cluster: Cluster, output: string): string {
  const fatal = /(?:FATAL|PANIC): +(.*)/.exec(output)?.[1] ?? lastLine(output)
  return `PostgreSQL did not start: ${fatal}\nIts log is ${logOf(cluster)}.`
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
