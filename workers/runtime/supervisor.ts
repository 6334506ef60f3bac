// Starts the actors' processes, watches them, starts a crashed or hung one again, and lets them finish at the end.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { isBeat } from './heartbeat.ts'
import { type ActorName, ROSTER } from './actor-names.ts'

export interface SupervisorOptions {
  /** Which actors, and how many processes of each. */
  actors: readonly { name: string; processes: number; script?: string }[]
  env: Record<string, string | undefined>
  /** Where the processes write: our own streams, or a file that is open. */
  output: 'inherit' | number
  /** Hears what happens to processes. */
  onEvent: (event: WorkerEvent) => void
  limits?: Partial<Limits>
}

export type WorkerEvent =
  | { kind: 'started'; actor: string; pid: number }
  | { kind: 'ended'; actor: string; how: string; againInMs: number }
  | { kind: 'hung'; actor: string; pid: number }
  | { kind: 'killed'; actor: string; pid: number }

export interface Limits {
  /** Before a process that crashed is started again; twice as long each time. */
  firstDelayMs: number
  longestDelayMs: number
  /** One that has run this long was healthy: its next crash is a first one again. */
  healthyMs: number
  /** A process that gave no sign of life for so long hangs. */
  silenceMs: number
  /** How long a process may take to its first sign of life. */
  startMs: number
  /** How long processes may take to end when they are told to. */
  drainMs: number
}

const LIMITS: Limits = {
  firstDelayMs: 500,
  longestDelayMs: 30_000,
  healthyMs: 60_000,
  silenceMs: 15_000,
  startMs: 60_000,
  drainMs: 11_000,
}

/** The place of one process, whether it runs now or is about to be started again. */
export interface Place {
  readonly actor: string
  /** Names it among all: `relay-outbox-1`. */
  readonly worker: string
  /** It runs, and gave a sign of life lately. */
  readonly isUp: boolean
  /** How often it was started again. */
  readonly restarts: number
  /** Where its metrics are, once it has said so. */
  readonly opsUrl: string | undefined
}

export interface Supervisor {
  /** The processes that run now. */
  running(): { actor: string; pid: number }[]
  /** All that are to run. */
  places(): Place[]
  /** Tells all to finish what they hold, and ends those that do not within the deadline. */
  stop(): Promise<void>
}

/**
 * The environment of processes whose supervisor serves WORKER_OPS_PORT for them: each takes a port that only it asks at.
 */
export const behindOnePort = (env: SupervisorOptions['env']): SupervisorOptions['env'] => ({
  ...env,
  OPS_HOST: '127.0.0.1',
  WORKER_OPS_PORT: '0',
})

/** How many processes of each actor there are to be: one, unless `processes` (WORKERS_<NAME>) says otherwise. */
export function wanted(names: readonly string[], processes: ReadonlyMap<string, number>) {
  return names.map((name) => ({ name, processes: processes.get(name) ?? 1 }))
}

export const isActorName = (name: string): name is ActorName => ROSTER.some((known) => known === name)

/** Starts everything at once. */
export function startSupervisor(options: SupervisorOptions): Supervisor {
  const limits = { ...LIMITS, ...options.limits }
  const slots = options.actors.flatMap(({ name, processes, script }) =>
    Array.from({ length: processes }, (_, index) =>
      openSlot(name, `${name}-${index + 1}`, script ?? join(import.meta.dir, `../actors/${name}.ts`)),
    ),
  )
  const state = { isStopping: false }
  for (const slot of slots) keepRunning(slot, options, limits, state)
  const watch = setInterval(() => slots.forEach((slot) => endIfHung(slot, options, limits)), limits.silenceMs / 5)
  const alive = () => slots.filter(({ child }) => child && isRunning(child))
  return {
    running: () => alive().map(({ actor, child }) => ({ actor, pid: child?.pid ?? 0 })),
    places: () => slots.map((slot) => placeOf(slot, limits)),
    stop: async () => {
      state.isStopping = true
      clearInterval(watch)
      for (const slot of slots) clearTimeout(slot.timer)
      for (const { child } of alive()) child?.kill('SIGTERM')
      if (!(await waitUntil(() => alive().length === 0, limits.drainMs)))
        for (const { actor, child } of alive()) {
          options.onEvent({ kind: 'killed', actor, pid: child?.pid ?? 0 })
          child?.kill('SIGKILL')
        }
      await waitUntil(() => alive().length === 0, 2000)
    },
  }
}

