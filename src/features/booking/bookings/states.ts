// The states of a booking. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export type BookingState = 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'

/**
 * The payment causes `pay`, `prepay` (the pro still has to approve) and `lapse` (the hold ended unpaid); the customer
 * causes `cancel`, `reschedule` and `agree` (to a time that the pro proposed), the pro all others, and `cancel`, too.
 */
export type BookingAction =
  | 'confirm'
  | 'reject'
  | 'complete'
  | 'no_show'
  | 'assign'
  | 'cancel'
  | 'reschedule'
  | 'propose'
  | 'agree'
  | 'pay'
  | 'prepay'
  | 'lapse'

export const BOOKING: Transitions<BookingState, BookingAction> = {
  pending: {
    confirm: 'confirmed',
    reject: 'cancelled',
    assign: 'pending',
    cancel: 'cancelled',
    propose: 'pending',
    agree: 'pending',
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
    propose: 'confirmed',
    agree: 'confirmed',
  },
  completed: {},
  no_show: {},
  cancelled: {},
}

/** Changes nothing that others see: assigning is internal to the pro's team, and a proposal waits for the customer. */
export type SilentAction = 'assign' | 'propose'

/** The event of each action. */
export const BOOKING_EVENTS: Record<Exclude<BookingAction, SilentAction>, string> = {
  confirm: 'booking.confirmed',
  reject: 'booking.cancelled',
  complete: 'booking.completed',
  no_show: 'booking.no_show',
  cancel: 'booking.cancelled',
  reschedule: 'booking.rescheduled',
  agree: 'booking.rescheduled',
  pay: 'booking.confirmed',
  prepay: 'booking.pending_approval',
  lapse: 'booking.cancelled',
}
