// Reads calendars of others in processes of their own, with limits of CPU time and memory: no file stops anything else.
import os from 'node:os'
import { join } from 'node:path'

import { LRUCache } from 'lru-cache'

import { IsolatedProcess, IsolatedProcesses, type KillReason } from '../isolation/isolated-process.ts'
import { type BusyTime, type BusyTimeOptions, cpuLimitMs } from './busy-time.ts'
import type { ReadRequest } from './reader-process.ts'

export type IsolatedReading = (BusyTime | { kind: 'unusable'; reason: KillReason }) & {
  /** The CPU time that the file took. */
  cpuMs: number
}

export interface IsolatedReader {
  /**
   * Reads a file of `owner`. It starts in the slow queue if it is suspect or if another file of the owner was slow within the
   * last hour. Throws when the system cannot start a process.
   */
  read(body: Uint8Array, options: BusyTimeOptions, by: { owner: string; isSuspect: boolean }): Promise<IsolatedReading>
  /** Ends the processes, each once it has read the files that it was given. */
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
const PROGRAM = join(import.meta.dir, 'reader-process.ts')

/** Starts processes for the first files, and ends idle ones. Tests give another `program`. */
export function openIsolatedReader(program = PROGRAM): IsolatedReader {
  const quick = openLane(program, 'quick', QUICK_PROCESSES)
  const unknown = openLane(program, 'quick', 1)
  const slow = openLane(program, 'slow', 1)
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

/** Processes of one pace. */
function openLane(program: string, pace: Pace, processes: number) {
  const limits = {
    wallMs: WALL_LIMIT_MS,
    bytes: MAX_BYTES,
    retiredBytes: RETIRED_BYTES,
    priority: PRIORITY[pace],
  }
  const lane = new IsolatedProcesses(
    Array.from({ length: processes }, () => new IsolatedProcess<ReadRequest, BusyTime>(program, limits)),
  )
  return {
    read: async (request: ReadRequest): Promise<IsolatedReading> => {
      const { ending, cpuMs } = await lane.run(request, request.limitMs + GRACE_MS[pace])
      return 'result' in ending
        ? { ...ending.result, cpuMs }
        : { kind: 'unusable', reason: ending.killedBecause, cpuMs }
    },
    close: () => lane.close(),
  }
}
