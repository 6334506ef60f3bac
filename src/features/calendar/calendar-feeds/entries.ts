// What a calendar shows of a booking, to its customer and to its pro.
import type { Booking } from '../../booking/bookings/schemas.ts'
import { addressText, addressWithoutLinks } from '../../booking/bookings/texts.ts'
import { priceOf } from '../../../platform/text/format.ts'
import { oneLine } from '../../../platform/text/plain.ts'
import type { CalendarEntry } from './ics.ts'

export interface CalendarBooking extends Pick<Booking, 'status' | 'price' | 'address'> {
  readonly id: string
  readonly code: string
  readonly sequence: number
  readonly updatedAt: string
  readonly title: string
  readonly startsAt: string
  readonly endsAt: string
  readonly notes: string | null
  readonly pro: { readonly name: string; readonly phone: string | null }
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string | null }
}

/** The customer's calendar. `url` is the page of the booking. */
export const customerEntry = (booking: CalendarBooking, url: string): CalendarEntry => ({
  ...timesOf(booking),
  summary: `${booking.title} with ${booking.pro.name}`,
  location: addressWithoutLinks(booking.address),
  description: linesOf([
    [booking.pro.name, booking.pro.phone].filter(Boolean).join(', '),
    priceOf(booking.price),
    `Confirmation code: ${booking.code}`,
    `Your booking: ${url}`,
  ]),
  url,
})

/** The pro's or a team member's calendar. */
export const proEntry = (booking: CalendarBooking, url: string): CalendarEntry => ({
  ...timesOf(booking),
  summary: `${booking.title}: ${booking.customer.name}`,
  location: addressText(booking.address),
  description: linesOf([
    [booking.customer.name, booking.customer.phone, booking.customer.email].filter(Boolean).join(', '),
    priceOf(booking.price),
    booking.notes === null ? null : `Notes: ${booking.notes}`,
    `Confirmation code: ${booking.code}`,
    `In the console: ${url}`,
  ]),
  url,
})

const STATUS = {
  pending: 'tentative',
  confirmed: 'confirmed',
  completed: 'confirmed',
  no_show: 'confirmed',
  cancelled: 'cancelled',
} as const

const timesOf = ({ id, sequence, updatedAt, startsAt, endsAt, status }: CalendarBooking) => ({
  bookingId: id,
  sequence,
  updatedAt,
  startsAt,
  endsAt,
  status: STATUS[status],
})

const linesOf = (texts: readonly (string | null)[]): string =>
  texts
    .filter((text) => text !== null)
    .map(oneLine)
    .join('\n')
