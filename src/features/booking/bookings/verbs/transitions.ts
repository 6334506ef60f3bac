// Changes the state of a booking inside a transaction: lock, check, save, emit the event.
import type { TxCtx } from '../../../../ctx.ts'
import { ownBusiness } from '../../../../auth/accounts/verbs.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { emit } from '../../../../platform/queue/outbox.ts'
import { transition } from '../../../../transition.ts'
import { type RefundReason, closePayment } from '../../../../payments/verbs/refunds.ts'
import { publishVerified } from '../../../reviews/reviews/verbs/publish.ts'
import { endJob } from '../../jobs/verbs/end-job.ts'
import {
  type BookingAccess,
  type LockedBooking,
  type SavedBooking,
  lockBooking,
  saveBookingState,
} from '../queries/changes.ts'
import { clearAssignments } from '../queries/changes.sql.ts'
import { canCancel } from '../rules/cancellation.ts'
import { BOOKING, BOOKING_EVENTS, type BookingAction, type BookingState, type SilentAction } from '../states.ts'

export type { LockedBooking }

const NOT_FOUND = 'You have no booking with this id.'
const CODE_READS =
  'A confirmation code only shows a booking: change it with a key of the account that created it, or on its manage link.'

/** The booking, locked. Throws booking_not_found without access to it, and own_business to its pro in the customer's place. */
export async function getBookingForUpdate(
  ctx: TxCtx,
  { access, id, now }: { access: BookingAccess; id: string; now: Date },
): Promise<LockedBooking> {
  const booking = await lockBooking(ctx, { access, id, now })
  if (!booking)
    throw new AppError(
      'booking_not_found',
      typeof access === 'object' && 'accountId' in access ? `${NOT_FOUND} ${CODE_READS}` : NOT_FOUND,
    )
  if (booking.isByPro) throw ownBusiness()
  return booking
}

/** The state that the action leads to. Throws invalid_transition if the action does not fit the state or the time. */
export function checkAction(
  booking: LockedBooking,
  action: BookingAction,
  now: Date,
  by: Actor = ACTORS[action],
): BookingState {
  const next = transition(BOOKING, 'booking', booking.status, action)
  const reason = timingError(booking, action, now, by)
  if (reason)
    throw new AppError('invalid_transition', `${reason} The action ${action} is not possible now.`, {
      extensions: { state: booking.status, action },
    })
  return next
}

function timingError(
  { status, startsAt, holdExpiresAt }: LockedBooking,
  action: BookingAction,
  now: Date,
  by: Actor,
): string | undefined {
  const sinceStartMs = now.getTime() - Date.parse(startsAt)
  if ((action === 'confirm' || action === 'propose') && holdExpiresAt) return 'The customer has not paid yet.'
  if (action === 'complete' && sinceStartMs < 0) return 'The booking has not started.'
  if (action === 'no_show' && sinceStartMs <= 0) return 'The booking has not started.'
  // Its pro can cancel a booking at any time.
  if (action === 'cancel' && by === 'customer' && !canCancel({ status, startsAt }, now))
    return 'The booking has started.'
  if ((action === 'reschedule' || action === 'propose' || action === 'agree') && sinceStartMs >= 0)
    return 'The booking has started.'
  return undefined
}

type StateAction = Exclude<BookingAction, SilentAction | 'reschedule' | 'agree'>

type Actor = 'customer' | 'pro' | 'hearth'

/** Who takes an action, unless said otherwise. */
const ACTORS: Record<BookingAction, Actor> = {
  confirm: 'pro',
  reject: 'pro',
  complete: 'pro',
  no_show: 'pro',
  assign: 'pro',
  propose: 'pro',
  cancel: 'customer',
  reschedule: 'customer',
  agree: 'customer',
  pay: 'customer',
  prepay: 'customer',
  lapse: 'hearth',
}

/** Applies an action to a locked booking and emits its event. Throws like {@link checkAction}. */
export async function transitionBooking(
  ctx: TxCtx,
  {
    booking,
    action,
    reason = null,
    by = ACTORS[action],
  }: { booking: LockedBooking; action: StateAction; reason?: string | null; by?: Actor },
): Promise<SavedBooking> {
  const now = ctx.clock.now()
  const status = checkAction(booking, action, now, by)
  const saved = await saveBookingState(ctx, { status, by, reason, now, id: booking.id })
  await emitBookingEvent(ctx, { booking, action, saved, id: ctx.ids.uuid(), createdAt: now })
  if (action === 'complete') await publishVerified(ctx, { id: booking.id })
  return saved
}

/**
 * Ends a locked booking before it was done. Its payment is closed first, so that the event shows it as it is afterwards: expired,
 * refunded, or kept with `keep`. The first visit of a job ends the job, and its payment is the deposit of the quote; once the work has
 * begun, only the visit ends. The caller has locked the job ({@link lockJobOfVisit}). Returns the refund's id, if any. Throws like
 * {@link checkAction}.
 */
export async function endBooking(
  ctx: TxCtx,
  {
    booking,
    action,
    reason,
    refund,
    keep = false,
    by,
  }: {
    booking: LockedBooking
    action: 'cancel' | 'reject' | 'lapse' | 'no_show'
    reason: string | null
    refund: RefundReason
    keep?: boolean
    by?: Actor
  },
): Promise<string | undefined> {
  const now = ctx.clock.now()
  const { id: bookingId, jobId, jobStatus, quoteId } = booking
  checkAction(booking, action, now, by)
  const purpose = quoteId === null ? { bookingId } : { quoteId }
  const endsWork = jobId === null || jobStatus === 'scheduled'
  const refundId = endsWork ? await closePayment(ctx, { reason: refund, keep, purpose }) : undefined
  if (jobId !== null && endsWork) {
    const endedBy = (by ?? ACTORS[action]) === 'customer' || action === 'no_show' ? 'customer' : 'pro'
    await endJob(ctx, { id: jobId, by: endedBy, reason, now })
  }
  await transitionBooking(ctx, { reason, ...(by ? { by } : {}), booking, action })
  return refundId
}

/** Emits the event of an action in its transaction. */
export async function emitBookingEvent(
  ctx: TxCtx,
  {
    id,
    createdAt,
    booking,
    action,
    saved,
  }: {
    id: string
    createdAt: Date
    booking: LockedBooking
    action: Exclude<BookingAction, SilentAction>
    saved: SavedBooking
  },
): Promise<void> {
  await emit(ctx.tx, {
    id,
    type: BOOKING_EVENTS[action],
    professionalId: booking.professionalId,
    aggregateType: 'booking',
    aggregateId: booking.id,
    sequence: saved.eventSequence,
    object: saved.booking,
    createdAt,
  })
}

/** Unassigns a leaving member's open bookings; past ones keep the name. */
export const releaseAssignments = (
  ctx: TxCtx,
  { professionalId, memberId }: { professionalId: string; memberId: string },
): Promise<void> => clearAssignments(ctx, { professionalId, memberId })
