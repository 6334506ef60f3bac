// Waiting with a limit: every wait in Hearth ends.
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a condition, checking it every `everyMs`. Returns false when `timeoutMs` have passed. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
  everyMs = 20,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await sleep(everyMs)
  }
  return true
}

/**
 * The result of `work`, or a rejection with `onTimeout()` when it takes longer than `timeoutMs`. The work itself goes on:
 * pass it an AbortSignal where it can be stopped.
 */
export async function withDeadline<T>(work: PromiseLike<T>, timeoutMs: number, onTimeout: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(onTimeout()), timeoutMs)
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** A timer that fires this much late shows that the event loop was busy. */
const LATE_MS = 25
/** How often a timer gives a busy event loop the time to read what has arrived meanwhile. */
const MAX_EXTENSIONS = 5

/**
 * Calls `onElapsed` after `ms`. When the event loop was too busy to do so in time, what the timer waits for may be in a
 * socket already: it is read first. Returns the function that stops the timer.
 */
export function startTimer(ms: number, onElapsed: () => void): () => void {
  let timer: Timer
  const start = (delayMs: number, extensions: number) => {
    const dueAtMs = performance.now() + delayMs
    timer = setTimeout(() => {
      const isLate = performance.now() - dueAtMs > LATE_MS
      if (isLate && extensions < MAX_EXTENSIONS) start(2 * LATE_MS, extensions + 1)
      else onElapsed()
    }, delayMs)
  }
  start(ms, 0)
  return () => clearTimeout(timer)
}

/** How a promise has settled, or who waits for it. */
interface Watched {
  outcome?: { error?: unknown }
  readonly waiting: Set<() => void>
}

/** A pending promise keeps everyone who has ever awaited it. So it is awaited once, and those who give up leave the set. */
const watchedPromises = new WeakMap<PromiseLike<unknown>, Watched>()

function watch(work: PromiseLike<unknown>): Watched {
  const known = watchedPromises.get(work)
  if (known) return known
  const watched: Watched = { waiting: new Set() }
  const settle = (outcome: { error?: unknown }) => {
    watched.outcome = outcome
    for (const wake of watched.waiting) wake()
  }
  watchedPromises.set(work, watched)
  void work.then(
    () => settle({}),
    (error: unknown) => settle({ error }),
  )
  return watched
}

/**
 * Returns whether `work` settles within `timeoutMs`; a rejection counts as settled and is passed to `onError`, even one that comes
 * later. Unlike `Promise.race`, of which a pending promise keeps a part, it may be called any number of times with one promise.
 */
export async function settlesWithin(
  work: PromiseLike<unknown>,
  timeoutMs: number,
  onError?: (error: unknown) => void,
): Promise<boolean> {
  const watched = watch(work)
  const report = () => {
    if (watched.outcome && 'error' in watched.outcome) onError?.(watched.outcome.error)
  }
  if (!watched.outcome) {
    const { promise, resolve } = Promise.withResolvers<void>()
    watched.waiting.add(resolve)
    const timer = setTimeout(resolve, timeoutMs)
    await promise
    clearTimeout(timer)
    watched.waiting.delete(resolve)
    if (!watched.outcome && onError) watched.waiting.add(report)
  }
  report()
  return watched.outcome !== undefined
}
