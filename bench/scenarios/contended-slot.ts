// 1,000 clients book the same slot at once: exactly one succeeds, and p99 stays close to that of 1,000 clients booking
// different slots.
import { randomUUID } from 'node:crypto'

import type { Bench, Scenario } from '../support/bench.ts'
import { type FreeSlot, bookingRequest, listFreeSlots, createFreeSlots, deleteBookings } from '../support/free-slots.ts'
import { type Load, writeRequests } from '../support/http-load.ts'
import type { Row } from '../support/result.ts'
import { estimate } from '../support/statistics.ts'

const CLIENTS = 1000

export const contendedSlot: Scenario = {
  name: 'contended-slot',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { rounds } = options.rounds
    await createFreeSlots(data.sql, (rounds + 1) * (CLIENTS + 1))
    const key = await bench.createKey(['bookings:write'])
    const { url } = await bench.hearth()
    let next = 1
    const send = async (slots: readonly FreeSlot[]): Promise<Load> => {
      const requestedSlots = Array.from({ length: CLIENTS }, (_, place) => slots[place % slots.length] ?? slots[0])
      const requests = requestedSlots.flatMap((slot) => (slot ? [bookingRequest(slot, key, randomUUID())] : []))
      const requestFile = writeRequests(`contended-${next}`, requests)
      return bench.clients.run(requestFile, { url, connections: CLIENTS, amount: CLIENTS })
    }
    const takeSlots = async (count: number) => {
      const slots = await listFreeSlots(data.sql, next, count)
      next += count
      return slots
    }
    const [differentSlots, sameSlot]: [Load[], Load[]] = [[], []]
    try {
      for (let round = 0; round <= rounds; round++) {
        const different = await send(await takeSlots(CLIENTS))
        const same = await send(await takeSlots(1))
        expectOnly(different, [201, 503])
        expectOnly(same, [201, 409, 503])
        if (same.statuses['201'] !== 1)
          throw new Error(`Expected exactly one 201 for one slot: ${JSON.stringify(same.statuses)}`)
        // The first round is the warm-up.
        if (round === 0) continue
        differentSlots.push(different)
        sameSlot.push(same)
      }
    } finally {
      await deleteBookings(data.sql)
    }
    const metricsOf = (name: string, loads: readonly Load[]) => ({
      name,
      perSecond: estimate(loads.map(({ perSecond }) => perSecond)),
      p50Ms: estimate(loads.flatMap(({ p50Ms }) => p50Ms ?? [])),
      p99Ms: estimate(loads.flatMap(({ p99Ms }) => p99Ms ?? [])),
      samples: estimate(loads.map(({ samples }) => samples)),
    })
    return [
      {
        id: 'contended-slot',
        title: 'POST /bookings, 1,000 clients at once for one slot',
        metrics: [metricsOf('different slots', differentSlots), metricsOf('one slot', sameSlot)],
        aims: [
          {
            name: '× p99 for different slots',
            value: estimate(
              sameSlot.map(({ p99Ms = Number.NaN }, round) => p99Ms / (differentSlots[round]?.p99Ms ?? Number.NaN)),
            ),
            target: 5,
            lessIsBetter: true,
          },
        ],
        remark: `Different slots: ${countStatuses(differentSlots)}. One slot: ${countStatuses(sameSlot)} in ${rounds} rounds, with one 201 in each.`,
      },
    ]
  },
}

/** Throws on any other status. An overloaded server responds 503 with Retry-After; 1,000 requests at once are its limit. */
function expectOnly({ statuses, failed, responses }: Load, expected: readonly number[]): void {
  const other = Object.keys(statuses).filter((status) => !expected.includes(Number(status)))
  if (other.length > 0 || responses !== CLIENTS)
    throw new Error(`${responses} of ${CLIENTS} responses, ${failed} not 2xx: ${JSON.stringify(statuses)}`)
}

/** Counts each status over all rounds. */
function countStatuses(loads: readonly Load[]): string {
  const counts = new Map<string, number>()
  for (const { statuses } of loads)
    for (const [status, count] of Object.entries(statuses)) counts.set(status, (counts.get(status) ?? 0) + count)
  return [...counts].map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ')
}
