// What the examples of the API's description say of pros: one who can be booked, with free times.
import { PUBLIC } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import type { ExampleFacts, ExampleTime } from '../../../../http/openapi/examples.ts'
import { addDays } from '../../../../platform/clock/dates.ts'
import { getOpenSlots } from '../../../calendar/availability/verbs.ts'
import type { Professional } from '../schemas.ts'
import { findPros } from './search.ts'

/** The number of pros whose times are read. */
const MAX_PROS = 10
/** Earlier times may be over when a reader sends the example. */
const FIRST_DAY = 2
const DAYS = 14
/** Some pros work around the clock. An example at night would surprise. */
const MORNING = '09:00'

/**
 * Finds a pro with a service that can be booked without payment, and free times on three days. Returns undefined without such a pro,
 * and in production, where a reader who sends an example would book a real person.
 */
export async function findExampleFacts(ctx: Ctx): Promise<ExampleFacts | undefined> {
  if (ctx.config.environment === 'production') return undefined
  const today = ctx.clock.now().toISOString().slice(0, 10)
  const found = await findPros(ctx.as(PUBLIC), { instantBook: true, limit: MAX_PROS })
  const { professionals } = JSON.parse(found) as { professionals: readonly Professional[] }
  for (const { id, location, services } of professionals)
    for (const service of location ? services : []) {
      const times = await listExampleTimes(ctx, { pro: id, serviceId: service.id, date: addDays(today, FIRST_DAY) })
      if (!location || !times) continue
      const { city, state } = location
      return { today, professionalId: id, serviceId: service.id, city: { city, state }, times }
    }
  return undefined
}

async function listExampleTimes(ctx: Ctx, query: { pro: string; serviceId: string; date: string }) {
  const { service, availability } = await getOpenSlots(ctx.as(PUBLIC), { ...query, days: DAYS })
  if (!service?.bookable || service.dueNow !== 0) return undefined
  const [first, second, third] = availability.flatMap(({ date, slots }): ExampleTime[] => {
    const free = slots.filter(({ available }) => available)
    const slot = free.find(({ start }) => start >= MORNING) ?? free[0]
    return slot ? [{ date, time: slot.start, startDateTime: slot.startDateTime }] : []
  })
  return first && second && third ? ([first, second, third] as const) : undefined
}
