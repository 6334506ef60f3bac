// list_bookings: GET /pro/bookings for a model.
import { type Static, Type } from '@sinclair/typebox'

import type { ProCaller } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { invalidField } from '../../errors/app-error.ts'
import { ProBooking, ProBookingQuery } from '../../features/booking/bookings/schemas.ts'
import { listBookingsOfPro } from '../../features/booking/bookings/verbs/find-booking.ts'
import { searchBookings } from '../../features/booking/bookings/verbs/pro-lists.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { nextPage, page, pick, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const { properties } = ProBooking
const BriefBooking = Type.Object({
  id: properties.id,
  status: properties.status,
  scheduledDate: properties.scheduledDate,
  scheduledTime: properties.scheduledTime,
  localTime: properties.localTime,
  durationMinutes: properties.durationMinutes,
  service: properties.service,
  package: properties.package,
  price: Nullable(properties.price),
  payment: properties.payment,
  holdExpiresAt: properties.holdExpiresAt,
  job: properties.job,
  customer: properties.customer,
  customerPhone: properties.customerPhone,
  address: properties.address,
  description: properties.description,
  cancelledBy: properties.cancelledBy,
  cancellationReason: properties.cancellationReason,
})

export const listBookings = defineProTool({
  name: 'list_bookings',
  title: 'List bookings',
  description: 'Your bookings, most recently created first; with `date`, that day in order, in your local time.',
  access: 'read',
  quotes: 'names and notes',
  input: Type.Object(
    {
      status: ProBookingQuery.properties.status,
      date: ProBookingQuery.properties.date,
      unpaid: Type.Optional(
        Type.Literal(true, { description: 'Only those that wait for the customer’s payment; without status and date' }),
      ),
      ...page,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ bookings: Type.Array(BriefBooking), meta: PageMeta }),
  call: async (ctx, { unpaid, ...query }) => {
    if (unpaid) return await listUnpaid(ctx, query)
    const { bookings, meta } = await listBookingsOfPro(ctx, {
      ...withDefaultLimit(query),
      professionalId: ctx.actor.professionalId,
    })
    return { bookings: bookings.map((booking) => pick(BriefBooking, booking)), meta }
  },
  next: ({ bookings, meta }) => {
    const isUnpaid = bookings.some(({ holdExpiresAt }) => holdExpiresAt !== null)
    const unpaid = isUnpaid
      ? 'A booking with holdExpiresAt waits for the customer’s payment and is not confirmed: after that its time is free again.'
      : undefined
    return [unpaid, nextPage(meta)].filter((text) => text !== undefined).join(' ') || undefined
  },
})

/** Without amounts: money is between the customer and the payment page. */
async function listUnpaid(
  ctx: Ctx<ProCaller>,
  { status, date, ...query }: ProBookingQuery,
): Promise<{ bookings: Static<typeof BriefBooking>[]; meta: PageMeta }> {
  if (status !== undefined || date !== undefined)
    throw invalidField('body.unpaid', 'cannot be combined with `status` or `date`')
  const { bookings, meta } = await searchBookings(ctx, { ...withDefaultLimit(query), view: 'unpaid' })
  const brief = bookings.map((booking) => ({ ...pick(BriefBooking, booking), price: null, payment: null }))
  return { bookings: brief, meta }
}
