// The life of a booking. Drawn in ARCHITECTURE.md, repeated in the database (state_transitions).
import type { Transitions } from '../transitions.ts'

export type BookingState = 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'

/** `pay` and `lapse` are of the payment's hold; `cancel` and `reschedule` are the customer's; the rest are the pro's. */
export type BookingAction =
  | 'confirm'
  | 'reject'
  | 'complete'
  | 'no_show'
  | 'assign'
  | 'cancel'
  | 'reschedule'
  | 'pay'
  | 'lapse'

export const BOOKING: Transitions<BookingState, BookingAction> = {
  pending: {
    confirm: 'confirmed',
    reject: 'cancelled',
    assign: 'pending',
    cancel: 'cancelled',
    pay: 'confirmed',
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
