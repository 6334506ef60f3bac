// What one process writes down for operators: kept traces every second, its metrics every few seconds. Off the path of
// requests, in one statement each, and bounded: what is too much, or what the database does not take, is lost and counted.
import { hostname } from 'node:os'

import { ROOT_CONTEXT, context } from '@opentelemetry/api'
import { suppressTracing } from '@opentelemetry/core'

import type { Deps } from '../../../deps.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { KeepReason, KeptTrace, TailSampler } from '../../../platform/telemetry/tail-sampler.ts'
import { type TracePart, isOfInterest, partOf } from '../../../platform/telemetry/trace-part.ts'
import { insertParts, insertReport } from '../queries.ts'

const FLUSH_EVERY_MS = 1000
/** How often a process tells of itself. */
export const REPORT_EVERY_MS = 5000
/**
 * Traces a process writes down in a second: enough for people to look at, whatever is going on. Reads have a bound of their
 * own, so that many of them leave room for what writes, and for what follows from that in other processes.
 */
const PER_SECOND = { failed: 50, refused: 20, read: 20, other: 50 }

const boundOf = (trace: KeptTrace, because: KeepReason): keyof typeof PER_SECOND => {
  if (because !== 'sampled') return because
  return trace.at(-1)?.attributes['http.request.method'] === 'GET' ? 'read' : 'other'
}

export interface Reporting {
  /** Writes down what there is, and ends. */
  close(): Promise<void>
}

export interface ReportingOptions {
  deps: Pick<Deps, 'write' | 'clock' | 'ids' | 'log'>
  /** What this process is: `hearth-server`. */
  service: string
  traces: Pick<TailSampler, 'onKept'>
  metrics: Pick<Metrics, 'collectDeltas' | 'counter'>
}

/** Begins to write down. */
export function openReporting({ deps, service, traces, metrics }: ReportingOptions): Reporting {
  const waiting: { trace: KeptTrace; because: KeepReason }[] = []
  const kept: Record<KeepReason, number> = { sampled: 0, failed: 0, refused: 0 }
  let [room, lost] = [{ ...PER_SECOND }, 0]
  const stopListening = traces.onKept((trace, because) => {
    if (!isOfInterest(trace, because)) return
    if (room[boundOf(trace, because)]-- > 0) waiting.push({ trace, because })
    else lost++
  })
  const flush = async () => {
    room = { ...PER_SECOND }
    const parts = waiting.splice(0).map(({ trace, because }) => partOf(trace, because, service))
    if (parts.length === 0) return
    if (await written(deps, () => insertParts(deps.write, parts))) countBy(kept, parts)
    else lost += parts.length
  }
  const report = reporter(deps, service, metrics)
  for (const because of ['sampled', 'failed', 'refused'] as const)
    metrics.counter('hearth_traces_kept_total', 'Parts of traces written down', () => kept[because], { because })
  metrics.counter('hearth_traces_lost_total', 'Parts of traces that were too many, or not taken', () => lost)
  const timers = [setInterval(() => void flush(), FLUSH_EVERY_MS), setInterval(() => void report(), REPORT_EVERY_MS)]
  return {
    close: async () => {
      stopListening()
      for (const timer of timers) clearInterval(timer)
      await Promise.all([flush(), report()])
    },
  }
}

function countBy(counts: Record<KeepReason, number>, parts: readonly TracePart[]): void {
  for (const { because } of parts) counts[because]++
}

/** Tells of the process: each time what has changed since the last. */
function reporter(
  deps: ReportingOptions['deps'],
  service: string,
  metrics: Pick<Metrics, 'collectDeltas'>,
): () => Promise<void> {
  const self = { process: deps.ids.uuid(), service, host: hostname(), pid: process.pid }
  let toldAtMs = performance.now()
  // Some sums began long before this process: the first deltas do not say what it did.
  const begun = metrics.collectDeltas()
  return async () => {
    await begun
    const figures = await metrics.collectDeltas()
    const nowMs = performance.now()
    const seconds = (nowMs - toldAtMs) / 1000
    toldAtMs = nowMs
    const at = deps.clock.now().toISOString()
    await written(deps, () => insertReport(deps.write, { ...self, at, seconds, figures }))
  }
}

/** Without a trace: writing one down must not make another. Whether the database took it. */
async function written({ log }: Pick<Deps, 'log'>, write: () => Promise<void>): Promise<boolean> {
  try {
    await context.with(suppressTracing(ROOT_CONTEXT), write)
    return true
  } catch (error) {
    log.debug({ err: error }, 'operations could not be written down')
    return false
  }
}
