// Bookings: made, looked up.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { type Once, fingerprint } from '../../platform/idempotency.ts'
import { currentTraceparent } from '../../platform/telemetry.ts'
import { MAX_DAYS_AHEAD } from '../availability/service.ts'
import type { Booking, BookingCreated, NewBooking } from './model.ts'
import { type ReservationRow, findBookingByCode, findBookingById, reserveSlot } from './queries.ts'

/** Whose bookings may be seen: those an account made, those with a pro; null for none. */
export interface Viewer {
  accountId: string | null
  professionalId: string | null
}

const CANCELLATION_POLICY = 'Free cancellation until 24 hours before the start.'

/**
 * Books a slot: one call of one SQL function, so that it happens wholly or not at all. Throws professional_not_found,
 * service_not_found, instant_booking_disabled, validation_failed (date), slot_unavailable with `nextAvailable`, and
 * idempotency_mismatch. With `once`, the same wish again gets the same answer for 24 hours.
 */
export async function createBooking(
  deps: Deps,
  booker: { accountId: string },
  wish: NewBooking,
  once?: Once,
): Promise<BookingCreated> {
  const { clock, config, ids, write } = deps
  const made = await reserveSlot(write, {
    professionalId: wish.professionalId,
    serviceId: wish.serviceId,
    start: { date: wish.date, minute: minuteOfDay(wish.time) },
    durationMinutes: wish.duration ?? null,
    customer: wish.customer,
    address: wish.address ?? null,
    description: wish.description ?? null,
    source: wish.source ?? 'api',
    sourceAgentId: wish.sourceAgentId ?? null,
    accountId: booker.accountId,
    bookingId: ids.uuid(),
    confirmationCode: ids.confirmationCode(),
    eventIds: [ids.uuid(), ids.uuid()],
    traceparent: currentTraceparent() ?? null,
    now: clock.now(),
    baseUrl: config.baseUrl,
    idempotency: once ? { key: once.key, requestHash: fingerprint(wish) } : null,
  })
  if (once) once.replayed = made.replayed
  if (made.outcome !== 'reserved') throw refusal(made)
  return {
    success: true,
    booking: made.booking,
    depositRequired: made.depositRequired,
    depositPercentage: made.depositPercentage,
    nextSteps: nextSteps(made.booking.status, made.booking.confirmationCode),
    cancellationPolicy: CANCELLATION_POLICY,
  }
}

/** The booking of a confirmation code, however it is typed (case, spaces, O for 0). Throws booking_not_found. */
export async function getBookingByCode({ read }: Deps, code: string): Promise<Booking> {
  const booking = await findBookingByCode(read, readCode(code))
  if (!booking) throw new AppError('booking_not_found', 'No booking has this confirmation code.')
  return booking
}

/** A booking for whoever made it or for its pro. Anyone else's is not found. */
export async function getBookingById({ read }: Deps, viewer: Viewer, id: string): Promise<Booking> {
  const booking = await findBookingById(read, viewer, id)
  if (!booking) throw new AppError('booking_not_found', 'No booking of yours has this id.')
  return booking
}

/** Crockford's base32 reads I and L as 1 and O as 0. */
const readCode = (code: string) =>
  code
    .trim()
    .toUpperCase()
    .replace(/^HTH-?(.*)$/, (_, rest: string) => `HTH-${rest.replace(/[IL]/g, '1').replaceAll('O', '0')}`)

function minuteOfDay(time: string): number {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours ?? 0) * 60 + (minutes ?? 0)
}

function refusal(row: Exclude<ReservationRow, { outcome: 'reserved' }>): AppError {
  switch (row.outcome) {
    case 'pro_not_found':
      return new AppError('professional_not_found', 'No pro has this id.')
    case 'service_not_found':
      return new AppError('service_not_found', 'This pro does not offer the service.')
    case 'instant_booking_off':
      return new AppError(
        'instant_booking_disabled',
        'This pro does not take instant bookings of this service. Ask for a quote with POST /api/v1/rfqs.',
      )
    case 'date_out_of_range':
      return invalidField('body.date', `must be from today to ${MAX_DAYS_AHEAD} days ahead where the pro is`)
    case 'idempotency_mismatch':
      return new AppError(
        'idempotency_mismatch',
        'This Idempotency-Key came with another request before. Use a new one.',
      )
    case 'slot_unavailable':
      return new AppError('slot_unavailable', 'The pro is not free at this time.', {
        extensions: { nextAvailable: row.nextAvailable },
      })
  }
}

function nextSteps(status: string, code: string): string[] {
  const keep = `Keep the confirmation code ${code}: GET /api/v1/bookings?code=${code} shows the booking.`
  return status === 'confirmed'
    ? ['The booking is confirmed. The pro will come at the scheduled time.', keep]
    : ['The pro will confirm the booking or decline it.', keep]
}
