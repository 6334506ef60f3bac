// Runs a periodic task until the process stops: after a pause, or when a notification arrives.
import { SpanKind, trace } from '@opentelemetry/api'

import { inSpan } from '../../src/platform/telemetry/trace-context.ts'
import type { ActorContext, PeriodicTask } from './actor.ts'

export interface RunningTask {
  /** Starts no further run. Resolves when the current one has ended. */
  close(): Promise<void>
}

export interface TaskOptions {
  actor: string
  record: (task: string, outcome: 'done' | 'failed', seconds: number) => void
}

/** The pause after a failed run; twice as long each time, up to half a minute. */
const FIRST_BACKOFF_MS = 250
const LONGEST_BACKOFF_MS = 30_000
/** In a restored copy no task runs: the copy stays as it was at its point, and sends nothing. */
const COPY_PAUSE_MS = 1000

const tracer = trace.getTracer('hearth.actors')

/** Starts the first run at once. */
export function startPeriodicTask(
  context: ActorContext,
  task: PeriodicTask,
  { actor, record }: TaskOptions,
): RunningTask {
  let isClosed = false
  let isNotified = false
  let wake: () => void = () => undefined
  if (task.wakeOn)
    context.deps.notifications.on(task.wakeOn, () => {
      isNotified = true
      wake()
    })
  const pause = async (ms: number) => {
    let timer: Timer | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms)
      // A notification may have arrived during the run.
      if (isNotified || isClosed) resolve()
    })
    clearTimeout(timer)
  }
  /** Returns the length of the pause that follows. */
  const runOnce = async (): Promise<number> => {
    if ((await context.deps.restoredCopy.target()) !== undefined) return COPY_PAUSE_MS
    const startedMs = performance.now()
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const next = await inSpan(tracer, `${actor} ${task.name}`, { kind: SpanKind.INTERNAL }, () => task.run(context))
      outcome = 'done'
      return next === true ? 0 : typeof next === 'number' ? next : task.everyMs
    } finally {
      record(task.name, outcome, (performance.now() - startedMs) / 1000)
    }
  }
  const running = (async () => {
    let backoffMs = FIRST_BACKOFF_MS
    while (!isClosed) {
      isNotified = false
      try {
        const pauseMs = await runOnce()
        if (pauseMs > 0) await pause(pauseMs)
        backoffMs = FIRST_BACKOFF_MS
      } catch (error) {
        context.log.warn({ err: error, work: task.name, againInMs: backoffMs }, 'periodic task failed')
        // Only a later notification shortens the backoff.
        isNotified = false
        await pause(backoffMs)
        backoffMs = Math.min(backoffMs * 2, Math.max(task.everyMs, LONGEST_BACKOFF_MS))
      }
    }
  })()
  return {
    close: () => {
      isClosed = true
      wake()
      return running
    },
  }
}
