/** @jsxImportSource preact */
// What a booking costs: the amount that is due when booking, its parts, and the rest that is due at the visit.
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import { priceOf, shortMoney } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Sums } from '../../ui/summary.tsx'

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
export const sums = ({ price, deposit, fee, dueAtVisit }: Terms, due: { label: string; amount: number }): VNode => (
  <Sums
    sums={[
      { label: 'Price', value: priceOf(price), isTotal: due.amount === 0 },
      fee > 0 && { label: 'Booking fee', value: shortMoney(fee) },
      fee > 0 && price.total !== null && { label: 'In all', value: shortMoney(price.total, price.currency) },
      deposit > 0 && { label: 'Deposit, a part of the price', value: shortMoney(deposit) },
      dueAtVisit !== 0 && {
        label: 'To the pro, on the day',
        value: dueAtVisit === null ? restText(deposit) : shortMoney(dueAtVisit, price.currency),
      },
      due.amount > 0 && { label: due.label, value: shortMoney(due.amount), isTotal: true },
    ]}
  />
)

const restText = (deposit: number): string => (deposit > 0 ? 'The rest of the price' : 'The price of the work done')