/** The place of one process: whoever fills it. */
interface Slot {
  readonly actor: string
  readonly worker: string
  readonly script: string
  child: ChildProcess | undefined
  timer: NodeJS.Timeout | undefined
  delayMs: number
  starts: number
  opsUrl: string | undefined
  /** When it last gave a sign of life, or was started. */
  heardAtMs: number
  wasHeard: boolean
}

const openSlot = (actor: string, worker: string, script: string): Slot => ({
  actor,
  worker,
  script,
  child: undefined,
  timer: undefined,
  delayMs: 0,
  starts: 0,
  opsUrl: undefined,
  heardAtMs: 0,
  wasHeard: false,
})

function placeOf({ actor, worker, child, starts, opsUrl, heardAtMs, wasHeard }: Slot, { silenceMs }: Limits): Place {
  const isUp = child !== undefined && isRunning(child) && wasHeard && performance.now() - heardAtMs < silenceMs
  return { actor, worker, isUp, restarts: Math.max(0, starts - 1), opsUrl: isUp ? opsUrl : undefined }
}

function keepRunning(slot: Slot, options: SupervisorOptions, limits: Limits, state: { isStopping: boolean }): void {
  const startedAtMs = performance.now()
  const startAgain = (how: string) => {
    if (state.isStopping) return
    const wasHealthy = performance.now() - startedAtMs > limits.healthyMs
    slot.delayMs =
      wasHealthy || slot.delayMs === 0 ? limits.firstDelayMs : Math.min(slot.delayMs * 2, limits.longestDelayMs)
    options.onEvent({ kind: 'ended', actor: slot.actor, how, againInMs: slot.delayMs })
    slot.timer = setTimeout(() => keepRunning(slot, options, limits, state), slot.delayMs)
  }
  const child = startWorker(slot.script, options)
  if (child instanceof Error) {
    // A machine without memory or files left for a moment: the other workers, and this one later, need the supervisor.
    slot.child = undefined
    return startAgain(`not started: ${child.message}`)
  }
  Object.assign(slot, { child, heardAtMs: startedAtMs, wasHeard: false, starts: slot.starts + 1 })
  child.on('message', (message) => {
    if (isBeat(message)) Object.assign(slot, { heardAtMs: performance.now(), wasHeard: true, opsUrl: message.opsUrl })
  })
  child.once('exit', (code, signal) => startAgain(signal ?? `code ${code}`))
  options.onEvent({ kind: 'started', actor: slot.actor, pid: child.pid ?? 0 })
}

function endIfHung({ actor, child, heardAtMs, wasHeard }: Slot, { onEvent }: SupervisorOptions, limits: Limits): void {
  const limitMs = wasHeard ? limits.silenceMs : limits.startMs
  if (!child || !isRunning(child) || performance.now() - heardAtMs < limitMs) return
  onEvent({ kind: 'hung', actor, pid: child.pid ?? 0 })
  child.kill('SIGKILL')
}

/**
 * In a process group of its own, so that Ctrl-C reaches only the supervisor, which drains it. `--no-orphans` ends it when
 * the supervisor is killed. The error when the system starts nothing.
 */
function startWorker(script: string, { env, output }: SupervisorOptions): ChildProcess | Error {
  try {
    return spawn(process.execPath, ['--no-orphans', script], {
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
      env,
    })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
