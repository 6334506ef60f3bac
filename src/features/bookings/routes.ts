// POST /bookings, GET /bookings?code=, GET /bookings/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { publicRead, withKey } from '../../http/access.ts'
import { callerOf, gate } from '../../http/gate.ts'
import type { Caller } from '../../http/identity.ts'
import { json } from '../../http/json.ts'
import { BookingAnswer, BookingByCode, BookingCreated, BookingParams, NewBooking } from './model.ts'
import { type Viewer, createBooking, getBookingByCode, getBookingById } from './service.ts'

export const bookingRoutes = (deps: Deps) =>
  new Elysia({ name: 'bookings', prefix: '/bookings' })
    .use(gate(deps))
    .post(
      '',
      async function postBooking({ body, caller, once }) {
        const created = await createBooking(deps, callerOf(caller), body, once)
        return json(created, {
          status: 201,
          headers: { location: `/api/v1/bookings/${created.booking.id}` },
        })
      },
      {
        access: withKey('bookings:write', 'widget:book'),
        idempotent: true,
        body: NewBooking,
        answers: {
          201: { description: 'Booked', schema: BookingCreated },
          404: { description: 'No such pro, or the pro does not offer the service' },
          409: { description: 'The time is not available; `nextAvailable` is the next one that is' },
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Book a slot',
          description: 'The pro must take instant bookings. Date and time are on the pro’s clock.',
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

/** Booking scopes show what the key's owner made; pro:read shows what is with the pro who owns it. */
const viewer = ({ accountId, professionalId, scopes }: Caller): Viewer => ({
  accountId: scopes.has('bookings:write') || scopes.has('widget:book') ? accountId : null,
  professionalId: scopes.has('pro:read') ? professionalId : null,
})
