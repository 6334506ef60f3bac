// Phrases that several messages share.
import { addressText, addressWithoutLinks, bookingPaymentText } from '../../../booking/bookings/texts.ts'
import { cancellingText } from '../../../../platform/text/cancelling.ts'
import { localDateTime, localTime, priceOf, timeSpan } from '../../../../platform/text/format.ts'
import { oneLine, shortened } from '../../../../platform/text/plain.ts'
import type { MessageBooking, MessageQuote } from '../kinds.ts'
import type { Content } from './content.ts'

export const BOOKED_HERE = 'You get this message because your e-mail address was used for a booking.'
export const ASKED_HERE = 'You get this message because your e-mail address was used to ask for a quote.'
export const PRO_HERE = 'You get this message because you manage a business here.'

/** What happens after the bank sent a refund back. */
export const REFUND_RETURNED =
  'The bank sent the money of your refund back to us, so you do not have it yet. You need not do anything: we send it again or return it in another way.'

/** A name within a subject or sentence. */
export const short = (name: string, max = 50): string => shortened(oneLine(name), max)

type Timed = Pick<MessageBooking, 'startsAt' | 'timeZone'>

/** "Tuesday, June 2, 2:15 PM", for subjects. */
export function startOf({ startsAt, timeZone }: Timed): string {
  const { day, time } = localTime(startsAt, timeZone)
  return `${day}, ${time}`
}

/** "Tuesday, June 2, 2:15 PM Central Time". */
export const startInZone = ({ startsAt, timeZone }: Timed): string => localDateTime(startsAt, timeZone)

/** The day, and from when until when. */
export function whenOf({ startsAt, endsAt, timeZone }: Timed & Pick<MessageBooking, 'endsAt'>): Content['when'] {
  const { day, year, zone } = localTime(startsAt, timeZone)
  return { day: `${day}, ${year}`, time: `${timeSpan(startsAt, endsAt, timeZone)} ${zone}` }
}

type Facts = NonNullable<Content['facts']>

/**
 * A booking for its customer. Anyone can book with another person’s e-mail address: notes and names that they typed in are
 * left out, and so is an address that could be a link.
 */
export function customerFacts(booking: MessageBooking): Facts {
  return [
    ['Service', oneLine(booking.title)],
    ['Pro', contactOf(booking.pro)],
    ['Where', addressWithoutLinks(booking.address)],
    ['Price', priceOf(booking.price)],
    ['Payment', bookingPaymentText(booking)],
    ['Code', booking.code],
  ]
}

/** A booking for its pro. */
export const proFacts = (booking: MessageBooking): Facts => [
  ['Service', oneLine(booking.title)],
  ['Customer', oneLine(booking.customer.name)],
  ['Phone', booking.customer.phone && oneLine(booking.customer.phone)],
  ['E-mail', booking.customer.email],
  ['Where', oneLine(addressText(booking.address))],
  ['Price', priceOf(booking.price)],
  ['Payment', bookingPaymentText(booking)],
  ['Code', booking.code],
]

/** "Lone Star Plumbing\n(512) 555-0100". */
export const contactOf = ({ name, phone }: { name: string; phone: string | null }): string =>
  phone === null || phone.trim() === '' ? oneLine(name) : `${oneLine(name)}\n${oneLine(phone)}`

/** The words of a person; undefined without any. */
export const wordsOf = (by: string, text: string | null): Content['quotation'] =>
  text === null || text.trim() === '' ? undefined : { by: `${by}:`, text }

/** What cancelling costs as of the event; null if nothing is paid. */
export const cancellationNote = ({
  freeCancellationUntil: until,
  payment,
  updatedAt,
  timeZone,
}: MessageBooking): string | null =>
  payment &&
  cancellingText({
    due: payment.amount,
    until: until !== null && Date.parse(until) >= Date.parse(updatedAt) ? localDateTime(until, timeZone) : null,
  })

/** "Drain cleaning", or "your request" if it names no service. */
export const subjectOf = ({ service }: Pick<MessageQuote, 'service'>): string =>
  service === null ? 'your request' : short(service)
