// Reads calendars of others in processes of their own, with limits of CPU time and memory: no file stops anything else.
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'

import type { Subprocess } from 'bun'
import { LRUCache } from 'lru-cache'

import { type BusyTime, type BusyTimeOptions, cpuLimitMs } from './busy-time.ts'
import type { ReadReply, ReadRequest } from './reader-process.ts'

export type IsolatedReading = (BusyTime | { kind: 'unusable'; reason: 'too_much_memory' | 'crashed' }) & {
  /** The CPU time that the file took. */
  cpuMs: number
}

export interface IsolatedReader {
  /**
   * Reads a file of `owner`. It starts in the slow queue if it is suspect or if another file of the owner was slow within the
   * last hour. Throws when the system cannot start a process.
   */
  read(body: Uint8Array, options: BusyTimeOptions, by: { owner: string; isSuspect: boolean }): Promise<IsolatedReading>
  /** Ends the processes. Readings in progress are `crashed`. */
  close(): void
}

/**
 * The time limit of the quick queue, in which files start: nearly all are read within it (1,000 events take 70 ms). The
 * others start again in the slow queue, one after another and at a low priority.
 */
const QUICK_MS = 100
const QUICK_PROCESSES = 2
/**
 * The number of remembered owners whose latest file was quick. Their files do not wait for those of unknown owners, who share
 * one process.
 */
const MAX_QUICK_OWNERS = 100_000
/**
 * How long all files of an owner go to the slow queue after one that was slow, so that an owner of many slow files does not
 * use up the quick queue.
 */
const SLOW_OWNER_MS = 3_600_000
const MAX_SLOW_OWNERS = 10_000
/** The file's limit ends it between two events; a single event that goes on is killed this much later. */
const GRACE_MS = { quick: 50, slow: 500 } as const
/** The real time for CPU time of a few seconds, on a busy machine. */
const WALL_LIMIT_MS = 30_000
/** The largest file, 80,000 events in 5 MB, takes 330 MB. */
const MAX_BYTES = 512 * 1024 * 1024
/** A process that has grown is replaced after its file. */
const RETIRED_BYTES = 192 * 1024 * 1024
const WATCH_MS = 25
/** A process takes 70 ms of CPU time to start, and 60 MB while it waits for the next file. */
const IDLE_MS = 30_000
const PROGRAM = join(import.meta.dir, 'reader-process.ts')

/** Starts processes when files come, and ends them when none does. Tests give another `program`. */
export function openIsolatedReader(program = PROGRAM): IsolatedReader {
  const quick = new Lane(Array.from({ length: QUICK_PROCESSES }, () => new ReaderProcess(program, 'quick')))
  const unknown = new Lane([new ReaderProcess(program, 'quick')])
  const slow = new Lane([new ReaderProcess(program, 'slow')])
  const quickOwners = new LRUCache<string, true>({ max: MAX_QUICK_OWNERS })
  const slowOwners = new LRUCache<string, true>({ max: MAX_SLOW_OWNERS, ttl: SLOW_OWNER_MS })
  return {
    read: async (body, options, { owner, isSuspect }) => {
      const limitMs = cpuLimitMs(body.byteLength)
      if (isSuspect || slowOwners.has(owner)) return await slow.read({ body, options, limitMs })
      const lane = quickOwners.has(owner) ? quick : unknown
      const first = await lane.read({ body, options, limitMs: QUICK_MS })
      if (first.kind === 'read') quickOwners.set(owner, true)
      if (first.kind === 'read' || first.reason !== 'too_slow') return first
      quickOwners.delete(owner)
      slowOwners.set(owner, true)
      const second = await slow.read({ body, options, limitMs: limitMs - first.cpuMs })
      return { ...second, cpuMs: first.cpuMs + second.cpuMs }
    },
    close: () => [quick, unknown, slow].forEach((lane) => lane.close()),
  }
}

type Pace = keyof typeof GRACE_MS

/** The priority of the slow queue: a tenth of a busy CPU, enough to finish within the real time limit. */
const PRIORITY: Record<Pace, number> = {
  quick: os.constants.priority.PRIORITY_NORMAL,
  slow: os.constants.priority.PRIORITY_BELOW_NORMAL,
}

