// What cancelling costs, in one sentence for the server and for the widget in other people's pages.
import { shortMoney } from './price.ts'

const FREE = 'You can cancel free of charge at any time before the start.'

/** "the start", "24 hours before the start". */
export const beforeStart = (hours: number): string =>
  `${hours === 0 ? '' : `${hours} ${hours === 1 ? 'hour' : 'hours'} before `}the start`

/** Before a time is chosen. `due` is paid when booking. */
export const cancellingTerms = ({ due, hours }: { due: number; hours: number }): string =>
  due === 0
    ? FREE
    : `You can cancel free of charge until ${beforeStart(hours)}. After that, you do not get the ${shortMoney(due)} back.`

/** Of one time. `until` is the end of free cancellation in words, null if it is over. */
export function cancellingText({ due, until }: { due: number; until: string | null }): string {
  if (due === 0) return FREE
  return until === null
    ? `It is too late to cancel this time free of charge: if you cancel, you do not get the ${shortMoney(due)} back.`
    : `If you cancel by ${until}, you get all of the ${shortMoney(due)} back. After that, you get nothing back.`
}
