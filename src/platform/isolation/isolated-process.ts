// Processes that work on what strangers sent, with limits of CPU time and memory: no content stops anything else. They have no
// environment, and end with the process that started them.
import { readFile } from 'node:fs/promises'
import os from 'node:os'

import type { Subprocess } from 'bun'

import type { Reply } from './program.ts'

export interface ProcessLimits {
  /** The real time for the CPU time of a request, on a busy machine. */
  readonly wallMs: number
  readonly bytes: number
  /** A process that has grown to this is replaced after its request. */
  readonly retiredBytes: number
  readonly priority: number
  /** Whether libraries write about the content that they refuse; what the process writes is dropped then. */
  readonly isNoisy?: boolean
}

export type KillReason = 'too_slow' | 'too_much_memory' | 'crashed'

/** How a request ends: with a result, or with the process; and the CPU time that it took. */
export interface IsolatedResult<Result> {
  readonly ending: { result: Result } | { killedBecause: KillReason }
  readonly cpuMs: number
}

const WATCH_MS = 25
/** A process takes 70 ms of CPU time to start, and 60 MB while it waits for the next request. */
const IDLE_MS = 30_000

/** Processes that take requests in the order of their arrival. */
export class IsolatedProcesses<Request, Result> {
  readonly #free: IsolatedProcess<Request, Result>[]
  readonly #waiting: ((process: IsolatedProcess<Request, Result>) => void)[] = []
  #isClosed = false

  constructor(processes: readonly IsolatedProcess<Request, Result>[]) {
    this.#free = [...processes]
  }

  /** Throws when the system cannot start a process. */
  async run(request: Request, limitMs: number): Promise<IsolatedResult<Result>> {
    const process =
      this.#free.pop() ??
      (await new Promise<IsolatedProcess<Request, Result>>((resolve) => this.#waiting.push(resolve)))
    try {
      return await process.run(request, limitMs)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(process)
      else this.#free.push(process)
      if (this.#isClosed && !next) process.end()
    }
  }

  /** Ends the processes, each once it has answered the requests that it was given: a stop says nothing of their content. */
  close(): void {
    this.#isClosed = true
    for (const process of this.#free) process.end()
  }
}

type Child = Subprocess<'ignore', 'ignore', 'inherit' | 'ignore'>

export class IsolatedProcess<Request, Result> {
  readonly #program: string
  readonly #limits: ProcessLimits
  #child: { process: Child; isReady: Promise<boolean> } | undefined
  #onReply: (reply: Reply<Result>) => void = () => undefined
  #idleTimer: Timer | undefined

  /** `program` is a file that calls `serveRequests`. */
  constructor(program: string, limits: ProcessLimits) {
    this.#program = program
    this.#limits = limits
  }

  /** Runs one request at a time, for at most `limitMs` of CPU time. */
  async run(request: Request, limitMs: number): Promise<IsolatedResult<Result>> {
    clearTimeout(this.#idleTimer)
    const { process, isReady } = (this.#child ??= this.#start())
    try {
      if (!(await isReady)) throw new Error(`A process of ${this.#program} ended before it was ready.`)
      const { ending, usage } = await this.#watched(process, request, limitMs)
      if ('killedBecause' in ending || usage.bytes > this.#limits.retiredBytes) this.#replace()
      return { ending, cpuMs: usage.cpuMs }
    } finally {
      this.#idleTimer = setTimeout(() => this.end(), IDLE_MS)
      this.#idleTimer.unref()
    }
  }

  /** Ends the process without waiting; the next request starts another. */
  end(): void {
    clearTimeout(this.#idleTimer)
    this.#child?.process.kill('SIGKILL')
    this.#child = undefined
  }

  /** Starts another process at once, so that the next request does not wait for it. */
  #replace(): void {
    this.end()
    this.#child = this.#start()
  }

  #start() {
    const { promise: isReady, resolve } = Promise.withResolvers<boolean>()
    this.#onReply = ({ kind }) => kind === 'ready' && resolve(true)
    // `--no-orphans`: the kernel ends it with this process, even in the middle of an endless search. It gets no secrets.
    const process = Bun.spawn([globalThis.process.execPath, '--no-orphans', this.#program], {
      env: {},
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: this.#limits.isNoisy ? 'ignore' : 'inherit',
      serialization: 'advanced',
      ipc: (reply: Reply<Result>) => this.#onReply(reply),
    })
    os.setPriority(process.pid, this.#limits.priority)
    process.unref()
    const forget = () => {
      resolve(false)
      if (this.#child?.process === process) this.#child = undefined
    }
    void process.exited.then(forget)
    return { process, isReady }
  }

  /** Sends the request and waits for its end. The usage is the request's own CPU time, and the memory of the process. */
  async #watched(process: Child, request: Request, limitMs: number) {
    const { promise: ended, resolve } = Promise.withResolvers<IsolatedResult<Result>['ending']>()
    this.#onReply = (reply) => reply.kind === 'done' && resolve({ result: reply.result })
    void process.exited.then(() => resolve({ killedBecause: 'crashed' }))
    const startedMs = performance.now()
    const before = (await usageOf(process)) ?? { cpuMs: 0, bytes: 0 }
    let usage = { cpuMs: 0, bytes: 0 }
    const look = async () => {
      const now = await usageOf(process)
      if (now) usage = { cpuMs: now.cpuMs - before.cpuMs, bytes: now.bytes }
    }
    const { wallMs, bytes } = this.#limits
    const check = async () => {
      await look()
      if (usage.cpuMs > limitMs || performance.now() - startedMs > wallMs) resolve({ killedBecause: 'too_slow' })
      else if (usage.bytes > bytes) resolve({ killedBecause: 'too_much_memory' })
    }
    const watch = setInterval(() => void check(), WATCH_MS)
    process.send(request)
    const ending = await ended.finally(() => clearInterval(watch))
    await look()
    return { ending, usage }
  }
}

interface Usage {
  cpuMs: number
  bytes: number
}

/** The kernel's unit of CPU times in /proc, the same on all architectures. */
const TICK_MS = 10

/** What a process has used so far. Undefined when it has ended; only the real time is limited where there is no /proc. */
async function usageOf({ pid }: Child): Promise<Usage | undefined> {
  try {
    const [stat, status] = await Promise.all(['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')))
    // After the name in parentheses, which may contain anything, the 12th and 13th field are its user and system time: proc_pid_stat(5).
    const [user, system] =
      stat
        ?.slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13) ?? []
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1]
    return { cpuMs: (Number(user) + Number(system)) * TICK_MS, bytes: Number(kilobytes ?? 0) * 1024 }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return undefined
    throw error
  }
}
