// What operators see: processes, rates, traces.
import type { KeepReason } from '../../platform/telemetry/tail-sampler.ts'

/** Who tells of itself, when, and of how long. */
export interface ProcessReport {
  /** Of this run of the process. */
  readonly process: string
  readonly service: string
  readonly host: string
  readonly pid: number
  readonly at: string
  readonly seconds: number
}

/** Which traces: each part is left open by undefined. */
export interface TraceFilter {
  /** Part of `METHOD /route`, or of the name of work that failed. */
  readonly route?: string | undefined
  readonly statusFrom?: number | undefined
  readonly statusTo?: number | undefined
  readonly minUs?: number | undefined
  /** Only those kept before the one with this number: the next page. */
  readonly beforeId?: number | undefined
}

/** A trace in a list, by the part of it that a client or a failure began. */
export interface TraceLine {
  readonly id: number
  readonly traceId: string
  readonly because: KeepReason
  readonly service: string
  readonly name: string
  readonly status: number | null
  readonly startedAt: string
  readonly durationUs: number
}

/** A route in the last minute. Durations in seconds; undefined when there was nothing. */
export interface RouteLine {
  /** `GET /api/v1/pros`. */
  readonly name: string
  readonly perSecond: number
  readonly refusedPerSecond: number
  readonly failedPerSecond: number
  /** Half of the answers, and 99 of 100, took no longer than this. */
  readonly half: number | undefined
  readonly most: number | undefined
}

/** A process, by its last report. */
export interface ProcessLine extends ProcessReport {
  readonly isUp: boolean
  readonly memoryBytes: number
  /** Of one core. */
  readonly cpu: number
  readonly delaySeconds: number
  readonly pools: readonly { pool: string; busy: number; connections: number; waiting: number }[]
}

/** How things stand. Undefined is what nobody tells of. */
export interface Overview {
  readonly routes: readonly RouteLine[]
  readonly limited: readonly { limit: string; requests: number }[]
  readonly processes: readonly ProcessLine[]
  readonly outbox: { waiting: number | undefined; lagSeconds: number | undefined }
  readonly queues: readonly {
    actor: string
    waiting: number
    delayed: number
    active: number
    oldestSeconds: number
    deadLetters: number
  }[]
  /** The actors that have a mailbox, whether they are up or not. */
  readonly mailboxes: readonly string[]
  readonly deliveries: {
    delivered: number
    retried: number
    failed: number
    half: number | undefined
    most: number | undefined
    due: number | undefined
    lagSeconds: number | undefined
    resting: number
  }
  readonly pricesWaiting: number | undefined
  readonly tasks: {
    reserved: number | undefined
    prepaid: number | undefined
    imbalance: number | undefined
  }
  /** 99 of 100 statements took no longer than this, in seconds. */
  readonly statementSeconds: number | undefined
  /** Redis is away: rate limits hold per process. */
  readonly isRedisAway: boolean
}

/** Requests of ten seconds, per second. */
export interface Moment {
  readonly atSeconds: number
  readonly good: number
  readonly refused: number
  readonly failed: number
  readonly half: number | null
  readonly most: number | null
}
