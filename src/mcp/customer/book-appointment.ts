// book_appointment: POST /bookings/create for a model. A person pays; paying confirms.
import { type Static, Type } from '@sinclair/typebox'

import { addressProofOfAgent } from '../../auth/address-proof.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { cancellationPolicyOf } from '../../features/booking/bookings/rules/cancellation.ts'
import {
  BookingStart,
  type BookingStarted,
  ManageUrl,
  PresentReceipt,
} from '../../features/booking/bookings/schemas.ts'
import { startBooking } from '../../features/booking/bookings/verbs/create-booking.ts'
import { findOwnBooking, getPresentReceipt } from '../../features/booking/bookings/verbs/find-booking.ts'
import { manageUrl } from '../../features/booking/bookings/verbs/manage-link.ts'
import { guestToTell } from '../../features/booking/bookings/verbs/guests.ts'
import { requireAddress } from '../../features/booking/bookings/verbs/visit-details.ts'
import { findPaymentsDue } from '../../payments/verbs/payments.ts'
import { minutesLeft } from '../../platform/clock/dates.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Email, Instant, Nullable, Uri } from '../../platform/schema/types.ts'
import { endingIn, plural } from '../../platform/text/format.ts'
import { defineCustomerTool, described } from '../server/tool.ts'
import { ownAddress } from './whose-booking.ts'

const { id, ...receipt } = PresentReceipt.properties
const { status } = receipt
type BookingStatus = Static<typeof status>

const { guestEmail: _, onlyInServiceArea: __, ...startFields } = BookingStart.properties

