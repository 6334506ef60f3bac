// Periodic work: round after round until the process stops, woken by a notification or by the clock.
import { SpanKind, trace } from '@opentelemetry/api'

import { inSpan } from '../../src/platform/telemetry/trace-context.ts'
import type { ActorContext, Periodic } from './actor.ts'

export interface Rounds {
  /** Begins no further round. Resolves when the one under way is over. */
  close(): Promise<void>
}

export interface RoundsOptions {
  actor: string
  context: ActorContext
  record: (work: string, outcome: 'done' | 'failed', seconds: number) => void
}

/** After a round that failed, twice as long each time, up to half a minute. */
const FIRST_REST_MS = 250
const LONGEST_REST_MS = 30_000

const tracer = trace.getTracer('hearth.actors')

/** Begins at once. */
export function openRounds(work: Periodic, { actor, context, record }: RoundsOptions): Rounds {
  let isClosed = false
  let isWoken = false
  let wake: () => void = () => undefined
  const rouse = () => {
    isWoken = true
    wake()
  }
  if (work.wokenBy) context.deps.notifications.on(work.wokenBy, rouse)
  const rest = async (ms: number) => {
    let timer: Timer | undefined
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms)
      // A notification that came during the round.
      if (isWoken || isClosed) resolve()
    })
    clearTimeout(timer)
  }
  /** Gives how long to rest. */
  const round = async (): Promise<number> => {
    const startedMs = performance.now()
    const name = `${actor} ${work.name}`
    let outcome: 'done' | 'failed' = 'failed'
    try {
      const next = await inSpan(tracer, name, { kind: SpanKind.INTERNAL }, () => work.run(context))
      outcome = 'done'
      return next === true ? 0 : typeof next === 'number' ? next : work.everyMs
    } finally {
      record(work.name, outcome, (performance.now() - startedMs) / 1000)
    }
  }
  const running = (async () => {
    let restMs = FIRST_REST_MS
    while (!isClosed) {
      isWoken = false
      try {
        const ms = await round()
        if (ms > 0) await rest(ms)
        restMs = FIRST_REST_MS
      } catch (error) {
        context.log.warn({ err: error, work: work.name, againInMs: restMs }, 'a round failed')
        // Notifications do not hurry what fails.
        isWoken = false
        await rest(restMs)
        restMs = Math.min(restMs * 2, Math.max(work.everyMs, LONGEST_REST_MS))
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
