// One step in a booking's life: what every verb that changes one does, in its transaction.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { emit } from '../../../platform/queue/outbox.ts'
import { transition } from '../../../errors/transition.ts'
import { type Changer, type LockedBooking, type Saved, lockBooking, saveBookingState } from '../queries/changes.ts'
import { BOOKING, BOOKING_EVENTS, type BookingAction } from '../states.ts'

export type { LockedBooking }

/** The booking, locked. Throws booking_not_found for one that is not the changer's. */
export async function getBookingForUpdate(
  tx: Transaction,
  changer: Changer,
  id: string,
  now: Date,
): Promise<LockedBooking> {
  const booking = await lockBooking(tx, changer, id, now)
  if (!booking) throw new AppError('booking_not_found', 'No booking of yours has this id.')
  return booking
}

/**
 * Throws invalid_transition when the action does not fit the booking's state, or comes too early or too late for it.
 * Gives the state it leads to.
 */
export function checkAction(booking: LockedBooking, action: BookingAction, now: Date) {
  const next = transition(BOOKING, 'booking', booking.status, action)
  const reason = untimely(booking, action, now)
  if (reason)
    throw new AppError('invalid_transition', `${reason} It does not take the action ${action} now.`, {
      extensions: { state: booking.status, action },
    })
  return next
}

function untimely(
  { status, startsAt, holdExpiresAt }: LockedBooking,
  action: BookingAction,
  now: Date,
): string | undefined {
  const sinceStartMs = now.getTime() - Date.parse(startsAt)
  if (action === 'confirm' && holdExpiresAt) return 'The booking waits for the customer’s payment.'
  if (action === 'complete' && sinceStartMs < 0) return 'The booking has not begun.'
  if (action === 'no_show' && sinceStartMs <= 0) return 'The booking has not begun.'
  // What never was confirmed can be cancelled at any time: nobody came.
  if (action === 'cancel' && status === 'confirmed' && sinceStartMs >= 0) return 'The booking has begun.'
  if (action === 'reschedule' && sinceStartMs >= 0) return 'The booking has begun.'
  return undefined
}

/** Moves a locked booking by an action that fits, and emits the action's event. */
export async function moveBooking(
  tx: Transaction,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  booking: LockedBooking,
  action: Exclude<BookingAction, 'assign' | 'reschedule'>,
  reason: string | null = null,
): Promise<Saved> {
  const now = clock.now()
  const status = checkAction(booking, action, now)
  const saved = await saveBookingState(tx, booking.id, { status, reason, now })
  await emitBookingEvent(tx, ids.uuid(), now, { booking, action, saved })
  return saved
}

/** The event of an action, in its transaction. */
export async function emitBookingEvent(
  tx: Transaction,
  id: string,
  createdAt: Date,
  { booking, action, saved }: { booking: LockedBooking; action: Exclude<BookingAction, 'assign'>; saved: Saved },
): Promise<void> {
  await emit(tx, {
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
