// Bookings: made, looked up.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { type IdempotencyContext, type IdempotentResult, fingerprint } from '../../../idempotency/context.ts'
import { currentTraceparent } from '../../../platform/telemetry/trace-context.ts'
import { MAX_DAYS_AHEAD } from '../../availability/verbs.ts'
import { type PageMeta, pageMeta, pageOf } from '../../../platform/schema/paging.ts'
import type { PaymentDue } from '../../../payments/schemas.ts'
import { paymentProviderOf } from '../../../payments/open-provider.ts'
import { presentPayment } from '../../../payments/verbs.ts'
import { releaseHold } from './holds.ts'
import type {
  Booking,
  BookingCreated,
  BookingReceipt,
  BookingStart,
  BookingStarted,
  NewBooking,
  ProBooking,
  ProBookingQuery,
  Source,
} from '../schemas.ts'
import {
  type Reservation,
  type ReservationRow,
  findBookingByCode,
  findBookingById,
  findProBooking,
  listProBookings,
  reserveSlot,
} from '../queries/bookings.ts'
import type { Scope } from '../../../auth/scopes.ts'
import { localStart, wholeMinute } from '../start.ts'

/** Whose bookings may be seen: those an account made, those with a pro; null for none. */
export interface Viewer {
  accountId: string | null
  professionalId: string | null
}

export const CANCELLATION_POLICY =
  'Free cancellation until 24 hours before the start; after that, what was paid is kept, also if the booking is moved then.'

/**
 * Books a slot: one call of one SQL function, so that it happens wholly or not at all. With a pro who takes a deposit it
 * waits for the payment. Throws professional_not_found, service_not_found, instant_booking_disabled, service_unpriced,
 * validation_failed (date), slot_unavailable with `nextAvailable`, and idempotency_mismatch. With `once`, the same wish
 * again gets the same answer for 24 hours.
 */
