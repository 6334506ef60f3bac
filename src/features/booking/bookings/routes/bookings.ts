// The /bookings routes: create, look up, cancel and reschedule.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { addressProofOf } from '../../../../auth/address-proof.ts'
import { publicRead } from '../../../../auth/access.ts'
import { flaggedFields } from '../../../../http/flagged-fields.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { type Caller, checkOwnAddress, customerOf } from '../../../../auth/caller.ts'
import { cancelBooking, rescheduleBooking } from '../verbs/customer-actions.ts'
import { BookingCancelled, BookingChanged, Cancellation, ProposedTimeAnswer, Rescheduling } from '../action-schemas.ts'
import {
  BookingAnswer,
  BookingByCode,
  BookingCreated,
  BookingParams,
  BookingStart,
  BookingStarted,
  NewBooking,
} from '../schemas.ts'
import { PACKAGE_CHOICE } from '../../../business/packages/rules/offered.ts'
import { networkDigestOf } from '../../../../rate-limit/network.ts'
import { guestToTell } from '../verbs/guests.ts'
import { createBooking, startBooking } from '../verbs/create-booking.ts'
import { answerProposedTime } from '../verbs/proposed-times.ts'
import { type Viewer, getBookingByCode, getBookingById, getBookingOfCustomer } from '../verbs/find-booking.ts'

const PAYMENT_REFUSED = 'The payment provider refuses to start the payment. Nothing is held'
const NOT_AVAILABLE = 'The time is not available; `nextAvailable` is the next available time'
const NOT_FOUND = 'This key’s account created no booking with this id'

export const bookingRoutes = (deps: Deps) =>
  new Elysia({ name: 'bookings', prefix: '/bookings' })
    .use(guard(deps))
    .use(proposalAnswers(deps))
    .post(
      '',
      async function postBooking({ ctx, body, caller, request, set, status }) {
        checkOwnAddress(caller, 'body.customer.email', body.customer.email)
        const notifyEmail = guestToTell(caller, body.notifyEmail)
        const created = await createBooking(ctx.as(bookerOf(ctx, caller, request)), { ...body, notifyEmail })
        set.headers.location = locationOf(created)
        return status(201, created)
      },
      {
        withKey: ['bookings:write', 'widget:book'],
        idempotent: true,
        body: NewBooking,
        response: {
          201: returns('Booked. If a deposit is due, the time is held until it is paid', BookingCreated),
          ...problems({
            402: PAYMENT_REFUSED,
            404: 'The pro does not exist or does not offer the service',
            409: NOT_AVAILABLE,
          }),
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Book a slot',
          description:
            'The service must be bookable at once (400 otherwise). Date and time are in the pro’s time zone. To book a time listed for a service, pass its length as `duration`; the default is the pro’s default slot, and where that is not the listed length, the answer has `listedDurationMinutes`. An `address` whose ZIP code or city is farther from the pro than `serviceRadius` makes the booking wait for the pro’s approval, or with `onlyInServiceArea` is refused with the nearest pros who come. If the answer has a `payment`, the booking is pending until it is paid.',
        },
      },
    )
    .post(
      '/create',
      async function startBookingWithFee({ ctx, body, caller, request, set, status }) {
        checkOwnAddress(caller, 'body.guestEmail', body.guestEmail)
        const notifyEmail = guestToTell(caller, body.notifyEmail)
        const started = await startBooking(ctx.as(bookerOf(ctx, caller, request)), { ...body, notifyEmail })
        set.headers.location = locationOf(started)
        return status(201, started)
      },
      {
        withKey: ['bookings:write', 'widget:book'],
        idempotent: true,
        body: BookingStart,
        response: {
          201: returns('Started. If a payment is due, the time is held until it is paid', BookingStarted),
          ...problems({
            402: PAYMENT_REFUSED,
            404: 'The pro does not exist or does not offer the service',
            409: NOT_AVAILABLE,
          }),
        },
        detail: {
          ...flaggedFields(PACKAGE_CHOICE),
          tags: ['Bookings'],
          summary: 'Start a booking with the instant-booking fee',
          description:
            'Lasts as long as the service or package, as listed. An address outside the pro’s `serviceRadius` is treated as for `POST /bookings`. `clientSecret` pays the fee and the pro’s deposit, if any. The booking is pending until then.',
        },
      },
    )
    .get(
      '',
      async function getBookingWithCode({ ctx, query, caller }) {
        const reader = caller ? (customerOf(caller) ?? viewer(caller)) : { accountId: null }
        return { booking: await getBookingByCode(ctx, { code: query.code, reader }) }
      },
      {
        access: { ...publicRead('bookings:write', 'widget:book', 'pro:read'), limit: 'codeLookups' },
        caching: 'personal',
        query: BookingByCode,
        response: {
          200: returns('The booking', BookingAnswer),
          ...problems({ 404: 'No booking has this code' }),
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Look up a booking by its confirmation code',
          description:
            'The code is a secret: anyone with the code can see the booking. `address` is null except for a key of the account that created it and for its signed-in customer. The code does not change a booking: that takes such a key, or the manage link.',
        },
      },
    )
    .get(
      '/:id',
      async function getBooking({ ctx, params, caller }) {
        const customer = customerOf(caller)
        if (customer) return { booking: await getBookingOfCustomer(ctx.as(customer), { id: params.id }) }
        return { booking: await getBookingById(ctx.as(viewer(caller)), { id: params.id }) }
      },
      {
        withKey: ['bookings:write', 'widget:book', 'pro:read'],
        params: BookingParams,
        response: {
          200: returns('The booking', BookingAnswer),
          ...problems({ 404: 'This key’s account has no booking with this id' }),
        },
        detail: {
          tags: ['Bookings'],
          summary:
            'Get a booking that this key’s account created, that is with this pro, or that is the signed-in customer’s',
        },
      },
    )
    .post(
      '/:id/cancel',
      async function postCancellation({ ctx, params, body, caller }) {
        return await cancelBooking(ctx.as(customerOf(caller) ?? caller), { ...body, id: params.id })
      },
      {
        withKey: ['bookings:write', 'widget:book'],
        idempotent: true,
        params: BookingParams,
        body: Cancellation,
        response: {
          200: returns('Cancelled', BookingCancelled),
          ...problems({ 404: NOT_FOUND, 409: 'The booking has started, ended or been cancelled' }),
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Cancel a booking',
          description:
            'With a key of the account that created the booking, unless it is the pro’s (403: a pro cancels with `POST /pro/bookings/{id}`), or as the customer through an app that they connected; otherwise the customer uses the manage link. ' +
            'Cancelling is free until `freeCancellationUntil`, which is `freeCancellationHours` before the start, as agreed when it was booked. ' +
            'After that, the payment is kept, even if the booking is then moved.',
        },
      },
    )
    .post(
      '/:id/reschedule',
      async function postRescheduling({ ctx, params, body, caller }) {
        return await rescheduleBooking(ctx.as(customerOf(caller) ?? caller), { ...body, id: params.id })
      },
      {
        withKey: ['bookings:write', 'widget:book'],
        idempotent: true,
        params: BookingParams,
        body: Rescheduling,
        response: {
          200: returns('Moved', BookingChanged),
          ...problems({ 404: NOT_FOUND, 409: `The booking is not confirmed, or has started. Or: ${NOT_AVAILABLE}` }),
        },
        detail: {
          tags: ['Bookings'],
          summary: 'Move a booking to another time',
          description:
            'Send `date` and `time` in the pro’s time zone, or `startDateTime`. The duration does not change, and the booking’s own time counts as free. ' +
            'A move after `freeCancellationUntil` does not make cancelling free again.',
        },
      },
    )