export const bookAppointment = defineCustomerTool({
  name: 'book_appointment',
  title: 'Book an appointment',
  description:
    'Book an open time with a pro who takes instant bookings, after the person agreed to pro, time and price. Nearly always guestPhone and the whole address are required: ask. An address outside the pro’s service area is refused, with the nearest pros who come. When `payUrl` is not null, the time is held for `minutesLeft` minutes, in which a person pays `amount` there: give them the link. Tell the person `localTime`. On manageUrl the person moves or cancels the booking: give it to them only.',
  freeDescription:
    'Book an open time with a pro who takes instant bookings, after the person agreed to pro, time and price. Only what takes no deposit can be booked here; nothing is paid now, and the price is paid to the pro. Nearly always the pro comes to the customer: then guestPhone and the whole address are required, so ask. An address outside the pro’s service area is refused, with the nearest pros who come. Tell the person `localTime`. On manageUrl the person moves or cancels the booking: give it to them only.',
  access: 'write',
  quotes: 'names',
  hints: { destructive: false, idempotent: false, openWorld: true },
  idempotent: true,
  fields: {
    packageId: { flags: ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'], scopes: ['packages:book'] },
  },
  input: Type.Object({
    ...startFields,
    durationMinutes: described(
      startFields.durationMinutes,
      'By default that of the service; leave it out with a package',
    ),
    description: described(startFields.description, 'Notes for the pro: work, gate code, pets'),
    zipCode: described(startFields.zipCode, 'If not in `address`'),
    notifyEmail: described(startFields.notifyEmail, 'Signed in, for another person: theirs'),
    packageId: described(startFields.packageId, 'Of this pro and service'),
    guestEmail: Type.Optional(Email({ description: 'Required unless the customer is signed in' })),
  }),
  output: Type.Object({
    bookingId: id,
    ...receipt,
    clientSecret: Nullable(Type.String()),
    amount: Nullable(Type.Number()),
    currency: Nullable(Type.String()),
    holdExpiresAt: Nullable(Instant()),
    minutesLeft: Nullable(Natural(), { description: 'To pay, before the time is free again' }),
    payUrl: Nullable(Uri()),
    statusUrl: Uri(),
    manageUrl: ManageUrl,
    cancellationPolicy: Type.String(),
    wasBookedBefore: Type.Optional(Type.Literal(true)),
  }),
  call: async (ctx, input) => {
    const guestEmail = ownAddress(ctx.actor, 'guestEmail', input.guestEmail)
    const start = { ...input, guestEmail, notifyEmail: guestToTell(ctx.actor, input.notifyEmail) }
    const booker = { ...ctx.actor, addressProof: addressProofOfAgent(ctx.actor) }
    await requireAddress(ctx, start)
    try {
      const value = await startBooking(ctx.as(booker), { ...start, onlyInServiceArea: true, source: 'agent' })
      return { ...appointment(ctx, value), ...(ctx.idempotency?.isReplay ? await presentState(ctx, value) : {}) }
    } catch (error) {
      const own = error instanceof AppError && error.code === 'slot_unavailable' && (await findOwn(ctx, start))
      if (!own) throw error
      return own
    }
  },
  charge: {
    clientSecretOf: ({ clientSecret }) => clientSecret,
    afterPayment: (result, booking) => ({
      ...result,
      status: booking.status as BookingStatus,
      holdExpiresAt: null,
      minutesLeft: null,
      payUrl: null,
    }),
  },
  openAfter: ({ payUrl, amount, currency, professional }) =>
    payUrl === null
      ? undefined
      : {
          url: payUrl,
          message: `Pay ${amount} ${currency} to confirm the booking with ${endingIn(professional.businessName)}`,
        },
  next: ({ status, payUrl, minutesLeft, localTime, confirmationCode: code, wasBookedBefore }) => {
    const again = wasBookedBefore ? 'You booked this before; it is the same booking. ' : ''
    if (payUrl)
      return `${again}Not confirmed yet. Ask the person to pay on ${payUrl} within ${plural(minutesLeft ?? 0, 'minute')}; paying confirms the visit on ${localTime}. Confirmation code: ${code}.`
    return `${again}${NEXT[status]} Time: ${localTime}. Confirmation code: ${code}.`
  },
})

const NEXT: Record<BookingStatus, string> = {
  pending: 'The pro will confirm or decline.',
  confirmed: 'Confirmed. Give the person the confirmation code.',
  completed: 'The visit is over. After it, the person can review the pro: submit_review.',
  no_show: 'The pro came, but the customer was not there.',
  cancelled: 'This booking is cancelled. To book again, choose an open time and send a new idempotencyKey.',
}

/**
 * The booking that this caller made before of the same time for the same customer: after a lost answer the time is not free,
 * because it is theirs. Not for a widget's key, which is public: it would show the bookings of others to a caller who guesses them.
 */
async function findOwn(ctx: Ctx<Caller>, start: BookingStart) {
  // With a key, a retry gets the first answer, whichever it was.
  if (ctx.actor.origin !== null || ctx.idempotency) return undefined
  const booking = await findOwnBooking(ctx, start)
  if (!booking) return undefined
  const [{ receipt, holdExpiresAt }, due] = await Promise.all([
    getPresentReceipt(ctx, { id: booking.id }),
    findPaymentsDue(ctx, { bookings: [booking] }),
  ])
  const payment = due.get(booking.id)
  const { id, ...rest } = receipt
  return {
    bookingId: id,
    ...rest,
    clientSecret: payment?.clientSecret ?? null,
    amount: payment?.amount ?? null,
    currency: payment?.currency ?? null,
    holdExpiresAt,
    minutesLeft: payment ? minutesLeft(payment.expiresAt, ctx.clock.now()) : null,
    payUrl: payment?.payUrl ?? null,
    statusUrl: statusUrl(ctx, receipt),
    manageUrl: manageUrl(ctx, { bookingId: id }),
    cancellationPolicy: cancellationPolicyOf(booking, ctx.clock.now()),
    wasBookedBefore: true as const,
  }
}

const statusUrl = ({ config }: Deps, { confirmationCode }: { confirmationCode: string }): string =>
  `${config.baseUrl}/api/v1/bookings?code=${confirmationCode}`

function appointment(deps: Deps, { booking, manageUrl, payment, cancellationPolicy }: BookingStarted) {
  const { id, ...rest } = booking
  return {
    bookingId: id,
    ...rest,
    clientSecret: payment?.clientSecret ?? null,
    amount: payment?.amount ?? null,
    currency: payment?.currency ?? null,
    holdExpiresAt: payment?.expiresAt ?? null,
    minutesLeft: payment && minutesLeft(payment.expiresAt, deps.clock.now()),
    payUrl: payment?.payUrl ?? null,
    statusUrl: statusUrl(deps, booking),
    manageUrl,
    cancellationPolicy,
  }
}

/** What may have changed since the first call: the booking was paid, rescheduled or cancelled, or is over. */
async function presentState(ctx: Ctx, { booking, payment }: BookingStarted) {
  const { receipt, holdExpiresAt } = await getPresentReceipt(ctx, { id: booking.id })
  const { id: _, ...rest } = receipt
  if (holdExpiresAt === null) return { ...rest, holdExpiresAt, minutesLeft: null, payUrl: null }
  return {
    ...rest,
    holdExpiresAt,
    minutesLeft: minutesLeft(holdExpiresAt, ctx.clock.now()),
    payUrl: payment?.payUrl ?? null,
  }
}
