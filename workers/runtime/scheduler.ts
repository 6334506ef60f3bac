// Runs a periodic task until the process stops: after a pause, or when a notification arrives. One that finds nothing rests.
import { SpanKind, trace } from '@opentelemetry/api'

import { openRest } from '../../src/platform/postgres/due-work.ts'
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
/** In a restored copy no task runs: the copy must stay as it was when it was restored, and must send nothing. */
const COPY_PAUSE_MS = 1000

const tracer = trace.getTracer('hearth.actors')

/** Starts the first run at once. */
export function startPeriodicTask(
  context: ActorContext,
  task: PeriodicTask,
  { actor, record }: TaskOptions,
): RunningTask {
  let isClosed = false
  let startedMs = -Infinity
  const { notifications } = context.deps
  const pauses = createPauses()
  const rest = openRest(notifications, {
    firstMs: task.longestRestMs === Infinity ? Infinity : task.everyMs,
    longestMs: task.longestRestMs,
    due: task.due,
    onDue: () => {
      if (performance.now() - startedMs >= task.everyMs) pauses.end()
    },
  })
  if (task.wakeOn) notifications.on(task.wakeOn, () => pauses.skip())
  /** Returns the length of the pause that follows. */
  const runOnce = async (): Promise<number> => {
    if ((await context.deps.restoredCopy.target()) !== undefined) return COPY_PAUSE_MS
    startedMs = performance.now()
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const next = await inSpan(tracer, `${actor} ${task.name}`, { kind: SpanKind.INTERNAL }, () => task.run(context))
      outcome = 'done'
      rest.record(next !== 'nothing')
      if (next !== 'nothing') context.metrics.noteWork()
      return next === true ? 0 : typeof next === 'number' ? next : task.everyMs
    } finally {
      record(task.name, outcome, (performance.now() - startedMs) / 1000)
    }
  }
  const running = (async () => {
    let backoffMs = FIRST_BACKOFF_MS
    while (!isClosed) {
      const isWoken = pauses.takeSkip()
      try {
        const pauseMs = isWoken || rest.isOver() ? await runOnce() : task.everyMs
        if (pauseMs > 0) await pauses.pause(pauseMs)
        backoffMs = FIRST_BACKOFF_MS
      } catch (error) {
        context.log.warn({ err: error, work: task.name, againInMs: backoffMs }, 'periodic task failed')
        // Only a later notification shortens the backoff.
        if (!isClosed) pauses.takeSkip()
        await pauses.pause(backoffMs)
        backoffMs = Math.min(backoffMs * 2, Math.max(task.everyMs, LONGEST_BACKOFF_MS))
      }
    }
  })()
  return {
    close: () => {
      isClosed = true
      pauses.skip()
      return running
    },
  }
}

/** The pauses of one task. */
function createPauses() {
  let isSkipped = false
  let end: () => void = () => undefined
  return {
    pause: async (ms: number) => {
      let timer: Timer | undefined
      await new Promise<void>((resolve) => {
        end = resolve
        timer = setTimeout(resolve, ms)
        if (isSkipped) resolve()
      })
      clearTimeout(timer)
    },
    /** Ends the present pause, if there is one. */
    end: () => end(),
    /** Ends the present pause or, during a run, skips the one after it. */
    skip: () => {
      isSkipped = true
      end()
    },
    /** Whether a pause was skipped since the last call. */
    takeSkip: () => {
      const wasSkipped = isSkipped
      isSkipped = false
      return wasSkipped
    },
  }
}
