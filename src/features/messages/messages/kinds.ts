// The messages that Hearth sends: their kinds, their readers, and the data from which each is rendered. Data is plain JSON:
// instants as ISO strings, prices and payments as the API and events show them. It holds every link, because rendering is pure.
import type { Maker } from '../../booking/bookings/rules/by-hand.ts'
import type { Booking } from '../../booking/bookings/schemas.ts'
import type { RfqReceipt } from '../../quoting/rfqs/schemas.ts'
import type { StandingMessageData } from './standing-kinds.ts'
import type { UserMessageData } from './user-kinds.ts'

/** A booking as of the event that a message tells. */
export interface MessageBooking extends Pick<
  Booking,
  'status' | 'price' | 'payment' | 'address' | 'freeCancellationUntil' | 'cancelledBy' | 'cancellationReason'
> {
  /** Absent in messages that 0.1.0 planned. */
  readonly balance?: Booking['balance']
  /** Absent in messages that 0.2.0 planned. */
  readonly inServiceArea?: boolean | null
  /** Who made it for the customer; null for the customer. Absent in messages that 0.2.0 planned. */
  readonly madeBy?: Maker | null
  readonly id: string
  readonly code: string
  /** The sequence of the event, which orders the versions of the .ics (SEQUENCE). */
  readonly sequence: number
  /** The instant of the event (DTSTAMP). */
  readonly updatedAt: string
  /** The package's or service's name. */
  readonly title: string
  readonly startsAt: string
  readonly endsAt: string
  /** The pro's IANA time zone, in which all times are written. */
  readonly timeZone: string
  /** The notes of the customer for the pro. */
  readonly notes: string | null
  readonly pro: { readonly name: string; readonly phone: string | null; readonly email: string | null }
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string | null }
  /** Whether it was confirmed at some time. Only then is it in calendars and its cancellation has an .ics. */
  readonly wasConfirmed: boolean
}

/** A booking for its customer, with the link to see, move and cancel it (`manageUrl` of bookings). */
export interface CustomerBooking {
  readonly booking: MessageBooking
  readonly manageUrl: string
}

/** One refund; `note` says why an operator made it. */
interface MessageRefund {
  readonly amount: number
  readonly currency: string
  readonly note: string | null
}

/** A booking for its pro, with its page in the console. */
export interface ProBooking {
  readonly booking: MessageBooking
  readonly consoleUrl: string
}

/** A time held until it is paid. */
export interface HeldBooking extends CustomerBooking {
  readonly payUrl: string
  /** The end of the hold. */
  readonly payBy: string
}

/** A quote; amounts in dollars, as in events. */
export interface MessageQuote {
  readonly id: string
  /** The requested service; null if the request names none. */
  readonly service: string | null
  readonly amount: number
  readonly currency: string
  /** What must be paid to accept it; null without a deposit. */
  readonly depositAmount: number | null
  readonly estimatedDays: number | null
  readonly message: string | null
  readonly validUntil: string
  readonly timeZone: string
  readonly pro: { readonly name: string; readonly phone: string | null }
  readonly customer: { readonly name: string }
  readonly declineReason: string | null
}

export interface CustomerQuote {
  readonly quote: MessageQuote
  /** The customer's page of the quote. */
  readonly quoteUrl: string
}

export interface ProQuote {
  readonly quote: MessageQuote
  readonly consoleUrl: string
}

/** What each kind of message is rendered from. */
export interface MessageData extends UserMessageData, StandingMessageData {
  /** The booking waits for the pro's confirmation. */
  'booking-received': CustomerBooking
  'booking-held': HeldBooking
  'booking-confirmed': CustomerBooking
  'booking-time-proposed': CustomerBooking & {
    readonly proposed: { readonly startsAt: string; readonly endsAt: string; readonly message: string | null }
  }
  /** `booking` has the new time. */
  'booking-moved': CustomerBooking & { readonly previousStartsAt: string | null }
  /** `booking.payment` says what becomes of a payment. */
  'booking-cancelled': CustomerBooking
  /** The refund is `booking.payment.refund`. */
  'booking-refunded': CustomerBooking & { readonly refund?: MessageRefund }
  /** The bank sent the money of a refund back. */
  'booking-refund-failed': CustomerBooking & { readonly refund: MessageRefund }
  'booking-reminder': CustomerBooking
  'hold-expiring': HeldBooking
  /** For the person whom a customer books for: no money, no links that change the booking. */
  'guest-visit': {
    readonly visit: Pick<MessageBooking, 'id' | 'startsAt' | 'endsAt' | 'timeZone'> & {
      /** The package's or service's name. */
      readonly work: string
      readonly pro: MessageQuote['pro'] & { readonly slug: string }
    }
    /** What everybody sees of the pro. */
    readonly proUrl: string
    /** The proven address of the customer who booked. */
    readonly bookedBy: string
    readonly change: 'confirmed' | 'moved' | 'cancelled'
    readonly previousStartsAt: string | null
  }
  'request-sent': {
    readonly service: string | null
    readonly pro: MessageQuote['pro']
    /** The names of those who were asked at once; absent in messages that 0.2.0 planned. */
    readonly others?: readonly string[]
    readonly requestUrl: string
  }
  /** The pro closed the account. */
  'request-ended': {
    readonly pro: string
    readonly service: string | null
    /** The customer had accepted a quote. */
    readonly isAgreed: boolean
    readonly searchUrl: string
  }
  'quote-received': CustomerQuote
  'quote-expiring': CustomerQuote
  /** The deposit went back. */
  'quote-refunded': CustomerQuote & { readonly refund: MessageRefund }
  /** The bank sent the money of a refund of the deposit back. */
  'quote-refund-failed': CustomerQuote & { readonly refund: MessageRefund }
  /** After a completed visit or job. `reviewUrl` proves it. */
  'review-invitation': {
    readonly title: string | null
    readonly pro: string
    readonly customer: string
    readonly completedAt: string
    readonly timeZone: string
    readonly reviewUrl: string
  }
  /** A review came with the address. `confirmUrl` proves who wrote it. */
  'review-confirmation': {
    readonly pro: string
    readonly customer: string
    readonly rating: number
    readonly title: string | null
    readonly content: string
    readonly confirmUrl: string
  }
  /** An operator unpublished a review. */
  'review-taken-down': { readonly pro: string; readonly content: string; readonly reason: string; readonly url: string }
  'sign-in': { readonly code: string; readonly url: string; readonly validMinutes: number }

