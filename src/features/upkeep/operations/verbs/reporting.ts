// Stores the kept traces and metrics of this process for operators, outside the path of requests and bounded: what exceeds
// the bounds, or what the database refuses, is dropped and counted.
import { hostname } from 'node:os'

import { ROOT_CONTEXT, context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'

import { type Ctx, ctxOf } from '../../../../ctx.ts'
import type { Deps } from '../../../../deps.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import type { KeepReason, KeptTrace, TailSampler } from '../../../../platform/telemetry/tail-sampler.ts'
import { isInteresting, tracePartOf } from '../../../../platform/telemetry/trace-part.ts'
import { withAllRequests } from '../all-requests.ts'
import type { ProcessReport } from '../schemas.ts'
import { insertParts, insertReport } from '../queries.ts'

const FLUSH_EVERY_MS = 1000
/** How often a process that works reports its metrics. An idle one rests twice as long after each report, up to a minute. */
export const REPORT_EVERY_MS = 5000
export const LONGEST_REPORT_MS = 60_000
/** A timer may be a little early. */
const TICK_MARGIN_MS = 1000
/**
 * Traces stored per second: enough for people to look at. Sampled reads have a limit of their own, so that many of them
 * leave room for writes and for the work in other processes that follows from writes.
 */
const PER_SECOND = { failed: 50, refused: 20, read: 20, other: 50 }

const limitOf = (trace: KeptTrace, reason: KeepReason): keyof typeof PER_SECOND => {
  if (reason !== 'sampled') return reason
  return trace.at(-1)?.attributes['http.request.method'] === 'GET' ? 'read' : 'other'
}

export interface Reporting {
  /** Stores what is left, and ends. */
  close(): Promise<void>
}

export interface ReportingOptions {
  deps: Deps
  /** The name of this process: `hearth-server`. */
  service: string
  traces: Pick<TailSampler, 'onKept'>
  metrics: Pick<Metrics, 'collectDeltas' | 'counter' | 'workDone'>
}

export function openReporting({ deps, service, traces, metrics }: ReportingOptions): Reporting {
  const waiting: { trace: KeptTrace; reason: KeepReason }[] = []
  const stored: Record<KeepReason, number> = { sampled: 0, failed: 0, refused: 0 }
  let [room, dropped] = [{ ...PER_SECOND }, 0]
  const stopListening = traces.onKept((trace, reason) => {
    if (!isInteresting(trace, reason)) return
    if (room[limitOf(trace, reason)]-- > 0) waiting.push({ trace, reason })
    else dropped++
  })
  const flush = async () => {
    room = { ...PER_SECOND }
    const parts = waiting.splice(0).map(({ trace, reason }) => tracePartOf(trace, reason, service))
    if (parts.length === 0) return
    if (await tryInsert(ctxOf(deps), () => insertParts(ctxOf(deps), { parts })))
      for (const { reason } of parts) stored[reason]++
    else dropped += parts.length
  }
  const { report, reportIfDue } = openReports(ctxOf(deps), service, metrics)
  for (const reason of ['sampled', 'failed', 'refused'] as const)
    metrics.counter('hearth_traces_kept_total', 'Stored parts of traces', () => stored[reason], { reason })
  metrics.counter(
    'hearth_traces_lost_total',
    'Parts of traces beyond the limit or refused by PostgreSQL',
    () => dropped,
  )
  const timers = [
    setInterval(() => void flush(), FLUSH_EVERY_MS),
    setInterval(() => void reportIfDue(), REPORT_EVERY_MS),
  ]
  return {
    close: async () => {
      stopListening()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([flush(), report()])
    },
  }
}

/** The time within which a running process reports again. An idle one pauses up to twice as long as before its last report. */
export const nextReportMs = ({ seconds }: Pick<ProcessReport, 'seconds'>): number =>
  Math.min(2000 * seconds, LONGEST_REPORT_MS) + 2 * REPORT_EVERY_MS + TICK_MARGIN_MS

/** Reports the growth of this process’s metrics since its last report: at once, or only if the process is not idle. */
function openReports(
  ctx: Ctx,
  service: string,
  metrics: Pick<Metrics, 'collectDeltas' | 'workDone'>,
): { report: () => Promise<void>; reportIfDue: () => Promise<void> } {
  const self = { process: ctx.ids.uuid(), service, host: hostname(), pid: process.pid }
  let lastMs = performance.now()
  // Discards the growth before this process: some sums began earlier.
  const first = metrics.collectDeltas()
  let restMs = 0
  let workDone = 0
  const report = async () => {
    await first
    const deltas = await metrics.collectDeltas()
    const nowMs = performance.now()
    const seconds = (nowMs - lastMs) / 1000
    lastMs = nowMs
    const at = ctx.clock.now().toISOString()
    await tryInsert(ctx, () => insertReport(ctx, { ...self, at, seconds, metrics: withAllRequests(deltas) }))
  }
  const reportIfDue = async () => {
    const isIdle = metrics.workDone === workDone
    if (isIdle && performance.now() - lastMs < restMs - TICK_MARGIN_MS) return
    workDone = metrics.workDone
    restMs = isIdle ? Math.min(Math.max(2 * restMs, REPORT_EVERY_MS), LONGEST_REPORT_MS) : 0
    await report()
  }
  return { report, reportIfDue }
}

/** Without tracing: storing a trace must not create another one. Returns whether the database accepted it. */
async function tryInsert(ctx: Ctx, insert: () => Promise<void>): Promise<boolean> {
  try {
    await context.with(suppressTracing(ROOT_CONTEXT), insert)
    return true
  } catch (error) {
    ctx.log.debug({ err: error }, 'traces or metrics could not be stored')
    return false
  }
}