export async function createBooking(
  deps: Deps,
  booker: { accountId: string },
  wish: NewBooking,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<BookingCreated>> {
  const made = await reserve(deps, booker, 'createBooking', wish, idempotency, {
    professionalId: wish.professionalId,
    serviceId: wish.serviceId,
    start: localStart(wish.date, wish.time),
    durationMinutes: wish.duration ?? null,
    customer: wish.customer,
    address: wish.address ?? null,
    description: wish.description ?? null,
    source: wish.source ?? 'api',
    sourceAgentId: wish.sourceAgentId ?? null,
    feeCents: 0,
  })
  const { booking, depositRequired, depositPercentage, payment, replayed } = made
  return {
    value: { success: true, booking, depositRequired, depositPercentage, payment, ...whatNext(booking, payment) },
    replayed,
  }
}

/**
 * Starts a booking with the instant-booking fee, and the deposit where there is one. Throws as {@link createBooking}; with
 * a package also insufficient_scope and package_not_found. `source` is by which interface the wish came.
 */
export async function startBooking(
  deps: Deps,
  booker: { accountId: string; scopes: ReadonlySet<Scope> },
  wish: BookingStart,
  idempotency?: IdempotencyContext,
  source: Source = 'api',
): Promise<IdempotentResult<BookingStarted>> {
  if (wish.packageId !== undefined) checkPackageBooking(deps, booker.scopes)
  const { booking, payment, replayed } = await reserve(deps, booker, 'startBooking', wish, idempotency, {
    professionalId: wish.professionalId,
    serviceId: wish.serviceId,
    start: { instant: wholeMinute('body.startDateTime', wish.startDateTime) },
    durationMinutes: wish.durationMinutes ?? null,
    customer: { name: wish.guestName, email: wish.guestEmail },
    address: wish.zipCode === undefined ? null : { zipCode: wish.zipCode },
    description: wish.description ?? null,
    source,
    sourceAgentId: null,
    feeCents: deps.config.instantBookingFeeCents,
    packageId: wish.packageId,
  })
  const clientSecret = payment?.clientSecret ?? null
  return { value: { success: true, booking, clientSecret, payment, ...whatNext(booking, payment) }, replayed }
}

/** Packages are booked where they are offered at all, by keys that may. */
function checkPackageBooking({ config }: Deps, scopes: ReadonlySet<Scope>): void {
  if (!config.features.has('FEATURE_OFFER_PACKAGES'))
    throw invalidField('body.packageId', 'is not taken here: packages are not offered')
  if (!scopes.has('packages:book'))
    throw new AppError('insufficient_scope', 'To book a package, the key needs the scope packages:book besides.', {
      extensions: { requiredScopes: ['packages:book'] },
    })
}

type Asked = Pick<
  Reservation,
  | 'professionalId'
  | 'serviceId'
  | 'start'
  | 'durationMinutes'
  | 'customer'
  | 'address'
  | 'description'
  | 'source'
  | 'sourceAgentId'
  | 'feeCents'
  | 'packageId'
>

async function reserve(
  deps: Deps,
  { accountId }: { accountId: string },
  operation: string,
  request: unknown,
  idempotency: IdempotencyContext | undefined,
  asked: Asked,
) {
  const { clock, config, ids, write } = deps
  const made = await reserveSlot(write, {
    ...asked,
    accountId,
    bookingId: ids.uuid(),
    confirmationCode: ids.confirmationCode(),
    eventIds: [ids.uuid(), ids.uuid()],
    traceparent: currentTraceparent() ?? null,
    now: clock.now(),
    baseUrl: config.baseUrl,
    idempotency: idempotency ? { operation, key: idempotency.key, requestHash: fingerprint(request) } : null,
    holdSeconds: config.bookingHoldSeconds,
    paymentId: ids.uuid(),
    paymentProvider: paymentProviderOf(deps).name,
  })
  if (made.outcome !== 'reserved') throw refusal(made, 'date' in asked.start ? 'body.date' : 'body.startDateTime')
  return { ...made, payment: made.payment && (await present(deps, made.payment.id, made.booking.id, idempotency)) }
}

/** Who has no key to ask again under gets the time back at once, should the provider be away. */
async function present(deps: Deps, paymentId: string, bookingId: string, idempotency: IdempotencyContext | undefined) {
  try {
    return await presentPayment(deps, paymentId)
  } catch (error) {
    if (!idempotency && error instanceof AppError) await releaseHold(deps, bookingId)
    throw error
  }
}

/** The booking of a confirmation code, however it is typed (case, spaces, O for 0). Throws booking_not_found. */
export async function getBookingByCode({ read, clock }: Deps, code: string): Promise<Booking> {
  const booking = await findBookingByCode(read, readCode(code), clock.now())
  if (!booking) throw new AppError('booking_not_found', 'No booking has this confirmation code.')
  return booking
}

/** A booking for whoever made it or for its pro. Anyone else's is not found. */
export async function getBookingById({ read, clock }: Deps, viewer: Viewer, id: string): Promise<Booking> {
  const booking = await findBookingById(read, viewer, id, clock.now())
  if (!booking) throw new AppError('booking_not_found', 'No booking of yours has this id.')
  return booking
}

/** A booking that the viewer may see, read through `db`. */
export const findBooking = (db: Runner, viewer: Viewer, id: string, now: Date): Promise<Booking | undefined> =>
  findBookingById(db, viewer, id, now)

/** A booking of the pro. Throws booking_not_found. */
export async function getProBooking({ read, clock }: Deps, professionalId: string, id: string): Promise<ProBooking> {
  const booking = await findProBooking(read, professionalId, id, clock.now())
  if (!booking) throw new AppError('booking_not_found', 'No booking of yours has this id.')
  return booking
}

/** A page of the pro's bookings, the latest made first. */
export async function listBookingsOfPro(
  { read, clock }: Deps,
  professionalId: string,
  query: ProBookingQuery,
): Promise<{ bookings: ProBooking[]; meta: PageMeta }> {
  const wanted = { status: query.status ?? null, date: query.date ?? null, ...pageOf(query), now: clock.now() }
  const { bookings, total } = await listProBookings(read, professionalId, wanted)
  return { bookings, meta: pageMeta(total, query) }
}

/** Crockford's base32 reads I and L as 1 and O as 0. */
export const readCode = (code: string): string =>
  code
    .trim()
    .toUpperCase()
    .replace(/^HTH-?(.*)$/, (_, rest: string) => `HTH-${rest.replace(/[IL]/g, '1').replaceAll('O', '0')}`)

type Refused = Exclude<ReservationRow, { outcome: 'reserved' }>

const REFUSALS = {
  pro_not_found: ['professional_not_found', 'No pro has this id.'],
  service_not_found: ['service_not_found', 'This pro does not offer the service.'],
  package_not_found: ['package_not_found', 'This pro offers no such package of the service.'],
  instant_booking_off: [
    'instant_booking_disabled',
    'This pro does not take instant bookings of this service. Ask for a quote with POST /api/v1/rfqs.',
  ],
  service_unpriced: [
    'service_unpriced',
    'This pro takes a deposit, but has set no price for the service. Ask for a quote with POST /api/v1/rfqs.',
  ],
  idempotency_mismatch: [
    'idempotency_mismatch',
    'This Idempotency-Key was used before with a different request. Send a new key.',
  ],
} as const

function refusal(row: Refused, dateField: string): AppError {
  if (row.outcome === 'date_out_of_range') return dateOutOfRange(dateField)
  if (row.outcome === 'slot_unavailable') return slotUnavailable(row.nextAvailable, row)
  const [code, detail] = REFUSALS[row.outcome]
  return new AppError(code, detail, { replayed: row.replayed })
}

export const dateOutOfRange = (field: string): AppError =>
  invalidField(field, `must be from today to ${MAX_DAYS_AHEAD} days ahead where the pro is`)

export const slotUnavailable = (nextAvailable: unknown, { replayed = false } = {}): AppError =>
  new AppError('slot_unavailable', 'The pro is not free at this time.', { extensions: { nextAvailable }, replayed })

function whatNext({ status, confirmationCode: code }: BookingReceipt, payment: PaymentDue | null) {
  const keep = `Keep the confirmation code ${code}: GET /api/v1/bookings?code=${code} shows the booking.`
  const first = payment
    ? `Pay until ${payment.expiresAt}: with \`clientSecret\` at the payment provider, or on ${payment.payUrl}. Until then the booking is not confirmed; unpaid, its time is free again.`
    : status === 'confirmed'
      ? 'The booking is confirmed. The pro will come at the scheduled time.'
      : 'The pro will confirm the booking or decline it.'
  return { nextSteps: [first, keep], cancellationPolicy: CANCELLATION_POLICY }
}
