// The time from the commit of an event to its arrival at the receiver, at a steady rate.
import { randomUUID } from 'node:crypto'

import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { publicEventId } from '../../src/webhooks/endpoints/events.ts'
import { type Percentiles, percentiles } from './statistics.ts'
import { writeSteadily } from './steady-writes.ts'

const MAX_WAIT_MS = 60_000

export interface Latency {
  /** Arrivals that the percentiles rest on; one that needs more is absent. */
  samples: number
  percentiles: Percentiles
}

/** Writes events, each in its own transaction, and waits until all have arrived. */
export async function measureLatency(
  receiverUrl: string,
  write: (id: string) => Promise<unknown>,
  rate: { perSecond: number; seconds: number },
): Promise<Latency> {
  await fetch(receiverUrl, { method: 'DELETE' })
  const committedMs = new Map<string, number>()
  const { written } = await writeSteadily(async () => {
    const id = randomUUID()
    await write(id)
    committedMs.set(publicEventId(id), performance.timeOrigin + performance.now())
  }, rate)
  const read = async () => (await (await fetch(`${receiverUrl}/arrivals`)).json()) as [id: string, atMs: number][]
  if (!(await waitUntil(async () => (await read()).length >= written, MAX_WAIT_MS, 100)))
    throw new Error(`${(await read()).length} of ${written} events arrived`)
  // An event may arrive before the answer to its commit does.
  const latencies = (await read()).map(([id, atMs]) => Math.max(0, atMs - (committedMs.get(id) ?? Number.NaN)))
  const sorted = latencies.toSorted((a, b) => a - b)
  return { samples: sorted.length, percentiles: percentiles(sorted) }
}
