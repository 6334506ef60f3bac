// query_availability: the open times of GET /availability/query over several days.
import { type Static, Type } from '@sinclair/typebox'

import { ServiceAvailability, ServiceAvailabilityQuery } from '../../features/availability/schemas.ts'
import { listServiceSlots } from '../../features/availability/verbs.ts'
import type { Deps } from '../../deps.ts'
import { addDays, earliestToday } from '../../platform/clock/dates.ts'
import { CalendarDate, Instant } from '../../platform/schema/types.ts'
import { defineCustomerTool } from '../server/tool.ts'

type DaySlots = Static<typeof ServiceAvailability>

const MAX_DAYS = 7

const { professionalId, serviceId } = ServiceAvailabilityQuery.properties
const { timezone, durationMinutes, nextAvailable } = ServiceAvailability.properties

export const queryAvailability = defineCustomerTool({
  name: 'query_availability',
  title: 'See open times',
  description:
    'The current open times of a pro for one service, with ids from search_pros. Every listed time can be booked: pass its startDateTime to book_appointment. Without a date, the list begins at the first day with an open time.',
  access: 'read',
  input: Type.Object(
    {
      professionalId,
      serviceId,
      date: Type.Optional(CalendarDate({ description: 'First day, in the pro’s time zone', examples: ['2026-06-10'] })),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, default: 1, description: 'Number of days' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    professionalId: Type.String(),
    serviceId: Type.String(),
    timezone,
    durationMinutes,
    days: Type.Array(
      Type.Object({
        date: CalendarDate(),
        open: Type.Array(Type.Object({ time: Type.String(), startDateTime: Instant() })),
      }),
    ),
    nextAvailable,
  }),
  call: async (deps, _, { professionalId, serviceId, date, days = 1 }) => {
    const slotsOf = async (day: string) =>
      JSON.parse(await listServiceSlots(deps, { professionalId, serviceId, date: day })) as DaySlots
    const first = date === undefined ? await firstOpenDay(deps, slotsOf) : await slotsOf(date)
    const rest = Array.from({ length: days - 1 }, (_, index) => slotsOf(addDays(first.date, index + 1)))
    const { timezone, durationMinutes, nextAvailable } = first
    const listed = [first, ...(await Promise.all(rest))]
    return { professionalId, serviceId, timezone, durationMinutes, days: listed.map(openTimes), nextAvailable }
  },
  next: ({ days, nextAvailable }) => {
    if (days.some(({ open }) => open.length > 0))
      return 'Offer a few of these times. Once the person has chosen and agreed: book_appointment.'
    return nextAvailable
      ? `No open time on these days. The next one is on ${nextAvailable.date}: call again with that date.`
      : 'No open time within 60 days. Try another pro, or request_quote.'
  },
})

const openTimes = ({ date, slots }: DaySlots) => ({
  date,
  open: slots.filter(({ available }) => available).map(({ start, startDateTime }) => ({ time: start, startDateTime })),
})

/** The first day with an open time; today when there is none. */
async function firstOpenDay({ clock }: Deps, slotsOf: (day: string) => Promise<DaySlots>): Promise<DaySlots> {
  const today = await slotsOf(earliestToday(clock.now()))
  const { nextAvailable } = today
  return nextAvailable && nextAvailable.date !== today.date ? await slotsOf(nextAvailable.date) : today
}
