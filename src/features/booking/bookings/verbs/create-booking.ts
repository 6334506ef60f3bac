// Creates bookings. Each is one call of the SQL function reserve_slot.
import type { AddressProof } from '../../../../auth/address-proof.ts'
import type { Scope } from '../../../../auth/scopes.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { fingerprint, markReplay } from '../../../../idempotency/context.ts'
import { requirePackages } from '../../../business/packages/rules/offered.ts'
import { CUSTOMER_BLOCKED } from '../../../customers/operator-customers/rules/blocked.ts'
import { serviceNotOffered } from '../../../catalog/services/verbs/not-offered.ts'
import { locateAddress, withCity } from '../../../catalog/services/verbs/places.ts'
import { getDefaults } from '../../../upkeep/marketplace/verbs.ts'
import { requireServiceArea } from '../../../search/pros/verbs/service-area.ts'
import { newPaymentProvider, paymentsNotConfigured } from '../../../../payments/open-provider.ts'
import type { PaymentDue } from '../../../../payments/schemas.ts'
import { presentPayment } from '../../../../payments/verbs/payments.ts'
import { localDateTime } from '../../../../platform/text/format.ts'
import { currentTraceparent } from '../../../../platform/telemetry/trace-context.ts'
import { type Reservation, type ReservationRow, reserveSlot } from '../queries/bookings.ts'
import { findApproval } from '../queries/bookings.sql.ts'
import {
  type BookingCreated,
  type BookingReceipt,
  type BookingStart,
  type BookingStarted,
  type NewBooking,
  type Source,
} from '../schemas.ts'
import { OBSTACLE_REFUSALS, dateOutOfRange, slotUnavailable } from '../rules/bookable.ts'
import { policyOfNewBooking } from '../rules/cancellation.ts'
import { TOO_MANY_UNPAID, maxUnpaid } from '../rules/unpaid-limit.ts'
import { type ByHand, reserveByHand } from './by-hand.ts'
import { reserveForGuest } from './guests.ts'
import { releaseHold } from './holds.ts'
import { manageUrl } from './manage-link.ts'
import { localStart, wholeMinute } from './start-time.ts'

/** Who books. */
export interface Booker {
  accountId: string
  /** Of the customer's e-mail address; `typed` unless given. */
  addressProof?: AddressProof
  /** A digest of the client's network, where anybody can book; see `src/rate-limit/network.ts`. */
  network?: string | undefined
  /** For the customer who calls. */
  byHand?: ByHand
}

/**
 * Books a slot in one transaction. Where the pro takes a deposit, the booking is pending until it is paid. Throws
 * professional_not_found, service_not_found, instant_booking_disabled, service_unpriced, service_too_long (in the service's
 * own length), payments_not_configured, validation_failed (date), slot_unavailable with `nextAvailable`, customer_blocked, address_unproven with `bookingUrl`, too_many_unpaid_bookings,
 * and idempotency_mismatch.
 */
export async function createBooking(
  ctx: Ctx<Booker>,
  {
    defaultLength = 'slot',
    onlyInServiceArea,
    ...input
  }: { defaultLength?: Reservation['defaultLength'] } & NewBooking,
): Promise<BookingCreated> {
  const reserved = await reserve(ctx, 'createBooking', input, {
    professionalId: input.professionalId,
    serviceId: input.serviceId,
    start: localStart(input.date, input.time),
    durationMinutes: input.duration ?? null,
    defaultLength,
    customer: input.customer,
    address: input.address ?? null,
    description: input.description ?? null,
    source: input.source ?? 'api',
    sourceAgentId: input.sourceAgentId ?? null,
    takesFee: false,
    onlyInServiceArea,
    notifyEmail: input.notifyEmail,
  })
  const { booking, depositRequired, depositPercentage, listedMinutes, payment } = reserved
  return {
    success: true,
    booking,
    manageUrl: reserved.isByPro ? null : manageUrl(ctx, { bookingId: booking.id }),
    depositRequired,
    depositPercentage,
    ...(listedMinutes !== null && { listedDurationMinutes: listedMinutes }),
    payment,
    ...nextSteps(reserved, await waitsForPro(ctx, reserved)),
  }
}

/**
 * Starts a booking with the instant-booking fee and the pro's deposit, if any. Throws like {@link createBooking}; with a
 * package also insufficient_scope and package_not_found. `source` names the interface that was used.
 */
