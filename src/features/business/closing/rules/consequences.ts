// What closing an account ends, in words, by the data.
import { fromCents } from '../../../../platform/schema/money.ts'
import { money, plural } from '../../../../platform/text/format.ts'
import { DAYS_UNTIL_ERASURE, type OpenWork } from '../schemas.ts'

/** One sentence for each thing that ends at once. */
export function consequencesOf(work: OpenWork): string[] {
  const { visits, begunVisits, jobs, requests, refunds, keys, apps, endpoints, calendars } = work
  const paid = refunds.map(({ currency, cents }) => money(fromCents(cents), currency)).join(' and ')
  const ending = [
    visits > 0 && `${plural(visits, 'booking')} that ${visits === 1 ? 'is' : 'are'} to come: cancelled.`,
    begunVisits > 0 &&
      `${plural(begunVisits, 'visit')} that began and ${begunVisits === 1 ? 'is' : 'are'} not marked as done: cancelled. Mark what was done first.`,
    jobs > 0 && `${plural(jobs, 'agreed job')} without a visit: cancelled.`,
    paid !== '' && `${paid} that customers paid for these: refunded in full.`,
    requests > 0 && `${plural(requests, 'open request')} with the quotes: ended.`,
  ].filter((line) => line !== false)
  const connections = [
    keys > 0 && plural(keys, 'API key'),
    apps > 0 && plural(apps, 'connected app'),
    endpoints > 0 && plural(endpoints, 'webhook'),
    calendars > 0 && plural(calendars, 'calendar'),
  ].filter((line) => line !== false)
  return [
    ...(ending.length === 0
      ? ['No booking, job or request is open.']
      : [...ending, 'Each of these customers is told by e-mail.']),
    'The public page, its reviews and all log-ins end at once.',
    ...(connections.length > 0 ? [`${connections.join(', ')}: ended, also if the account is opened again.`] : []),
  ]
}

/** What becomes of the data afterwards. */
export const LATER =
  `For ${DAYS_UNTIL_ERASURE} days the account can be opened again. Then pictures, texts, phone, e-mail addresses, log-ins and ` +
  'conversations are erased. The name of the business, bookings, quotes and payments stay, because bookkeeping and the customers need them.'
