// Starts the processes of actors, watches them, restarts a crashed or hung one, and drains them all on stop.
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

import { settlesWithin, waitUntil } from '../../src/platform/clock/deadlines.ts'
import { isHeartbeat } from './heartbeat.ts'

export interface ActorProcesses {
  readonly name: string
  readonly processes: number
  /** The actor's own file by default. */
  readonly script?: string
  readonly args?: readonly string[]
}

export interface SupervisorOptions {
  actors: readonly ActorProcesses[]
  env: Record<string, string | undefined>
  /** The output of the processes: our own streams, or an open file. */
  output: 'inherit' | number
  onEvent: (event: WorkerEvent) => void
  limits?: Partial<Limits>
}

export type WorkerEvent =
  | { kind: 'started'; actor: string; pid: number }
  | { kind: 'ended'; actor: string; how: string; againInMs: number }
  | { kind: 'hung'; actor: string; pid: number }
  | { kind: 'killed'; actor: string; pid: number }

export interface Limits {
  /** The delay before a crashed process is restarted; twice as long each time. */
  firstDelayMs: number
  longestDelayMs: number
  /** A process that has run this long is healthy: its next crash counts as the first. */
  healthyMs: number
  /** A process without a heartbeat for this long hangs. */
  silenceMs: number
  /** How long a process may take to its first heartbeat. */
  startMs: number
  /** How long processes may take to end after SIGTERM. */
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

/** The status of one worker, which keeps its name when its process is restarted. */
export interface WorkerStatus {
  readonly actor: string
  /** The actor's name and a number: `relay-outbox-1`. */
  readonly worker: string
  /** The process runs and its last heartbeat is recent. */
  readonly isUp: boolean
  readonly restarts: number
  /** Serves the worker's metrics; known after the first heartbeat. */
  readonly opsUrl: string | undefined
}

export interface Supervisor {
  /** The processes that run now. */
  running(): { actor: string; pid: number }[]
  /** All workers, running or about to be restarted. */
  statuses(): WorkerStatus[]
  /** Lets all processes finish their current work, and kills those that exceed the deadline. */
  stop(): Promise<void>
}

/** The environment of processes whose supervisor serves WORKER_OPS_PORT for them: each opens a private port. */
export const withPrivateOpsPorts = (env: SupervisorOptions['env']): SupervisorOptions['env'] => ({
  ...env,
  OPS_HOST: '127.0.0.1',
  WORKER_OPS_PORT: '0',
})

/** A process that takes longer to report lets the next one begin. */
const TURN_MS = 3000

/** Starts all workers, as many at a time as there are cores: loading modules takes one, and a crowd starves the stores. */
export function startSupervisor(options: SupervisorOptions): Supervisor {
  const limits = { ...LIMITS, ...options.limits }
  const workers = options.actors.flatMap(({ name, processes, script, args = [] }) =>
    Array.from({ length: processes }, (_, index) => {
      const path = script ?? join(import.meta.dir, `../actors/${name}.ts`)
      return new Worker(options, limits, { actor: name, name: `${name}-${index + 1}`, command: [path, ...args] })
    }),
  )
  const inLine = workers.values()
  const startInTurn = async () => {
    for (const worker of inLine) {
      worker.start()
      await settlesWithin(worker.reported, TURN_MS)
    }
  }
  for (let core = 0; core < availableParallelism(); core++) void startInTurn()
  const watch = setInterval(() => workers.forEach((worker) => worker.killIfHung()), limits.silenceMs / 5)
  const running = () => workers.flatMap((worker) => worker.process ?? [])
  return {
    running,
    statuses: () => workers.map((worker) => worker.status()),
    stop: async () => {
      clearInterval(watch)
      for (const worker of workers) worker.terminate()
      if (!(await waitUntil(() => running().length === 0, limits.drainMs))) for (const worker of workers) worker.kill()
      await waitUntil(() => running().length === 0, 2000)
    },
  }
}

/** One worker: its current process, restarts, and heartbeats. */
class Worker {
  readonly #options: SupervisorOptions
  readonly #limits: Limits
  readonly #actor: string
  readonly #name: string
  readonly #command: readonly string[]
  #child: ChildProcess | undefined
  #restartTimer: NodeJS.Timeout | undefined
  #isStopping = false
  #delayMs = 0
  #starts = 0
  #startedAtMs = 0
  /** The last heartbeat of the current process; undefined before the first. */
  #heartbeat: { atMs: number; opsUrl: string } | undefined
  readonly #firstReport = Promise.withResolvers<void>()

