// A customer cancels or reschedules a booking.
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import type { Balance } from '../../../../payments/schemas.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import {
  type BookingAccess,
  type RescheduleRow,
  findCancellationTerms,
  findProfessionalOf,
  rescheduleTo,
} from '../queries/changes.ts'
import { lockSchedule } from '../queries/changes.sql.ts'
import type { CustomerCaller } from '../../../../auth/caller.ts'
import { type BookingCancelled, type BookingChanged, type Cancellation, type Rescheduling } from '../action-schemas.ts'
import { customerUrl, isLinkValid } from '../../../quoting/quotes/verbs/link-tokens.ts'
import { dateOutOfRange, slotUnavailable } from '../rules/bookable.ts'
import { canCancel, cancellationCost, cancellationPolicyOf, keepsPayment } from '../rules/cancellation.ts'
import { canReschedule } from '../rules/rescheduling.ts'
import { findBooking } from './find-booking.ts'
import { lockJobOfVisit } from '../../jobs/verbs/end-job.ts'
import { type Start, localStart, wholeMinute } from './start-time.ts'
import { checkAction, emitBookingEvent, endBooking, getBookingForUpdate } from './transitions.ts'

/**
 * Changes bookings that the account created, any with its manage link, or a signed-in customer's own; never one with a pro for
 * whom the account acts.
 */
export type BookingCustomer = { accountId: string; hasManageLink?: boolean } | CustomerCaller

/**
 * Cancels a booking for its customer. Refunds the payment unless it is kept; see {@link keepsPayment}. Throws
 * booking_not_found, own_business and invalid_transition.
 */
export async function cancelBooking(
  ctx: Ctx<BookingCustomer>,
  { id, ...input }: { id: string } & Cancellation,
): Promise<BookingCancelled> {
  const now = ctx.clock.now()
  const operation = { accountId: ctx.actor.accountId, operation: 'cancelBooking', request: { id, ...input } }
  const value = await runIdempotently(ctx, operation, async (ctx) => {
    await lockJobOfVisit(ctx, { bookingId: id })
    const booking = await getBookingForUpdate(ctx, { access: customerAccess(ctx.actor), id, now })
    const terms = { reason: input.reason ?? null, refund: 'cancelled', keep: keepsPayment(booking, now) } as const
    const refundId = await endBooking(ctx, { ...terms, booking, action: 'cancel' })
    return { professionalId: booking.professionalId, refundId }
  })
  await tryRefund(ctx, { refundId: value.refundId })
  // A cancelled booking does not change, so a replay reads the same; only its refund proceeds.
  const booking = await findBooking(ctx.as({ accountId: null, professionalId: value.professionalId }), { id, now })
  if (!booking) throw new Error('A cancelled booking is missing.')
  const refund = booking.payment?.refund ?? null
  return { success: true, booking, refund, cancellationPolicy: cancellationPolicyOf(booking, now) }
}

/** What a customer can do with a booking, and what the pages for it say. */
export interface CustomerTerms {
  canReschedule: boolean
  canCancel: boolean
  /** What cancelling costs of the payment, in dollars. */
  cancellationCost: number
  /** It is a visit of work that has begun: cancelling it ends neither the work nor its payment. */
  hasWorkBegun: boolean
  balance: Balance
  startsAt: string
  timeZone: string
  /** The link to the quote whose work it is. */
  quoteUrl: string | undefined
}

/** Throws booking_not_found. */
export async function getCustomerTerms(ctx: Ctx, { id }: { id: string }): Promise<CustomerTerms> {
  const now = ctx.clock.now()
  // From the primary: the booking may have been moved a moment ago.
  const row = await findCancellationTerms(ctx, { id, now })
  if (!row) throw new AppError('booking_not_found', 'You have no booking with this id.')
  const { startsAt, timeZone, quoteId, quoteValidUntil, balance } = row
  return {
    canReschedule: canReschedule(row, now),
    canCancel: canCancel(row, now),
    cancellationCost: cancellationCost(row, now),
    hasWorkBegun: row.hasWorkBegun,
    balance,
    startsAt,
    timeZone,
    quoteUrl: quoteId === null || quoteValidUntil === null ? undefined : linkOf(ctx, quoteId, quoteValidUntil),
  }
}

/** The customer's link to the quote, as long as it works. */
function linkOf(ctx: Ctx, quoteId: string, validUntil: string): string | undefined {
  const until = new Date(validUntil)
  return isLinkValid(ctx, { validUntil: until }) ? customerUrl(ctx, { quoteId, validUntil: until }) : undefined
}

/**
 * Reschedules a confirmed booking to another time that fits; its own time counts as free. The cost of cancelling does not
 * change. Rescheduling to the time that it already has changes nothing and emits no event. Throws booking_not_found,
 * invalid_transition, validation_failed (neither or both forms of the time, date) and slot_unavailable.
 */
export async function rescheduleBooking(
  ctx: Ctx<BookingCustomer>,
  { id, ...input }: { id: string } & Rescheduling,
): Promise<BookingChanged> {
  const { clock, config, ids } = ctx
  const start = startOf(input)
  const access = customerAccess(ctx.actor)
  const operation = { accountId: ctx.actor.accountId, operation: 'rescheduleBooking', request: { id, ...input } }
  return await runIdempotently(ctx, operation, async (ctx) => {
    const professionalId = await findProfessionalOf(ctx, { access, id })
    // Locks the schedule before the row, in the same order as a reservation that cancels lapsed holds.
    if (professionalId) await lockSchedule(ctx, { professionalId })
    const now = clock.now()
    const locked = await getBookingForUpdate(ctx, { access, id, now })
    checkAction(locked, 'reschedule', now)
    const isLate = keepsPayment(locked, now)
    const rescheduled = await rescheduleTo(ctx, { start, isLate, now, baseUrl: config.baseUrl, id })
    if (rescheduled.outcome === 'unchanged') return { success: true, booking: rescheduled.booking }
    if (rescheduled.outcome !== 'rescheduled')
      throw rescheduleRefusal(rescheduled, 'date' in start ? 'body.date' : 'body.startDateTime')
    await emitBookingEvent(ctx, {
      booking: locked,
      action: 'reschedule',
      saved: rescheduled,
      id: ids.uuid(),
      createdAt: now,
    })
    return { success: true, booking: rescheduled.booking }
  })
}

export function customerAccess(customer: BookingCustomer): BookingAccess {
  if ('customerEmail' in customer) return { customerEmail: customer.customerEmail }
  return customer.hasManageLink ? { linkHolderId: customer.accountId } : { accountId: customer.accountId }
}

/** The start, in one of its two forms. Throws validation_failed unless exactly one is given. */
export function startOf({ date, time, startDateTime }: Omit<Rescheduling, 'confirmationCode'>): Start {
  if (startDateTime !== undefined && date === undefined && time === undefined)
    return { instant: wholeMinute('body.startDateTime', startDateTime) }
  if (startDateTime === undefined && date !== undefined && time !== undefined) return localStart(date, time)
  throw invalidField('body.startDateTime', 'either this or date and time are required')
}

/** The error for a time that a booking cannot have. `dateField` names the field that gave the date. */
export function rescheduleRefusal(
  row: Exclude<RescheduleRow, { outcome: 'rescheduled' | 'unchanged' }>,
  dateField: string,
): AppError {
  if (row.outcome === 'date_out_of_range') return dateOutOfRange(dateField)
  if (row.outcome === 'slot_unavailable') return slotUnavailable(row.nextAvailable)
  return new AppError('professional_not_found', 'This pro is no longer here, so the booking cannot be moved.')
}