export async function startBooking(
  ctx: Ctx<Booker & { scopes: ReadonlySet<Scope> }>,
  { source = 'api', onlyInServiceArea, ...input }: { source?: Source } & BookingStart,
): Promise<BookingStarted> {
  if (input.packageId !== undefined) checkPackageBooking(ctx, ctx.actor.scopes)
  const reserved = await reserve(ctx, 'startBooking', input, {
    professionalId: input.professionalId,
    serviceId: input.serviceId,
    start: { instant: wholeMinute('body.startDateTime', input.startDateTime) },
    durationMinutes: input.durationMinutes ?? null,
    defaultLength: 'service',
    customer: {
      name: input.guestName,
      email: input.guestEmail,
      ...(input.guestPhone === undefined ? {} : { phone: input.guestPhone }),
    },
    address: addressOf(input),
    description: input.description ?? null,
    source,
    sourceAgentId: null,
    takesFee: true,
    packageId: input.packageId,
    onlyInServiceArea,
    notifyEmail: input.notifyEmail,
  })
  const { booking, payment, isByPro } = reserved
  const clientSecret = payment?.clientSecret ?? null
  return {
    success: true,
    booking,
    manageUrl: isByPro ? null : manageUrl(ctx, { bookingId: booking.id }),
    clientSecret,
    payment,
    ...nextSteps(reserved, await waitsForPro(ctx, reserved)),
  }
}

const addressOf = ({ address, zipCode }: BookingStart): NewBooking['address'] | null =>
  address || zipCode !== undefined ? { ...(zipCode === undefined ? {} : { zipCode }), ...address } : null

function checkPackageBooking(ctx: Ctx, scopes: ReadonlySet<Scope>): void {
  requirePackages(ctx, 'body.packageId')
  if (!scopes.has('packages:book'))
    throw new AppError('insufficient_scope', 'To book a package, the key also needs the scope packages:book.', {
      extensions: { requiredScopes: ['packages:book'] },
    })
}

type BookingTerms = Pick<
  Reservation,
  | 'professionalId'
  | 'serviceId'
  | 'start'
  | 'durationMinutes'
  | 'defaultLength'
  | 'customer'
  | 'address'
  | 'description'
  | 'source'
  | 'sourceAgentId'
  | 'packageId'
> & { takesFee: boolean; onlyInServiceArea: boolean | undefined; notifyEmail?: string | undefined }

async function reserve(ctx: Ctx<Booker>, operation: string, request: unknown, { notifyEmail, ...terms }: BookingTerms) {
  const { accountId, addressProof = 'typed', network, byHand } = ctx.actor
  const { clock, config, ids } = ctx
  const { feeCents, holdSeconds, freeCancellationHours } = await getDefaults(ctx)
  if (terms.onlyInServiceArea) await requireServiceArea(ctx, terms)
  const located = terms.address && (await locateAddress(ctx, { address: terms.address }))
  const { takesFee, ...asked } = terms
  const reservation: Reservation = {
    ...asked,
    address: terms.address && withCity(terms.address, located ?? undefined),
    place: located?.coordinates ?? null,
    accountId,
    bookingId: ids.uuid(),
    confirmationCode: ids.confirmationCode(),
    eventIds: [ids.uuid(), ids.uuid()],
    traceparent: currentTraceparent() ?? null,
    now: clock.now(),
    baseUrl: config.baseUrl,
    idempotency: ctx.idempotency ? { operation, key: ctx.idempotency.key, requestHash: fingerprint(request) } : null,
    feeCents: takesFee ? feeCents : 0,
    holdSeconds,
    paymentId: ids.uuid(),
    paymentProvider: newPaymentProvider(config) ?? null,
    maxUnpaid: maxUnpaid(config, addressProof),
    addressProof,
    network: network ?? null,
    freeCancellationHours,
  }
  const row = byHand
    ? await reserveByHand(ctx, { reservation, byHand })
    : notifyEmail === undefined
      ? await reserveSlot(ctx, reservation)
      : await reserveForGuest(ctx, { reservation, email: notifyEmail })
  markReplay(ctx.idempotency, row.outcome !== 'address_unproven' && row.replayed)
  if (row.outcome === 'address_unproven') throw addressUnproven(ctx, terms)
  if (row.outcome === 'service_not_found') throw await serviceNotOffered(ctx, terms)
  if (row.outcome !== 'reserved') throw refusal(row, 'date' in terms.start ? 'body.date' : 'body.startDateTime')
  // A test pro is paid in the sandbox even where there is no provider.
  if (row.payment && config.sellsNothing) {
    await releaseHold(ctx, { bookingId: row.booking.id })
    throw paymentsNotConfigured()
  }
  const payment = row.payment && (await present(ctx, row.payment.id, row.booking.id))
  return { ...row, payment, madeAt: Date.parse(row.payment?.startedAt ?? reservation.now.toISOString()) }
}