  constructor(
    options: SupervisorOptions,
    limits: Limits,
    worker: { actor: string; name: string; command: readonly string[] },
  ) {
    this.#options = options
    this.#limits = limits
    this.#actor = worker.actor
    this.#name = worker.name
    this.#command = worker.command
  }

  /** The process, while it runs. */
  get process(): { actor: string; pid: number } | undefined {
    return this.#running && { actor: this.#actor, pid: this.#running.pid ?? 0 }
  }

  /** Resolves when the first process works, has ended or could not be started. */
  get reported(): Promise<void> {
    return this.#firstReport.promise
  }

  get #running(): ChildProcess | undefined {
    return this.#child?.exitCode === null && this.#child.signalCode === null ? this.#child : undefined
  }

  status(): WorkerStatus {
    const { atMs, opsUrl } = this.#heartbeat ?? { atMs: -Infinity, opsUrl: undefined }
    const isUp = this.#running !== undefined && performance.now() - atMs < this.#limits.silenceMs
    const restarts = Math.max(0, this.#starts - 1)
    return { actor: this.#actor, worker: this.#name, isUp, restarts, opsUrl: isUp ? opsUrl : undefined }
  }

  /** Starts the process, unless all are to end. */
  start(): void {
    if (this.#isStopping) return
    this.#startedAtMs = performance.now()
    this.#heartbeat = undefined
    const child = startProcess(this.#command, this.#options)
    if (child instanceof Error) {
      // The machine may be out of memory or file descriptors for a moment: the supervisor must survive that.
      this.#child = undefined
      return this.#restartLater(`not started: ${child.message}`)
    }
    this.#child = child
    this.#starts++
    child.on('message', (message) => {
      if (!isHeartbeat(message)) return
      this.#heartbeat = { atMs: performance.now(), opsUrl: message.opsUrl }
      this.#firstReport.resolve()
    })
    child.once('exit', (code, signal) => this.#restartLater(signal ?? `code ${code}`))
    this.#options.onEvent({ kind: 'started', actor: this.#actor, pid: child.pid ?? 0 })
  }

  killIfHung(): void {
    const { silenceMs, startMs } = this.#limits
    const silentForMs = performance.now() - (this.#heartbeat?.atMs ?? this.#startedAtMs)
    if (silentForMs >= (this.#heartbeat ? silenceMs : startMs)) this.kill('hung')
  }

  /** Lets the process finish its current work; it is not restarted. */
  terminate(): void {
    this.#isStopping = true
    clearTimeout(this.#restartTimer)
    this.#running?.kill('SIGTERM')
  }

  kill(kind: 'hung' | 'killed' = 'killed'): void {
    const child = this.#running
    if (!child) return
    this.#options.onEvent({ kind, actor: this.#actor, pid: child.pid ?? 0 })
    child.kill('SIGKILL')
  }

  #restartLater(how: string): void {
    this.#firstReport.resolve()
    if (this.#isStopping) return
    const { firstDelayMs, longestDelayMs, healthyMs } = this.#limits
    const wasHealthy = performance.now() - this.#startedAtMs > healthyMs
    this.#delayMs = wasHealthy || this.#delayMs === 0 ? firstDelayMs : Math.min(this.#delayMs * 2, longestDelayMs)
    this.#options.onEvent({ kind: 'ended', actor: this.#actor, how, againInMs: this.#delayMs })
    this.#restartTimer = setTimeout(() => this.start(), this.#delayMs)
  }
}

/**
 * Starts a process in its own process group, so that Ctrl-C reaches only the supervisor, which drains it. `--no-orphans`
 * ends it when the supervisor is killed. Returns the error when the system cannot start it.
 */
function startProcess(command: readonly string[], { env, output }: SupervisorOptions): ChildProcess | Error {
  try {
    return spawn(process.execPath, ['--no-orphans', ...command], {
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
      env,
    })
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}
