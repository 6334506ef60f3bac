// book_appointment: POST /bookings/create for a model. A person pays; paying confirms.
import { Type } from '@sinclair/typebox'

import { BookingReceipt, BookingStart, ManageUrl } from '../../features/bookings/schemas.ts'
import { startBooking } from '../../features/bookings/verbs/create-booking.ts'
import { Instant, Nullable, Uri } from '../../platform/schema/types.ts'
import { requireAddress } from '../../features/bookings/verbs/visit-details.ts'
import { defineCustomerTool } from '../server/tool.ts'

const { id, ...receipt } = BookingReceipt.properties

/** The receipt's status: a booking that has started or ended was confirmed. */
const receiptStatus = (status: string): BookingReceipt['status'] =>
  status === 'pending' || status === 'cancelled' ? status : 'confirmed'

export const bookAppointment = defineCustomerTool({
  name: 'book_appointment',
  title: 'Book an appointment',
  description:
    'Book an open time with a pro who takes instant bookings, after the person agreed to pro, time and price. For nearly all services the pro comes to the customer: then guestPhone and address with street, city, state and zipCode are required, so ask the person. Holds the time. When `payUrl` is not null, the booking is pending until a person pays `amount` there before `holdExpiresAt`: give them the link. clientSecret is for paying directly at the payment provider. Without payment the hold ends and the time is open again. statusUrl shows the booking; on manageUrl the person moves or cancels it: give it to nobody else.',
  access: 'write',
  hints: { openWorld: true },
  idempotent: true,
  fields: {
    packageId: { flags: ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'], scopes: ['packages:book'] },
  },
  input: BookingStart,
  output: Type.Object({
    bookingId: id,
    ...receipt,
    clientSecret: Nullable(Type.String()),
    amount: Nullable(Type.Number()),
    currency: Nullable(Type.String()),
    holdExpiresAt: Nullable(Instant()),
    payUrl: Nullable(Uri()),
    statusUrl: Uri(),
    manageUrl: ManageUrl,
    cancellationPolicy: Type.String(),
  }),
  call: async (deps, caller, input, { idempotency }) => {
    await requireAddress(deps, input)
    const { value, replayed } = await startBooking(deps, caller, input, idempotency, 'agent')
    const { booking, manageUrl, payment, cancellationPolicy } = value
    const { id, ...rest } = booking
    const appointment = {
      bookingId: id,
      ...rest,
      clientSecret: payment?.clientSecret ?? null,
      amount: payment?.amount ?? null,
      currency: payment?.currency ?? null,
      holdExpiresAt: payment?.expiresAt ?? null,
      payUrl: payment?.payUrl ?? null,
      statusUrl: `${deps.config.baseUrl}/api/v1/bookings?code=${booking.confirmationCode}`,
      manageUrl,
      cancellationPolicy,
    }
    return { value: appointment, replayed }
  },
  charge: {
    clientSecretOf: ({ clientSecret }) => clientSecret,
    afterPayment: (result, booking) => ({
      ...result,
      status: receiptStatus(booking.status),
      holdExpiresAt: null,
      payUrl: null,
    }),
  },
  next: ({ status, payUrl, holdExpiresAt, confirmationCode }) =>
    payUrl
      ? `Not confirmed yet. Ask the person to pay on ${payUrl} before ${holdExpiresAt}; paying confirms it. Confirmation code: ${confirmationCode}.`
      : status === 'confirmed'
        ? `Confirmed. Give the person the confirmation code ${confirmationCode}.`
        : `The pro will confirm or decline. Confirmation code: ${confirmationCode}.`,
})