/** Processes that take files in the order of their arrival. */
class Lane {
  readonly #processes: readonly ReaderProcess[]
  readonly #free: ReaderProcess[]
  readonly #waiting: ((process: ReaderProcess) => void)[] = []

  constructor(processes: readonly ReaderProcess[]) {
    this.#processes = processes
    this.#free = [...processes]
  }

  async read(request: ReadRequest): Promise<IsolatedReading> {
    const process = this.#free.pop() ?? (await new Promise<ReaderProcess>((resolve) => this.#waiting.push(resolve)))
    try {
      return await process.read(request)
    } finally {
      const next = this.#waiting.shift()
      if (next) next(process)
      else this.#free.push(process)
    }
  }

  close(): void {
    for (const process of this.#processes) process.end()
  }
}

type Child = Subprocess<'ignore', 'ignore', 'inherit'>
/** How a file's reading ends: with a result, or with the process. */
type Ending = { result: BusyTime } | { killedBecause: 'too_slow' | 'too_much_memory' | 'crashed' }

class ReaderProcess {
  readonly #program: string
  readonly #pace: Pace
  #child: { process: Child; isReady: Promise<boolean> } | undefined
  #onReply: (reply: ReadReply) => void = () => undefined
  #idleTimer: Timer | undefined

  constructor(program: string, pace: Pace) {
    this.#program = program
    this.#pace = pace
  }

  /** Reads one file at a time. */
  async read(request: ReadRequest): Promise<IsolatedReading> {
    clearTimeout(this.#idleTimer)
    const { process, isReady } = (this.#child ??= this.#start())
    try {
      if (!(await isReady)) throw new Error('A process for reading calendars ended before it was ready.')
      const { ending, usage } = await this.#watched(process, request)
      if ('killedBecause' in ending || usage.bytes > RETIRED_BYTES) this.#replace()
      const { cpuMs } = usage
      return 'result' in ending
        ? { ...ending.result, cpuMs }
        : { kind: 'unusable', reason: ending.killedBecause, cpuMs }
    } finally {
      this.#idleTimer = setTimeout(() => this.end(), IDLE_MS)
      this.#idleTimer.unref()
    }
  }

  /** Ends the process without waiting; the next file starts another. */
  end(): void {
    clearTimeout(this.#idleTimer)
    this.#child?.process.kill('SIGKILL')
    this.#child = undefined
  }

  /** Starts another process at once, so that the next file does not wait for it. */
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
      stderr: 'inherit',
      serialization: 'advanced',
      ipc: (reply: ReadReply) => this.#onReply(reply),
    })
    os.setPriority(process.pid, PRIORITY[this.#pace])
    process.unref()
    const forget = () => {
      resolve(false)
      if (this.#child?.process === process) this.#child = undefined
    }
    void process.exited.then(forget)
    return { process, isReady }
  }

  /** Sends the file and waits for its end. The usage is the file's own CPU time, and the memory of the process. */
  async #watched(process: Child, request: ReadRequest): Promise<{ ending: Ending; usage: Usage }> {
    const { promise: ended, resolve } = Promise.withResolvers<Ending>()
    this.#onReply = (reply) => reply.kind === 'done' && resolve({ result: reply.result })
    void process.exited.then(() => resolve({ killedBecause: 'crashed' }))
    const startedMs = performance.now()
    const before = (await usageOf(process)) ?? { cpuMs: 0, bytes: 0 }
    let usage = { cpuMs: 0, bytes: 0 }
    const look = async () => {
      const now = await usageOf(process)
      if (now) usage = { cpuMs: now.cpuMs - before.cpuMs, bytes: now.bytes }
    }
    const limitMs = request.limitMs + GRACE_MS[this.#pace]
    const check = async () => {
      await look()
      if (usage.cpuMs > limitMs || performance.now() - startedMs > WALL_LIMIT_MS) resolve({ killedBecause: 'too_slow' })
      else if (usage.bytes > MAX_BYTES) resolve({ killedBecause: 'too_much_memory' })
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
