// What people call each kind of message, who reads it, and how it is treated.
import type { MessageKind } from './kinds.ts'

/** Who reads a kind, and whether the reader can unsubscribe from it. */
interface KindFacts {
  readonly audience: 'customer' | 'pro' | 'user'
  /** Facts of a booking or quote, sign-in and invitations: one cannot unsubscribe from them. */
  readonly isEssential: boolean
  /** Its data holds a secret: it is stored encrypted, deleted once sent, and absent from logs. */
  readonly isSecret: boolean
}

const essential = (audience: KindFacts['audience']): KindFacts => ({ audience, isEssential: true, isSecret: false })
const optional = (audience: KindFacts['audience']): KindFacts => ({ audience, isEssential: false, isSecret: false })
const secret = (audience: KindFacts['audience']): KindFacts => ({ audience, isEssential: true, isSecret: true })

/** Cancellations have an hourly number of their own, so that what strangers cause does not delay them. */
export const RESERVED_KINDS: readonly MessageKind[] = ['booking-cancelled', 'booking-cancelled-for-pro']

export const MESSAGE_KINDS: { readonly [Kind in MessageKind]: KindFacts } = {
  'booking-received': essential('customer'),
  'booking-held': essential('customer'),
  'booking-confirmed': essential('customer'),
  'booking-time-proposed': essential('customer'),
  'booking-moved': essential('customer'),
  'booking-cancelled': essential('customer'),
  'booking-refunded': essential('customer'),
  'booking-refund-failed': essential('customer'),
  'booking-reminder': optional('customer'),
  'hold-expiring': optional('customer'),
  'guest-visit': optional('customer'),
  'request-sent': essential('customer'),
  'request-ended': essential('customer'),
  'quote-received': essential('customer'),
  'quote-expiring': optional('customer'),
  'quote-refunded': essential('customer'),
  'quote-refund-failed': essential('customer'),
  'review-invitation': optional('customer'),
  'review-confirmation': secret('customer'),
  'review-taken-down': essential('customer'),
  'sign-in': secret('customer'),
  'new-booking': essential('pro'),
  'new-request': essential('pro'),
  'request-lost': optional('pro'),
  'payment-received': essential('pro'),
  'booking-cancelled-for-pro': essential('pro'),
  'booking-moved-for-pro': essential('pro'),
  'quote-accepted': essential('pro'),
  'job-cancelled-for-pro': essential('pro'),
  'quote-declined': essential('pro'),
  'new-review': optional('pro'),
  'tasks-used-up': optional('pro'),
  'calendar-conflict': essential('pro'),
  'calendar-failing': optional('pro'),
  'pro-status': essential('pro'),
  'review-report-decided': essential('pro'),
  'mark-ends': essential('pro'),
  'customer-block': essential('customer'),
  'pro-moved': essential('pro'),
  'pro-application': essential('customer'),
  invitation: secret('user'),
  'password-link': secret('user'),
  'second-factor': essential('user'),
  'login-changed': essential('user'),
  'address-link': secret('user'),
  'address-changed': essential('user'),
  'endpoint-disabled': essential('user'),
  digest: essential('user'),
}

export const isKnownKind = (kind: string): kind is MessageKind => Object.hasOwn(MESSAGE_KINDS, kind)

/** A stored kind. During an upgrade a newer version plans kinds that this one cannot send: throws for those, so that they wait. */
export function knownKind(kind: string): MessageKind {
  if (!isKnownKind(kind)) throw new Error(`This version cannot send messages of the kind "${kind}".`)
  return kind
}

/** The kinds with these facts. */
export const kindsWhere = (is: (facts: KindFacts) => boolean): MessageKind[] =>
  Object.entries(MESSAGE_KINDS).flatMap(([kind, facts]) => (is(facts) ? [kind as MessageKind] : []))

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
  'request-ended': 'Request ended with the pro’s business, to the customer',
  'quote-received': 'Quote received',
  'quote-expiring': 'Quote ends soon',
  'quote-refunded': 'Deposit refunded',
  'quote-refund-failed': 'Refund of the deposit failed',
  'review-invitation': 'Invitation to review',
  'review-confirmation': 'Confirm a review',
  'review-taken-down': 'Review taken down',
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
  'pro-status': 'Paused, found again or closed, to the pro',
  'review-report-decided': 'Report of a review answered, to the pro',
  'mark-ends': 'A checked mark ends, to the pro',
  'customer-block': 'Blocked, or no longer, to the customer',
  'pro-moved': 'Moved by an operator, to the pro',
  'pro-application': 'Application to join',
  invitation: 'Invitation to the console',
  'password-link': 'Link to set a password',
  'second-factor': 'Second factor of a log-in',
  'login-changed': 'Log-in of a member changed',
  'address-link': 'Link to another address of a log-in',
  'address-changed': 'Address of a log-in changed',
  'endpoint-disabled': 'Webhook endpoint disabled',
  digest: 'Several events in one message',
}

/** A kind in words; one that another version stored stays as it is. */
export const kindInWords = (kind: string): string =>
  Object.hasOwn(WORDS, kind) ? WORDS[kind as MessageKind] : kind.replaceAll('-', ' ')
