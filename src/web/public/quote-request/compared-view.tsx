/** @jsxImportSource preact */
// The answers of the pros whom a customer asked at once, side by side.
import type { VNode } from 'preact'

import type { AskedPro, ReceivedQuote } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import { longDay, money, plural } from '../../../platform/text/format.ts'
import { LinkButton } from '../../ui/buttons.tsx'
import { QuoteBadge, isOpen } from './quote-badge.tsx'

/** How many lines of a quote are named; its page has all. */
const NAMED_LINES = 4

/** The accepted quote first, then open ones from the cheapest on, then pros without an answer, then quotes that are over. */
export const Compared = ({ asked }: { asked: readonly AskedPro[] }): VNode => (
  <ul class="compared">
    {asked
      .map(({ rfq, quotes }) => ({ rfq, quote: quotes.find(({ status }) => status === 'accepted') ?? quotes[0] }))
      .toSorted((a, b) => rankOf(a.quote) - rankOf(b.quote) || (a.quote?.amount ?? 0) - (b.quote?.amount ?? 0))
      .map(({ rfq, quote }) => (
        <li>
          <h3>
            <a href={`/pros/${rfq.professional.slug}`}>{rfq.professional.businessName}</a>
          </h3>
          {quote === undefined ? (
            <p class="quiet">{rfq.status === 'archived' ? 'Closed without a quote' : 'No quote yet'}</p>
          ) : (
            <Answer quote={quote} />
          )}
        </li>
      ))}
  </ul>
)

const Answer = ({ quote }: { quote: ReceivedQuote }): VNode => {
  const { amount, currency, lineItems, estimatedDays, depositAmount, balance, validUntil, message } = quote
  const named = lineItems.slice(0, NAMED_LINES).map(({ description }) => description)
  return (
    <>
      <p class="amount">{money(amount, currency)}</p>
      <ul class="facts">
        {depositAmount !== null && (
          <li>
            {money(depositAmount, currency)} when you accept
            {balance.dueAtVisit !== null && `, ${money(balance.dueAtVisit, currency)} after the work`}
          </li>
        )}
        {estimatedDays !== null && <li>About {plural(estimatedDays, 'day')} of work</li>}
        {named.length > 0 && (
          <li>
            {named.join(', ')}
            {lineItems.length > NAMED_LINES && ` and ${lineItems.length - NAMED_LINES} more`}
          </li>
        )}
        {isOpen(quote) && validUntil !== null && <li>Valid until {longDay(validUntil)}</li>}
      </ul>
      {message && <p class="prose">{message}</p>}
      <p class="actions">
        {quote.url === undefined ? (
          <QuoteBadge status={quote.status} />
        ) : isOpen(quote) ? (
          <LinkButton href={quote.url}>{quote.payment ? 'Pay the deposit' : 'Review quote'}</LinkButton>
        ) : (
          <>
            <QuoteBadge status={quote.status} /> <a href={quote.url}>See the quote</a>
          </>
        )}
      </p>
    </>
  )
}

const rankOf = (quote: ReceivedQuote | undefined): number =>
  quote?.status === 'accepted' ? 0 : quote === undefined ? 2 : isOpen(quote) ? 1 : 3
