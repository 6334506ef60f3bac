// list_bookings: GET /pro/bookings for a model.
import { Type } from '@sinclair/typebox'

import { ProBooking, ProBookingQuery } from '../../features/booking/bookings/schemas.ts'
import { listBookingsOfPro } from '../../features/booking/bookings/verbs/find-booking.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
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
  price: properties.price,
  payment: properties.payment,
  holdExpiresAt: properties.holdExpiresAt,
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
  input: Type.Object(
    { status: ProBookingQuery.properties.status, date: ProBookingQuery.properties.date, ...page },
    { additionalProperties: false },
  ),
  output: Type.Object({ bookings: Type.Array(BriefBooking), meta: PageMeta }),
  call: async (ctx, query) => {
    const { bookings, meta } = await listBookingsOfPro(ctx, {
      ...withDefaultLimit(query),
      professionalId: ctx.actor.professionalId,
    })
    return { bookings: bookings.map((booking) => pick(BriefBooking, booking)), meta }
  },
  next: ({ meta }) => nextPage(meta),
})
