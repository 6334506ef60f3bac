// What operators see: processes, rates, traces.
import type { KeepReason } from '../../../platform/telemetry/tail-sampler.ts'

/** Which process reports, when, and over which time. */
export interface ProcessReport {
  /** A UUID of this run of the process. */
  readonly process: string
  readonly service: string
  readonly host: string
  readonly pid: number
  readonly at: string
  /** Since the report before. */
  readonly seconds: number
}

export interface TraceFilter {
  /** Part of `METHOD /route`, or of the name of background work that failed. */
  readonly route?: string | undefined
  readonly statusFrom?: number | undefined
  readonly statusTo?: number | undefined
  readonly minUs?: number | undefined
  /** Began at this instant or later, and before that one. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** The id of the last trace on the page before. */
  readonly beforeId?: number | undefined
}

/** A trace in a list: the part that a client or a failure began. */
export interface TraceSummary {
  readonly id: number
  readonly traceId: string
  readonly reason: KeepReason
  readonly service: string
  readonly name: string
  readonly status: number | null
  readonly startedAt: string
  readonly durationUs: number
}

/** Requests of a route in the last minute. Durations in seconds; undefined without requests. */
export interface RouteTraffic {
  /** `GET /api/v1/pros`. */
  readonly name: string
  readonly perSecond: number
  readonly refusedPerSecond: number
  readonly failedPerSecond: number
  readonly p50: number | undefined
  readonly p95: number | undefined
  readonly p99: number | undefined
}

/** A process by its last report. */
export interface ProcessStatus extends ProcessReport {
  readonly isUp: boolean
  readonly memoryBytes: number
  /** As a share of one core. */
  readonly cpu: number
  readonly eventLoopDelaySeconds: number
  readonly pools: readonly { pool: string; busy: number; connections: number; waiting: number }[]
}

/** The state of the whole system. Undefined values are reported by no process. */
export interface Overview {
  readonly routes: readonly RouteTraffic[]
  readonly rateLimited: readonly { limit: string; requests: number }[]
  readonly processes: readonly ProcessStatus[]
  readonly outbox: { waiting: number | undefined; lagSeconds: number | undefined }
  readonly queues: readonly {
    actor: string
    waiting: number
    delayed: number
    active: number
    oldestSeconds: number
    deadLetters: number
  }[]
  /** The actors that have a queue, whether they are up or not. */
  readonly queueNames: readonly string[]
  readonly deliveries: {
    delivered: number
    retried: number
    failed: number
    p50: number | undefined
    p95: number | undefined
    p99: number | undefined
    due: number | undefined
    lagSeconds: number | undefined
    resting: number
  }
  readonly priceChangesWaiting: number | undefined
  readonly tasks: {
    reserved: number | undefined
    prepaid: number | undefined
    imbalance: number | undefined
  }
  /** The p99 of PostgreSQL statements, in seconds. */
  readonly statementP99: number | undefined
  /** Redis is away: rate limits are counted per process. */
  readonly isRedisAway: boolean
}

/** Requests per second in ten seconds. */
export interface TrafficPoint {
  readonly atSeconds: number
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}
