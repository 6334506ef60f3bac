// Writes at a steady rate that does not depend on how quickly they are answered.
import { type Percentiles, percentiles } from './statistics.ts'

/** Pause between two looks at the clock, in ms. */
const STEP_MS = 2

export interface SteadyWrites {
  written: number
  seconds: number
  /** From the time a write was due to its answer, in ms. */
  percentiles: Percentiles
}

export interface SteadyRate {
  perSecond: number
  seconds: number
}

/**
 * Starts `perSecond` writes a second for `seconds` and waits for all answers. Throws when a write failed. While a second's worth of writes is unanswered it
 * starts no more, so that a database that cannot keep up still ends in time.
 */
export async function writeSteadily(
  write: (n: number) => Promise<unknown>,
  { perSecond, seconds }: SteadyRate,
): Promise<SteadyWrites> {
  const startedMs = performance.now()
  const elapsed = () => (performance.now() - startedMs) / 1000
  const pending = new Set<Promise<unknown>>()
  const latencies: number[] = []
  const failures: unknown[] = []
  let written = 0
  while (elapsed() < seconds) {
    const due = Math.min(Math.floor(elapsed() * perSecond) + 1, written + perSecond - pending.size)
    for (; written < due; written++) {
      const dueMs = startedMs + (written / perSecond) * 1000
      const answered = write(written)
        .then(
          () => latencies.push(performance.now() - dueMs),
          (error: unknown) => failures.push(error),
        )
        .finally(() => pending.delete(answered))
      pending.add(answered)
    }
    await Bun.sleep(STEP_MS)
  }
  await Promise.all(pending)
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${written} writes failed`)
  const sorted = latencies.toSorted((a, b) => a - b)
  return { written, seconds: elapsed(), percentiles: percentiles(sorted) }
}
