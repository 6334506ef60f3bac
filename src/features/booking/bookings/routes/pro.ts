// The /pro/bookings routes: list, look up and act.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { ProAction, ProBookingChanged } from '../action-schemas.ts'
import { BookingParams, ProBooking, ProBookingQuery, ProBookings } from '../schemas.ts'
import { BookingMessage } from '../../../messages/messages/schemas.ts'
import { listBookingMessages } from '../../../messages/messages/verbs/message-log.ts'
import { actOnBooking } from '../verbs/pro-actions.ts'
import { getProBooking, listBookingsOfPro } from '../verbs/find-booking.ts'

/** Not in schemas.ts, because the schemas of messages show bookings. */
const ProBookingWithMessages = Type.Object(
  {
    ...ProBooking.properties,
    messages: Type.Array(BookingMessage, { description: 'The e-mails about the booking, oldest first' }),
  },
  { $id: 'ProBookingWithMessages' },
)

export const proBookingRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-bookings', prefix: '/pro/bookings' })
    .use(guard(deps))
    .get(
      '',
      async function getProBookings({ ctx, query, caller }) {
        return await listBookingsOfPro(ctx, { ...query, professionalId: caller.professionalId })
      },
      {
        proKey: 'pro:read',
        query: ProBookingQuery,
        response: { 200: returns('One page, newest first', ProBookings) },
        detail: { tags: ['Pro bookings'], summary: 'List the pro’s bookings' },
      },
    )
    .get(
      '/:id',
      async function getProBookingById({ ctx, params, caller }) {
        const booking = await getProBooking(ctx, { professionalId: caller.professionalId, id: params.id })
        return {
          ...booking,
          messages: await listBookingMessages(ctx, { professionalId: caller.professionalId, bookingId: params.id }),
        }
      },
      {
        proKey: 'pro:read',
        params: BookingParams,
        response: {
          200: returns('The booking, and the e-mails about it', ProBookingWithMessages),
          ...problems({ 404: 'This pro has no booking with this id' }),
        },
        detail: { tags: ['Pro bookings'], summary: 'Get a booking of the pro' },
      },
    )
    .post(
      '/:id',
      async function postBookingAction({ ctx, params, body }) {
        return await actOnBooking(ctx, { ...body, id: params.id })
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: BookingParams,
        body: ProAction,
        response: {
          200: returns('Done; the booking after the action', ProBookingChanged),
          ...problems({
            404: 'The pro has no booking, or the team no active member, with this id',
            409: 'The action does not fit the state of the booking, or is too early',
          }),
        },
        detail: {
          tags: ['Pro bookings'],
          summary: 'Confirm, reject, cancel, complete, assign, propose another time, or mark a no-show',
          description:
            '`confirm` and `reject` need a pending booking, `cancel` a pending or confirmed one and a `reason`, at any time; rejecting and cancelling refund the whole payment. `propose` offers the customer another time that is free now, in place of an earlier proposal; the booking moves when the customer agrees. `complete` and `no_show` need a confirmed booking that has started. `assign` takes either and needs `assignToMemberId`.',
        },
      },
    )
