// The HTTP server processes of `hearth up`: starts them, restarts them after a crash, drains them at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { join } from 'node:path'

import { LocalSetupError } from '../../local/setup-error.ts'
import { readIfExists } from '../../local/processes.ts'
import { waitUntil } from '../../platform/clock/deadlines.ts'
import { openLogFile, rotateLog } from '../../local/log-file.ts'
import type { Environment } from './settings.ts'

const SERVER = join(import.meta.dir, '../../server.ts')
/** Long enough for every request that holds a lock; without DRAIN_DELAY_MS. */
const DRAIN_MS = 10_000
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 15_000
/** After this time a process counts as healthy, and its next restart delay starts over. */
const HEALTHY_MS = 60_000

export interface ServersOptions {
  count: number
  drainDelayMs: number
  env: Environment
  logFile: string
  note: (line: string) => void
}

export interface Servers {
  /** Resolves when the server at `url` is ready. Throws a LocalSetupError with the last lines of the log when it never is. */
  ready(url: string): Promise<void>
  /** Lets the processes finish, and kills those that miss the deadline. */
  stop(): Promise<void>
  kill(): void
}

/** Starts the processes. */
export function startServers(options: ServersOptions): Servers {
  rotateLog(options.logFile)
  const state = { stopping: false, crashes: 0 }
  const logged = readIfExists(options.logFile).length
  const slots = Array.from({ length: options.count }, () => keepRunning(options, state))
  const running = () => slots.flatMap((slot) => (isRunning(slot.child) ? [slot.child] : []))
  const kill = () => running().forEach((child) => child.kill('SIGKILL'))
  return {
    ready: async (url) => {
      if (await waitUntil(async () => state.crashes > 2 || (await respondsOk(url)), 60_000, 50)) {
        if (state.crashes <= 2) return
      }
      const lastLines = readIfExists(options.logFile).slice(logged).trim().split('\n').slice(-12).join('\n')
      throw new LocalSetupError(`The server did not become ready.\n${lastLines}\nIts log is ${options.logFile}.`)
    },
    stop: async () => {
      state.stopping = true
      slots.forEach((slot) => clearTimeout(slot.timer))
      running().forEach((child) => child.kill('SIGTERM'))
      if (!(await waitUntil(() => running().length === 0, DRAIN_MS + options.drainDelayMs))) kill()
      await waitUntil(() => running().length === 0, 2000)
    },
    kill,
  }
}

interface Slot {
  child: ChildProcess
  timer: NodeJS.Timeout | undefined
}

function keepRunning(options: ServersOptions, state: { stopping: boolean; crashes: number }): Slot {
  let delayMs = FIRST_DELAY_MS
  const launch = () => {
    const startedAt = performance.now()
    const child = spawnServer(options)
    child.once('exit', (code, signal) => {
      if (state.stopping) return
      state.crashes++
      if (performance.now() - startedAt > HEALTHY_MS) delayMs = FIRST_DELAY_MS
      options.note(`a server process exited (${signal ?? `code ${code}`}); restarting it in ${delayMs / 1000} s`)
      slot.timer = setTimeout(() => (slot.child = launch()), delayMs)
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS)
    })
    return child
  }
  const slot: Slot = { child: launch(), timer: undefined }
  return slot
}

/**
 * Its own process group makes Ctrl-C reach only `up`, which drains it. `--no-orphans` ends it when `up` is killed, so that
 * no process keeps the port.
 */
function spawnServer({ env, logFile }: ServersOptions): ChildProcess {
  const log = openLogFile(logFile)
  const child = spawn(process.execPath, ['--no-orphans', SERVER], {
    detached: true,
    stdio: ['ignore', log, log],
    env,
  })
  closeSync(log)
  return child
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Whether a server answers the address with success. */
export const respondsOk = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.ok,
    () => false,
  )