  /** `booking.status` is `pending` if it waits for the pro's confirmation. */
  'new-booking': ProBooking
  'new-request': {
    readonly request: Pick<RfqReceipt, 'id' | 'description' | 'budget' | 'timeline' | 'preferredDate'> & {
      readonly service: string | null
      /** Absent in messages that 0.2.0 planned. */
      readonly answers?: RfqReceipt['answers']
      readonly address: Booking['address']
      readonly customer: { readonly name: string; readonly email: string; readonly phone: string | null }
    }
    readonly consoleUrl: string
  }
  'payment-received': {
    readonly amount: number
    readonly currency: string
    /** What was paid, such as a service's name. */
    readonly title: string
    readonly customer: string
    readonly consoleUrl: string
  }
  /** The customer had asked several pros, and accepted the quote of another one. */
  'request-lost': { readonly service: string | null; readonly customer: string; readonly consoleUrl: string }
  'booking-cancelled-for-pro': ProBooking
  'booking-moved-for-pro': ProBooking & { readonly previousStartsAt: string | null }
  'quote-accepted': ProQuote
  /** The customer cancelled the work before it had a time. */
  'job-cancelled-for-pro': ProQuote & { readonly reason: string | null }
  'quote-declined': ProQuote
  'new-review': {
    readonly rating: number
    readonly title: string | null
    readonly content: string
    readonly author: string
    /** Whether a moderator still has to approve it. */
    readonly isPending: boolean
    readonly consoleUrl: string
  }
  'tasks-used-up': {
    /** The monthly allowance that is used up; 0 without one. */
    readonly allowance: number
    /** When the next allowance begins. */
    readonly renewsAt: string
    readonly timeZone: string
    readonly consoleUrl: string
  }
  /** An imported event overlaps a booking, which stays. */
  'calendar-conflict': ProBooking & {
    /** The calendar's name in the console. */
    readonly calendar: string
    readonly event: { readonly startsAt: string; readonly endsAt: string }
  }
  'calendar-failing': {
    readonly calendar: string
    /** The last time it could be read; null if never. */
    readonly lastReadAt: string | null
    readonly timeZone: string
    /** In plain words, such as "The server answered 404." */
    readonly reason: string
    readonly consoleUrl: string
  }

  /** What became of the report of a review. */
  'review-report-decided': {
    readonly pro: string
    /** Of the review. */
    readonly content: string
    readonly outcome: 'kept' | 'taken_down'
    readonly answer: string
    readonly consoleUrl: string
  }

  /** Operators have blocked the customer, or end the block. */
  'customer-block': {
    readonly isBlocked: boolean
    /** Of a block. */
    readonly reason: string | null
    /** The customer’s bookings. */
    readonly bookingsUrl: string
  }

  /** Where an application to join stands. */
  'pro-application': {
    readonly status: 'draft' | 'sent' | 'asked' | 'approved' | 'refused' | 'withdrawn'
    /** Null until the applicant has named it. */
    readonly business: string | null
    /** A question, or the reason of a refusal. */
    readonly operatorWords: string | null
    /** Whether it was refused, and is looked at again. */
    readonly isReopened: boolean
    readonly joinUrl: string
  }

  /** What is more than a recipient gets in an hour, told together. Each part has the data of its kind. */
  digest: { readonly parts: readonly DigestPart[] }
}

export type MessageKind = keyof MessageData

/** A message that a digest tells. */
export type DigestPart = { [Kind in ToldKind]: { readonly kind: Kind; readonly data: MessageData[Kind] } }[ToldKind]
type ToldKind = Exclude<MessageKind, 'digest'>
