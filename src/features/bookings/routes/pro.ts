// GET /pro/bookings, GET and POST /pro/bookings/{id}: a pro's own bookings.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { proKey } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { json } from '../../../http/json.ts'
import { proOf } from '../../../auth/pro-caller.ts'
import { BookingParams, ProAction, ProBooking, ProBookingChanged, ProBookingQuery, ProBookings } from '../schemas.ts'
import { actOnBooking } from '../verbs/pro-actions.ts'
import { getProBooking, listBookingsOfPro } from '../verbs/reserve.ts'

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
        answers: { 200: { description: 'A page, the latest made first', schema: ProBookings } },
        detail: { tags: ['Pro bookings'], summary: 'The pro’s bookings' },
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
          404: { description: 'No booking of this pro has this id' },
        },
        detail: { tags: ['Pro bookings'], summary: 'One of the pro’s bookings' },
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
          200: { description: 'Done; the booking as it is now', schema: ProBookingChanged },
          404: { description: 'No booking of this pro, or no active member of the team, has this id' },
          409: { description: 'The action does not fit the state of the booking, or comes too early' },
        },
        detail: {
          tags: ['Pro bookings'],
          summary: 'Confirm, reject, complete, assign, or mark a no-show',
          description:
            '`confirm` and `reject` take a pending booking; what was paid for a rejected one is given back. `complete` and `no_show` take a confirmed one that has begun. `assign` takes either and needs `assignToMemberId`.',
        },
      },
    )
