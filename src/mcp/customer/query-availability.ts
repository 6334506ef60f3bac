// query_availability: GET /pros/{id}/availability for a service or package, as a model reads it.
import { type Viewer } from '../../auth/caller.ts'
import { Type } from '@sinclair/typebox'

import {
  type Availability,
  AvailabilityQuery,
  ServiceAvailability,
  ServiceAvailabilityQuery,
} from '../../features/calendar/availability/schemas.ts'
import { getOpenSlots } from '../../features/calendar/availability/verbs.ts'
import type { Ctx } from '../../ctx.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { CalendarDate, Instant, Nullable } from '../../platform/schema/types.ts'
import { defineOpenTool, described } from '../server/tool.ts'

const MAX_DAYS = 7
/** The days that one statement lists. */
const LISTED_DAYS = 14

const { professionalId, serviceId } = ServiceAvailabilityQuery.properties
const {
  timezone,
  timeZoneName,
  durationMinutes,
  price,
  deposit,
  dueAtVisit,
  cancellation,
  bookable,
  obstacle,
  nextAvailable,
} = ServiceAvailability.properties

export const queryAvailability = defineOpenTool({
  name: 'query_availability',
  title: 'See open times',
  description:
    'Open times of a pro for a service, and what booking costs: price, length and dueNow (deposit and fee), which book_appointment asks for. Pass a listed startDateTime to book_appointment. Without a date: from the first day with an open time. When not `bookable`, `obstacle` says why: use request_quote.',
  freeDescription:
    'Open times of a pro for a service, with price and length. Nothing is paid when booking here, so what takes a deposit is not `bookable`. Pass a listed startDateTime to book_appointment. Without a date: from the first day with an open time. When not `bookable`, `obstacle` says why: use request_quote.',
  access: 'read',
  fields: {
    packageId: {
      flags: ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'],
      scopes: ['packages:read', 'packages:book'],
    },
  },
  input: Type.Object(
    {
      professionalId,
      serviceId,
      packageId: described(AvailabilityQuery.properties.packageId, 'Of this pro and service'),
      date: Type.Optional(CalendarDate({ description: 'First day, in the pro’s time zone', examples: ['2026-06-10'] })),
      days: Type.Optional(Integer({ minimum: 1, maximum: MAX_DAYS, default: 1 })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    professionalId: Type.String(),
    serviceId: Type.String(),
    packageId: Nullable(Type.String()),
    timezone,
    timeZoneName,
    durationMinutes,
    price,
    deposit,
    fee: Type.Number({ description: 'The fee that book_appointment takes besides the deposit, in dollars' }),
    dueNow: Nullable(Type.Number(), {
      description: 'Deposit and fee together: the exact amount to pay when booking; the rest is paid to the pro',
    }),
    dueAtVisit,
    cancellation,
    bookable,
    obstacle,
    days: Type.Array(
      Type.Object({
        date: CalendarDate(),
        open: Type.Array(
          Type.Object({
            time: Type.String(),
            startDateTime: Instant(),
            lateCancellation: Type.Optional(
              Type.Literal(true, { description: 'Cancelling this time is not free any more: dueNow is kept' }),
            ),
          }),
        ),
      }),
    ),
    nextAvailable,
  }),
  call: async (ctx, { professionalId, date, days = 1, ...chosen }) => {
    const { availability, nextAvailable, service, ...listed } =
      date === undefined
        ? await fromFirstOpenDay(ctx, professionalId, chosen, days)
        : await getOpenSlots(ctx, { ...chosen, date, days, withFee: true, pro: professionalId })
    if (!service) throw new Error('A listing for a service names it.')
    const { id, name: _, package: chosenPackage, ...terms } = service
    return {
      professionalId,
      serviceId: id,
      packageId: chosenPackage?.id ?? null,
      timezone: listed.timezone,
      timeZoneName: listed.timeZoneName,
      ...terms,
      days: availability.map((day) => openTimes(day, terms.dueNow ?? 0)),
      nextAvailable,
    }
  },
  next: ({ days, nextAvailable, obstacle }) => {
    if (obstacle)
      return `${obstacle.detail} Use request_quote with this professionalId and serviceId, or give the person ${obstacle.quoteUrl}.`
    if (days.some(({ open }) => open.length > 0))
      return 'Offer a few of these times in the time zone that is named, with price, dueNow and what cancelling costs. Once the person has chosen and agreed: book_appointment.'
    return nextAvailable
      ? `No open time on these days. The next one is on ${nextAvailable.localTime}: call again with date ${nextAvailable.date}.`
      : 'No open time within 60 days. Try another pro, or request_quote.'
  },
})

type Day = Availability['availability'][number]

const openTimes = ({ date, slots }: Day, due: number) => ({
  date,
  open: slots
    .filter(({ available }) => available)
    .map(({ start, startDateTime, freeCancellationUntil }) => ({
      time: start,
      startDateTime,
      ...(due > 0 && freeCancellationUntil === null && { lateCancellation: true as const }),
    })),
})

/** Lists `days` from the first day with an open time, or from today without one. */
async function fromFirstOpenDay(
  ctx: Ctx<Viewer>,
  professionalId: string,
  chosen: { serviceId: string; packageId?: string },
  days: number,
): Promise<Availability> {
  const listed = await getOpenSlots(ctx, { ...chosen, days: LISTED_DAYS, withFee: true, pro: professionalId })
  const first = listed.nextAvailable?.date
  const index = first === undefined ? 0 : listed.availability.findIndex(({ date }) => date === first)
  if (index >= 0 && index + days <= LISTED_DAYS)
    return { ...listed, availability: listed.availability.slice(index, index + days) }
  return await getOpenSlots(ctx, { ...chosen, date: first, days, withFee: true, pro: professionalId })
}
