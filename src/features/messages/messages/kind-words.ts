// What people call each kind of message.
import type { MessageKind } from './kinds.ts'

const WORDS: Readonly<Record<MessageKind, string>> = {
  'booking-received': 'Booking requested',
  'booking-held': 'Payment needed',
  'booking-confirmed': 'Booking confirmed',
  'booking-time-proposed': 'Another time proposed',
  'booking-moved': 'Booking moved',
  'booking-cancelled': 'Booking cancelled',
  'booking-refunded': 'Payment refunded',
  'booking-refund-failed': 'Refund failed',
  'booking-reminder': 'Reminder of the visit',
  'hold-expiring': 'Held time ends soon',
  'guest-visit': 'Visit of a guest',
  'request-sent': 'Request for a quote sent',
  'quote-received': 'Quote received',
  'quote-expiring': 'Quote ends soon',
  'quote-refunded': 'Deposit refunded',
  'quote-refund-failed': 'Refund of the deposit failed',
  'review-invitation': 'Invitation to review',
  'review-confirmation': 'Confirm a review',
  'sign-in': 'Code to sign in',
  'new-booking': 'New booking, to the pro',
  'new-request': 'New request, to the pro',
  'request-lost': 'Another pro was chosen, to the pro',
  'payment-received': 'Payment received, to the pro',
  'booking-cancelled-for-pro': 'Booking cancelled, to the pro',
  'booking-moved-for-pro': 'Booking moved, to the pro',
  'quote-accepted': 'Quote accepted, to the pro',
  'job-cancelled-for-pro': 'Job cancelled, to the pro',
  'quote-declined': 'Quote declined, to the pro',
  'new-review': 'New review, to the pro',
  'tasks-used-up': 'Agent tasks used up, to the pro',
  'calendar-conflict': 'Calendar conflict, to the pro',
  'calendar-failing': 'Calendar cannot be read, to the pro',
  'pro-status': 'Paused or found again, to the pro',
  invitation: 'Invitation to the console',
  'password-link': 'Link to set a password',
  'endpoint-disabled': 'Webhook endpoint disabled',
  digest: 'Several events in one message',
}

/** A kind in words; one that another version stored stays as it is. */
export const kindInWords = (kind: string): string =>
  Object.hasOwn(WORDS, kind) ? WORDS[kind as MessageKind] : kind.replaceAll('-', ' ')
