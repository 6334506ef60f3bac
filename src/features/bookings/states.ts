// The life of a booking. Drawn in ARCHITECTURE.md, repeated in the database (state_transitions).
import type { Transitions } from '../../errors/transition.ts'

export type BookingState = 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'

/**
 * `pay`, `prepay` (where the pro approves afterwards) and `lapse` are of the payment's hold; `cancel` and `reschedule` are
 * the customer's; the rest are the pro's.
 */
export type BookingAction =
  | 'confirm'
  | 'reject'
  | 'complete'
  | 'no_show'
  | 'assign'
  | 'cancel'
  | 'reschedule'
  | 'pay'
  | 'prepay'
  | 'lapse'

export const BOOKING: Transitions<BookingState, BookingAction> = {
  pending: {
    confirm: 'confirmed',
    reject: 'cancelled',
    assign: 'pending',
    cancel: 'cancelled',
    pay: 'confirmed',
    prepay: 'pending',
    lapse: 'cancelled',
  },
  confirmed: {
    complete: 'completed',
    no_show: 'no_show',
    assign: 'confirmed',
    cancel: 'cancelled',
    reschedule: 'confirmed',
  },
  completed: {},
  no_show: {},
  cancelled: {},
}

/** The event of each action; giving a booking to someone of the team is the pro's own affair. */
export const BOOKING_EVENTS: Record<Exclude<BookingAction, 'assign'>, string> = {
  confirm: 'booking.confirmed',
  reject: 'booking.cancelled',
  complete: 'booking.completed',
  no_show: 'booking.no_show',
  cancel: 'booking.cancelled',
  reschedule: 'booking.rescheduled',
  pay: 'booking.confirmed',
  prepay: 'booking.pending_approval',
  lapse: 'booking.cancelled',
}