/** The answer to a time that the pro proposes. */
const proposalAnswers = (deps: Deps) =>
  new Elysia({ name: 'proposal-answers' }).use(guard(deps)).post(
    '/:id/proposed-time',
    async function postProposalAnswer({ ctx, params, body, caller }) {
      return await answerProposedTime(ctx.as(customerOf(caller) ?? caller), { ...body, id: params.id })
    },
    {
      withKey: ['bookings:write', 'widget:book'],
      idempotent: true,
      params: BookingParams,
      body: ProposedTimeAnswer,
      response: {
        200: returns('Moved, or left as it is', BookingChanged),
        ...problems({ 404: NOT_FOUND, 409: `The pro proposes no other time. Or: ${NOT_AVAILABLE}` }),
      },
      detail: {
        tags: ['Bookings'],
        summary: 'Agree to the time that the pro proposes, or decline it',
        description:
          '`proposedTime` of the booking is the proposal. It ends when the booking is moved or cancelled. Agreeing keeps the right to cancel free of charge.',
      },
    },
  )

/** The key of a widget stands in a page that anybody opens, so its free bookings are counted by the browser's network. */
function bookerOf(deps: Deps, caller: Caller, request: Request) {
  const addressProof = addressProofOf(caller)
  return { ...caller, addressProof, network: addressProof === 'typed' ? networkDigestOf(deps, request) : undefined }
}

const locationOf = ({ booking }: { booking: { id: string } }): string => `/api/v1/bookings/${booking.id}`

/** Booking scopes show bookings that the key's account created; pro:read shows those of the pro who owns the key. */
const viewer = ({ accountId, professionalId, scopes }: Caller): Viewer => ({
  accountId: scopes.has('bookings:write') || scopes.has('widget:book') ? accountId : null,
  professionalId: scopes.has('pro:read') ? professionalId : null,
})
