// The events that are sent as webhooks (section 6 of the API's specification), and one more.

const CONTRACT_EVENTS = {
  'booking.created': 'A booking was created',
  'booking.pending_approval': 'A booking waits for the pro’s approval',
  'booking.confirmed': 'A booking was confirmed',
  'booking.cancelled': 'A booking was cancelled',
  'booking.rescheduled': 'A booking was moved to another time',
  'booking.completed': 'A booking was marked completed',
  'booking.no_show': 'The customer missed the booking',
  'rfq.created': 'A customer requested a quote',
  'quote.sent': 'A quote was sent to the customer',
  'quote.viewed': 'The customer viewed the quote',
  'quote.accepted': 'The customer accepted the quote',
  'quote.declined': 'The customer declined the quote',
  'quote.expired': 'The quote expired without a response',
  'review.submitted': 'A review was submitted',
  'review.approved': 'A review was approved and published',
  'availability.updated': 'The times at which a pro can be booked have changed',
} as const

export const EVENTS = {
  ...CONTRACT_EVENTS,
  'payment.updated': 'A payment was paid, failed, expired or kept, or a refund or dispute of it moved on',
} as const

export type EventKind = keyof typeof EVENTS

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[]

/** Those that a new endpoint in the console subscribes to unless chosen otherwise: the contract's. */
export const DEFAULT_EVENT_KINDS = Object.keys(CONTRACT_EVENTS) as EventKind[]

/** The type of a test event, which is sent on demand and has no subscribers. */
export const TEST_EVENT = 'webhook.test'

/** `evt_` and the id without hyphens. */
export const publicEventId = (id: string): string => `evt_${id.replaceAll('-', '')}`

const PUBLIC_ID = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** The inverse of {@link publicEventId}; undefined for a text of another form. */
export const eventIdOf = (text: string): string | undefined => PUBLIC_ID.exec(text)?.slice(1).join('-')
