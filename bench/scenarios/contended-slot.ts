// One slot that a thousand want at once: one has it, the others are told so, and nobody waits much longer than a thousand
// who each want another slot at once.
import { randomUUID } from 'node:crypto'

import type { Bench, Scenario } from '../support/bench.ts'
import { type FreeSlot, bookingOf, freeSlots, makeFreeSlots, takeBookingsBack } from '../support/free-slots.ts'
import { type Load, keepRequests } from '../support/http-load.ts'
import type { Row } from '../support/result.ts'
import { estimate } from '../support/statistics.ts'

const CONTENDERS = 1000

export const contendedSlot: Scenario = {
  name: 'contended-slot',
  async run(bench: Bench): Promise<Row[]> {
    const { data, options } = bench
    const { rounds } = options.rounds
    await makeFreeSlots(data.sql, (rounds + 1) * (CONTENDERS + 1))
    const key = await bench.key(['bookings:write'])
    const { url } = await bench.hearth()
    let next = 1
    const send = async (slots: readonly FreeSlot[]): Promise<Load> => {
      const wishes = Array.from({ length: CONTENDERS }, (_, place) => slots[place % slots.length] ?? slots[0])
      const requests = wishes.flatMap((slot) => (slot ? [bookingOf(slot, key, randomUUID())] : []))
      const kept = keepRequests(`contended-${next}`, requests)
      return bench.clients.run(kept, { url, connections: CONTENDERS, amount: CONTENDERS })
    }
    const take = async (count: number) => {
      const slots = await freeSlots(data.sql, next, count)
      next += count
      return slots
    }
    const [apart, together]: [Load[], Load[]] = [[], []]
    try {
      for (let round = 0; round <= rounds; round++) {
        const one = await send(await take(CONTENDERS))
        const other = await send(await take(1))
        expectOnly(one, [201, 503])
        expectOnly(other, [201, 409, 503])
        if (other.statuses['201'] !== 1) throw new Error(`Of one slot: ${JSON.stringify(other.statuses)}`)
        // The first round warms up.
        if (round === 0) continue
        apart.push(one)
        together.push(other)
      }
    } finally {
      await takeBookingsBack(data.sql)
    }
    const figures = (name: string, loads: readonly Load[]) => ({
      name,
      perSecond: estimate(loads.map(({ perSecond }) => perSecond)),
      p50Ms: estimate(loads.map(({ p50Ms }) => p50Ms)),
      p99Ms: estimate(loads.map(({ p99Ms }) => p99Ms)),
    })
    return [
      {
        id: 'contended-slot',
        title: 'POST /bookings, 1,000 at once',
        figures: [figures('each another slot', apart), figures('all the same slot', together)],
        aims: [
          {
            name: '× p99 when all want one slot',
            value: estimate(together.map(({ p99Ms }, round) => p99Ms / (apart[round]?.p99Ms ?? Number.NaN))),
            target: 5,
            lessIsBetter: true,
          },
        ],
        remark: `Each another: ${statusesOf(apart)}. All the same, in ${rounds} rounds: ${statusesOf(together)}; one 201 in each.`,
      },
    ]
  },
}

/** 503 with Retry-After is what a server says that has too much in hand: a thousand at once is as much as it takes. */
function expectOnly({ statuses, failed, answered }: Load, expected: readonly number[]): void {
  const other = Object.keys(statuses).filter((status) => !expected.includes(Number(status)))
  if (other.length > 0 || answered !== CONTENDERS)
    throw new Error(`${answered} of ${CONTENDERS} answered, ${failed} not 2xx: ${JSON.stringify(statuses)}`)
}

/** How often each status was answered in all rounds. */
function statusesOf(loads: readonly Load[]): string {
  const counts = new Map<string, number>()
  for (const { statuses } of loads)
    for (const [status, count] of Object.entries(statuses)) counts.set(status, (counts.get(status) ?? 0) + count)
  return [...counts].map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', ')
}
