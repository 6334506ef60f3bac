// Writes at a steady rate that does not depend on how quickly they are answered.
import { percentile } from './statistics.ts'

/** Pause between two looks at the clock, in ms. */
const STEP_MS = 2

export interface SteadyWrites {
  written: number
  seconds: number
  /** From the time a write was due to its answer, in ms. */
  p50Ms: number
  p99Ms: number
}

/** Starts `perSecond` writes a second for `seconds` and waits for all answers. */
export async function writeSteadily(
  write: (n: number) => Promise<unknown>,
  { perSecond, seconds, startAt = 0 }: { perSecond: number; seconds: number; startAt?: number },
): Promise<SteadyWrites> {
  const startedMs = performance.now()
  const count = Math.round(perSecond * seconds)
  const pending: Promise<unknown>[] = []
  const latencies: number[] = []
  for (let n = 0; n < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - startedMs) / 1000) * perSecond) + 1)
    for (; n < due; n++) {
      const dueMs = startedMs + (n / perSecond) * 1000
      pending.push(write(startAt + n).then(() => latencies.push(performance.now() - dueMs)))
    }
    await Bun.sleep(STEP_MS)
  }
  await Promise.all(pending)
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    written: count,
    seconds: (performance.now() - startedMs) / 1000,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
  }
}
