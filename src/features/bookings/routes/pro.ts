// The /pro/bookings routes: list, look up and act.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { proKey } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { json } from '../../../http/json.ts'
import { proOf } from '../../../auth/pro-caller.ts'
import { BookingParams, ProAction, ProBooking, ProBookingChanged, ProBookingQuery, ProBookings } from '../schemas.ts'
import { actOnBooking } from '../verbs/pro-actions.ts'
import { getProBooking, listBookingsOfPro } from '../verbs/find-booking.ts'

export const proBookingRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-bookings', prefix: '/pro/bookings' })
    .use(guard(deps))
    .get(
      '',
      async function getProBookings({ query, caller }) {
        return json(await listBookingsOfPro(deps, proOf(caller).professionalId, query))
      },
      {
        access: proKey('pro:read'),
        query: ProBookingQuery,
        answers: { 200: { description: 'One page, newest first', schema: ProBookings } },
        detail: { tags: ['Pro bookings'], summary: 'List the pro’s bookings' },
      },
    )
    .get(
      '/:id',
      async function getProBookingById({ params, caller }) {
        return json(await getProBooking(deps, proOf(caller).professionalId, params.id))
      },
      {
        access: proKey('pro:read'),
        params: BookingParams,
        answers: {
          200: { description: 'The booking', schema: ProBooking },
          404: { description: 'This pro has no booking with this id' },
        },
        detail: { tags: ['Pro bookings'], summary: 'Get a booking of the pro' },
      },
    )
    .post(
      '/:id',
      async function postBookingAction({ params, body, caller }) {
        return json(await actOnBooking(deps, proOf(caller).professionalId, params.id, body))
      },
      {
        access: proKey('pro:write'),
        params: BookingParams,
        body: ProAction,
        answers: {
          200: { description: 'Done; the booking after the action', schema: ProBookingChanged },
          404: { description: 'The pro has no booking, or the team no active member, with this id' },
          409: { description: 'The action does not fit the state of the booking, or is too early' },
        },
        detail: {
          tags: ['Pro bookings'],
          summary: 'Confirm, reject, complete, assign, or mark a no-show',
          description:
            '`confirm` and `reject` need a pending booking; rejecting refunds the payment. `complete` and `no_show` need a confirmed booking that has started. `assign` takes either and needs `assignToMemberId`.',
        },
      },
    )
