// POST /bookings, POST /bookings/create, GET /bookings?code=, GET /bookings/{id}; cancelling and moving one.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { publicRead, withKey } from '../../../auth/access.ts'
import { callerOf, guard } from '../../../http/guard.ts'
import type { Caller } from '../../../auth/caller.ts'
import { markReplayed } from '../../../http/idempotency.ts'
import { json } from '../../../http/json.ts'
import { cancelBooking, rescheduleBooking } from '../verbs/customer-actions.ts'
import {
  BookingAnswer,
  BookingByCode,
  BookingCancelled,
  BookingChanged,
  BookingCreated,
  BookingParams,
  BookingStart,
  BookingStarted,
  Cancellation,
  NewBooking,
  Rescheduling,
} from '../schemas.ts'
import { type Viewer, createBooking, getBookingByCode, getBookingById, startBooking } from '../verbs/reserve.ts'

const TAKEN = 'The time is not available; `nextAvailable` is the next one that is'
const NOT_YOURS = 'No booking with this id was made by this key’s owner or has this code'

export const bookingRoutes = (deps: Deps) =>
  new Elysia({ name: 'bookings', prefix: '/bookings' })
    .use(guard(deps))
    .post(
      '',
      async function postBooking({ body, caller, idempotency, request }) {
        return created(markReplayed(request, await createBooking(deps, callerOf(caller), body, idempotency)))
      },
      {
        access: withKey('bookings:write', 'widget:book'),
        idempotent: true,
        body: NewBooking,
        answers: {
          201: { description: 'Booked; with a deposit to pay, the time is held until then', schema: BookingCreated },
          404: { description: 'No such pro, or the pro does not offer the service' },
          409: { description: TAKEN },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Book a slot',
          description:
            'The pro must take instant bookings. Date and time are on the pro’s clock. With `payment`, the booking is pending until that is paid.',
        },
      },
    )
    .post(
      '/create',
      async function startBookingWithFee({ body, caller, idempotency, request }) {
        return created(markReplayed(request, await startBooking(deps, callerOf(caller), body, idempotency)))
      },
      {
        access: withKey('bookings:write', 'widget:book'),
        idempotent: true,
        body: BookingStart,
        answers: {
          201: { description: 'Started; with something to pay, the time is held until then', schema: BookingStarted },
          404: { description: 'No such pro, or the pro does not offer the service' },
          409: { description: TAKEN },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Start a booking with the instant-booking fee',
          description:
            'The fee, and the pro’s deposit where there is one, are paid with `clientSecret`; the booking is pending until then.',
        },
      },
    )
    .get(
      '',
      async function getBookingWithCode({ query }) {
        return json({ booking: await getBookingByCode(deps, query.code) })
      },
      {
        access: { ...publicRead('bookings:write', 'widget:book', 'pro:read'), limit: 'codeLookups' },
        caching: 'personal',
        query: BookingByCode,
        answers: {
          200: { description: 'The booking', schema: BookingAnswer },
          404: { description: 'No booking has this code' },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Look up a booking by its confirmation code',
          description: 'The code is the secret: whoever has it may see the booking.',
        },
      },
    )
    .get(
      '/:id',
      async function getBooking({ params, caller }) {
        return json({ booking: await getBookingById(deps, viewer(callerOf(caller)), params.id) })
      },
      {
        access: withKey('bookings:write', 'widget:book', 'pro:read'),
        params: BookingParams,
        answers: {
          200: { description: 'The booking', schema: BookingAnswer },
          404: { description: 'No booking of this key’s owner has this id' },
        },
        detail: { tags: ['Bookings'], summary: 'A booking that this key’s owner made, or that is with this pro' },
      },
    )
    .post(
      '/:id/cancel',
      async function postCancellation({ params, body, caller }) {
        return json(await cancelBooking(deps, callerOf(caller), params.id, body))
      },
      {
        access: withKey('bookings:write', 'widget:book'),
        params: BookingParams,
        body: Cancellation,
        answers: {
          200: { description: 'Cancelled', schema: BookingCancelled },
          404: { description: NOT_YOURS },
          409: { description: 'The booking is over, begun, or cancelled already' },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Cancel a booking',
          description:
            'With a key of the owner who made it, or any key and the confirmation code. Free until 24 hours before the start; after that, what was paid is kept, also if the booking is moved then.',
        },
      },
    )
    .post(
      '/:id/reschedule',
      async function postRescheduling({ params, body, caller }) {
        return json(await rescheduleBooking(deps, callerOf(caller), params.id, body))
      },
      {
        access: withKey('bookings:write', 'widget:book'),
        params: BookingParams,
        body: Rescheduling,
        answers: {
          200: { description: 'Moved', schema: BookingChanged },
          404: { description: NOT_YOURS },
          409: { description: `The booking is not confirmed, or has begun. Or: ${TAKEN}` },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Move a booking to another time',
          description:
            'Give `date` and `time` on the pro’s clock, or `startDateTime`. The booking keeps its length, and its own time counts as free. Within 24 hours of the start, moving it does not make cancelling free again.',
        },
      },
    )

const created = (value: { booking: { id: string } }) =>
  json(value, { status: 201, headers: { location: `/api/v1/bookings/${value.booking.id}` } })

/** Booking scopes show what the key's owner made; pro:read shows what is with the pro who owns it. */
const viewer = ({ accountId, professionalId, scopes }: Caller): Viewer => ({
  accountId: scopes.has('bookings:write') || scopes.has('widget:book') ? accountId : null,
  professionalId: scopes.has('pro:read') ? professionalId : null,
})
