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
        expectStatuses(one, { 201: CONTENDERS })
        expectStatuses(other, { 201: 1, 409: CONTENDERS - 1 })
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
        remark: 'Of each thousand that wanted one slot, one was answered 201 and 999 were answered 409.',
      },
    ]
  },
}

function expectStatuses({ statuses }: Load, wanted: Record<string, number>): void {
  if (JSON.stringify(statuses) !== JSON.stringify(wanted))
    throw new Error(`Answered ${JSON.stringify(statuses)} instead of ${JSON.stringify(wanted)}.`)
}