/** Ends the hold at once if the provider refuses the payment, or is unavailable and the caller has no key to retry with. */
async function present(ctx: Ctx, paymentId: string, bookingId: string) {
  try {
    return await presentPayment(ctx, { paymentId })
  } catch (error) {
    if (error instanceof AppError && (!ctx.idempotency || error.code === 'payment_refused'))
      await releaseHold(ctx, { bookingId })
    throw error
  }
}

const REFUSALS = {
  pro_not_found: ['professional_not_found', 'No pro has this id.'],
  package_not_found: ['package_not_found', 'This pro has no such package for the service.'],
  instant_booking_disabled: ['instant_booking_disabled', OBSTACLE_REFUSALS.instant_booking_disabled],
  service_unpriced: ['service_unpriced', OBSTACLE_REFUSALS.service_unpriced],
  service_too_long: ['service_too_long', OBSTACLE_REFUSALS.service_too_long],
  customer_blocked: ['customer_blocked', CUSTOMER_BLOCKED],
  too_many_unpaid: ['too_many_unpaid_bookings', TOO_MANY_UNPAID],
  idempotency_mismatch: [
    'idempotency_mismatch',
    'This Idempotency-Key was used before with a different request. Send a new key.',
  ],
} as const

/** The refusal names the page on which the customer proves the address and books the same choice. */
function addressUnproven(ctx: Ctx, { professionalId, serviceId, packageId, start }: BookingTerms) {
  const offer: Record<string, string> = packageId === undefined ? { service: serviceId } : { package: packageId }
  const chosen: Record<string, string> = 'date' in start ? { date: start.date, time: clockTimeOf(start.minute) } : {}
  const query = new URLSearchParams({ ...offer, ...chosen })
  const bookingUrl = `${ctx.config.baseUrl}/pros/${professionalId}/book?${query.toString()}`
  return new AppError(
    'address_unproven',
    'The customer’s e-mail address must be proven first. Open `bookingUrl`, where a code is sent to it.',
    { extensions: { bookingUrl } },
  )
}

const clockTimeOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')

type Refused = Exclude<ReservationRow, { outcome: 'reserved' | 'address_unproven' | 'service_not_found' }>

function refusal(row: Refused, dateField: string): AppError {
  if (row.outcome === 'date_out_of_range') return dateOutOfRange(dateField)
  if (row.outcome === 'slot_unavailable') return slotUnavailable(row.nextAvailable, row)
  if (row.outcome === 'payments_not_configured') return paymentsNotConfigured(row.replayed)
  if (row.outcome === 'duration_fixed')
    return invalidField('body.durationMinutes', 'is set by the package: leave it out')
  const [code, detail] = REFUSALS[row.outcome]
  return new AppError(code, detail, { replayed: row.replayed })
}

interface Made {
  /** When the booking was made, if it waits for a payment. */
  madeAt: number
  booking: BookingReceipt
  payment: PaymentDue | null
  listedMinutes: number | null
  isByPro: boolean
}

/** Whether the pro still decides after the payment. */
async function waitsForPro(ctx: Ctx, { booking, payment }: Made): Promise<boolean> {
  if (!payment) return false
  if (booking.inServiceArea === false) return true
  return (await findApproval(ctx, { professionalId: booking.professional.id }))?.requiresApproval ?? false
}

function nextSteps({ madeAt, booking, payment, listedMinutes, isByPro }: Made, waitsForPro: boolean) {
  const { status, confirmationCode: code, durationMinutes, inServiceArea, localTime, timeZone } = booking
  const isOutside = inServiceArea === false
  const keep = `Keep the confirmation code ${code}: GET /api/v1/bookings?code=${code} shows the booking.`
  const first = payment
    ? `Pay by ${localDateTime(payment.expiresAt, timeZone)} (${payment.expiresAt}): with \`clientSecret\` at the payment provider, or on ${payment.payUrl}. ${waitsForPro ? 'Then the pro decides' : 'Paying confirms the booking'}; without payment the time is released.`
    : status === 'confirmed'
      ? `The booking is confirmed. The visit is on ${localTime}.`
      : `The pro will confirm or decline the booking on ${localTime}.`
  const decides =
    isOutside && 'The address is outside the pro’s service area, so the booking waits for the pro’s approval.'
  const listed =
    listedMinutes !== null &&
    `The booking lasts ${durationMinutes} minutes, the pro’s default slot, but times of this service are listed with ${listedMinutes} minutes. To book the listed length, cancel this booking and book with \`duration\` ${listedMinutes}.`
  const manage = isByPro
    ? 'The customer gets the link to move and cancel the booking by e-mail.'
    : 'Give `manageUrl` to the customer only: anyone who has it can move and cancel the booking.'
  const steps = [first, decides, listed, keep, manage].filter((step) => step !== false)
  return { nextSteps: steps, cancellationPolicy: policyOfNewBooking(booking, { due: payment?.amount ?? 0, madeAt }) }
}
