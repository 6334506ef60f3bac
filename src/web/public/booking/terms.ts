// What a booking costs and when: the parts of the sum that is due, the rest on the day, and what cancelling returns.
import { FREE_CANCELLATION_HOURS } from '../../../features/booking/bookings/verbs/create-booking.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import { localDateTime, priceOf, shortMoney } from '../../../platform/text/format.ts'
import { type Html, type HtmlValue, html } from '../../../platform/text/html.ts'

export interface Terms {
  price: Booking['price']
  /** Of the price, paid when booking. */
  deposit: number
  /** Besides the price, paid when booking. */
  fee: number
  /** Of the price, paid to the pro; null while the price is not known to the cent. */
  dueAtVisit: number | null
}

/** The sums of a booking, what is paid when booking last. */
export const sums = ({ price, deposit, fee, dueAtVisit }: Terms, due: { label: string; amount: number }): Html => html`
  <dl class="terms">
    ${sum('Price', priceOf(price))} ${fee > 0 && sum('Booking fee', shortMoney(fee))}
    ${deposit > 0 && sum('Deposit, a part of the price', shortMoney(deposit))}
    ${dueAtVisit !== 0 && sum('To the pro, on the day', dueAtVisit === null ? restText(deposit) : shortMoney(dueAtVisit, price.currency))}
    ${due.amount > 0 && sum(due.label, shortMoney(due.amount), 'total')}
  </dl>
`

const sum = (label: string, value: HtmlValue, kind = ''): Html =>
  html`<div class="${kind}">
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`

const restText = (deposit: number): string => (deposit > 0 ? 'The rest of the price' : 'The price of the work done')

/** What cancelling a booking that is not made yet will cost and return. */
export function cancellingText({
  due,
  startsAt,
  timeZone,
  hours = FREE_CANCELLATION_HOURS,
  now,
}: {
  due: number
  startsAt: string
  timeZone: string
  /** Before the start. */
  hours?: number
  now: Date
}): string {
  if (due === 0) return 'You can cancel free of charge at any time before the start.'
  const until = new Date(Date.parse(startsAt) - hours * 3_600_000)
  return until > now
    ? `If you cancel by ${localDateTime(until.toISOString(), timeZone)}, you get all of the ${shortMoney(due)} back. After that, you get nothing back.`
    : `This is less than ${hours} hours ahead: if you cancel, you do not get the ${shortMoney(due)} back.`
}
