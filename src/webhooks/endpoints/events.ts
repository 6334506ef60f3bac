// The kinds of events that leave as webhooks (section 6 of the API's specification), and what each tells.

export const EVENTS = {
  'booking.created': 'A booking was made',
  'booking.pending_approval': 'A booking waits for the pro’s approval',
  'booking.confirmed': 'A booking was confirmed',
  'booking.cancelled': 'A booking was cancelled',
  'booking.rescheduled': 'A booking has another time',
  'booking.completed': 'A booking was marked completed',
  'booking.no_show': 'The customer of a booking was not there',
  'rfq.created': 'A customer asked for a quote',
  'quote.sent': 'A quote was sent to the customer',
  'quote.viewed': 'The customer looked at the quote',
  'quote.accepted': 'The customer accepted the quote',
  'quote.declined': 'The customer declined the quote',
  'quote.expired': 'The quote was not answered in time',
  'review.submitted': 'A review was submitted',
  'review.approved': 'A review was approved and published',
  'availability.updated': 'The times at which a pro can be booked changed',
} as const

export type EventKind = keyof typeof EVENTS

export const EVENT_KINDS = Object.keys(EVENTS) as EventKind[]

/** What a test event is called; nobody subscribes to it, it is sent on demand. */
export const TEST_EVENT = 'webhook.test'

/** `evt_` and the id without hyphens. */
export const publicEventId = (id: string): string => `evt_${id.replaceAll('-', '')}`

const PUBLIC_ID = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** The id that `publicEventId` was given, or undefined for anything it did not make. */
export const eventIdOf = (text: string): string | undefined => PUBLIC_ID.exec(text)?.slice(1).join('-')
