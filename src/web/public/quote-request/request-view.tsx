/** @jsxImportSource preact */
// The page on which a customer follows a request: its quotes and the next step.
import { LinkButton } from '../../ui/buttons.tsx'
import type { ShownPhoto } from '../../../features/files/files/verbs/photos.ts'
import { type NextStep, isTimeOpen } from '../../../features/quoting/quotes/verbs/visit.ts'
import type { AskedPro, FollowedRequest, ReceivedQuote } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import { longDay, money, plural } from '../../../platform/text/format.ts'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { Photos } from '../../ui/pictures.tsx'
import { EmptyState } from '../../ui/lists.tsx'
import { DetailList } from '../../ui/table.tsx'
import { Section } from '../../ui/headings.tsx'
import { Compared } from './compared-view.tsx'
import { QuoteBadge, isOpen } from './quote-badge.tsx'

export const wrongRequestLinkPage: Page = {
  title: 'This link does not lead to a request',
  description: 'Find your request in another way.',
  content: (
    <>
      <h1>This link does not lead to a request</h1>
      <p>A part of it may be missing. Open it exactly as you received it, or sign in with your e-mail address.</p>
      <p class="actions">
        <LinkButton href="/my/requests">See your requests</LinkButton>{' '}
        <LinkButton href="/" look="quiet">
          Find a pro
        </LinkButton>
      </p>
    </>
  ),
}

export interface RequestPage extends FollowedRequest {
  /** The accepted quote, and the pro who sent it. */
  accepted: ChosenPro | undefined
  /** What comes after the accepted quote. */
  next: NextStep | undefined
  /** The page of the visit that is booked. */
  visitUrl: string | undefined
  shownPhotos: readonly ShownPhoto[]
  /** The page's own. */
  url: string
}

interface ChosenPro {
  quote: ReceivedQuote
  businessName: string
}

/** The quote that the customer accepted, of all who were asked. */
export function acceptedOf(followed: FollowedRequest): ChosenPro | undefined {
  for (const { rfq, quotes } of [followed, ...followed.others]) {
    const quote = quotes.find(({ status }) => status === 'accepted')
    if (quote) return { quote, businessName: rfq.professional.businessName }
  }
  return undefined
}

export const requestPage = (it: RequestPage): Page => {
  const { rfq, quotes, url, others, accepted } = it
  const [title, tone, text] =
    others.length === 0 ? statusOf(rfq.status, quotes) : statusOfSeveral([it, ...others], accepted)
  const name = accepted?.businessName ?? rfq.professional.businessName
  return {
    title,
    description: 'Your request for a quote.',
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">{it.next === undefined ? text(name) : NEXT_TEXTS[it.next.step](name)}</p>
        {nextActions(it)}
        {others.length > 0 ? (
          <Section title="Side by side">
            <Compared asked={[it, ...others]} />
          </Section>
        ) : quotes.length > 0 ? (
          <Section title="Quotes">
            <ul class="offers">{quotes.map(quoteRow)}</ul>
          </Section>
        ) : (
          <EmptyState title={rfq.status === 'archived' ? 'No quote' : 'No quote yet'}>
            {rfq.status === 'archived' ? (
              <>
                Ask <a href="/">another pro</a>.
              </>
            ) : (
              'The quote appears on this page. Check back later.'
            )}
          </EmptyState>
        )}
        <Section title="Your request">
          <p class="prose">{rfq.description}</p>
          <Photos photos={it.shownPhotos} owner="Your request" />
          <DetailList
            pairs={[
              ['Status', others.length === 0 && <Badge tone={tone}>{STATUS_LABELS[rfq.status]}</Badge>],
              ['Pro', others.length === 0 && <a href={`/pros/${rfq.professional.slug}`}>{name}</a>],
              ['Service', rfq.service?.name],
              ['When', rfq.timeline],
              ['Budget', rfq.budget],
              ...rfq.answers.map(({ question, answer }): [string, string] => [question, answer]),
              ['Sent', longDay(rfq.createdAt)],
              ['From', `${rfq.customer.name}, ${rfq.customer.email}`],
            ]}
          />
        </Section>
        <div class="keep">
          <label for="link">Keep this link: you need it to open this page again</label>{' '}
          <input id="link" readonly value={url} spellcheck={false} />
        </div>
      </>
    ),
  }
}

const NEXT_TEXTS: Record<NextStep['step'], (pro: string) => string> = {
  choose: (pro) => `Now choose when ${pro} does the work.`,
  booked: (pro) => `${pro} comes at the time that you chose.`,
  by_phone: (pro) => `${pro} will contact you to agree on a day.`,
  in_progress: (pro) => `${pro} has begun the work.`,
  completed: () => 'The work is done.',
  cancelled: (pro) => `${pro} cancelled the work. If you paid a deposit, it is refunded.`,
}

function nextActions({ rfq, quotes, others, next, accepted, visitUrl }: RequestPage): VNode | false {
  if (next && isTimeOpen(next) && accepted?.quote.url !== undefined)
    return (
      <p class="actions">
        <LinkButton href={`${accepted.quote.url}/time`}>Choose a time</LinkButton>
      </p>
    )
  if (visitUrl !== undefined)
    return (
      <p class="actions">
        <LinkButton href={visitUrl}>See, move or cancel the visit</LinkButton>
      </p>
    )
  if (others.length > 0) return false
  const isOver = quotes.length > 0 && !quotes.some(({ status }) => ['sent', 'viewed', 'accepted'].includes(status))
  return (
    (isOver || rfq.status === 'archived') && (
      <p class="actions">
        <LinkButton href={`/pros/${rfq.professional.slug}/quote`}>Ask {rfq.professional.businessName} again</LinkButton>{' '}
        <LinkButton href="/" look="quiet">
          Find another pro
        </LinkButton>
      </p>
    )
  )
}

type RequestStatus = readonly [title: string, tone: Tone, text: (pro: string) => string]

function statusOf(status: FollowedRequest['rfq']['status'], quotes: readonly ReceivedQuote[]): RequestStatus {
  const has = (...states: readonly ReceivedQuote['status'][]) => quotes.some((quote) => states.includes(quote.status))
  if (has('accepted')) return ['You accepted a quote', 'good', (pro) => `${pro} will contact you to agree on a day.`]
  if (has('sent', 'viewed'))
    return ['Your quote is here', 'good', (pro) => `${pro} sent you a quote. Read it, then accept or decline it.`]
  if (quotes.length > 0)
    return ['No open quotes', 'plain', (pro) => `You declined the quotes of ${pro}, or they expired.`]
  if (status === 'archived')
    return ['Your request was closed', 'plain', (pro) => `${pro} closed your request without a quote.`]
  return [
    'Your request is with the pro',
    'wait',
    (pro) => `${pro} received your request. Their quote will appear on this page.`,
  ]
}

function statusOfSeveral(asked: readonly AskedPro[], accepted: ChosenPro | undefined): RequestStatus {
  if (accepted) return statusOf('responded', [accepted.quote])
  const open = asked.filter(({ quotes }) => quotes.some(isOpen)).length
  if (open > 0)
    return [
      open === 1 ? 'Your first quote is here' : `${open} quotes are here`,
      'good',
      () => 'Compare what the pros ask, then accept one quote. The others are told that you chose.',
    ]
  const waiting = asked.filter(({ rfq, quotes }) => rfq.status === 'new' && quotes.length === 0).length
  return waiting > 0
    ? [
        `Your request is with ${plural(waiting, 'pro')}`,
        'wait',
        () => 'Each quote will appear on this page, side by side.',
      ]
    : ['No open quotes', 'plain', () => 'The quotes ended, or the pros closed your request.']
}

const quoteRow = (quote: ReceivedQuote): VNode => (
  <li>
    <div>
      <h3>
        {quote.url === undefined || isOpen(quote) ? quoteName(quote) : <a href={quote.url}>{quoteName(quote)}</a>}
      </h3>
      <p class="quiet">
        {quote.sentAt !== null && <>Sent {longDay(quote.sentAt)}</>}
        {isOpen(quote) && quote.validUntil !== null && <>, valid until {longDay(quote.validUntil)}</>}
      </p>
    </div>
    <div class="price">
      {isOpen(quote) && quote.url !== undefined ? (
        <LinkButton href={quote.url} isSmall>
          {quote.payment ? 'Pay the deposit' : 'Review quote'}
        </LinkButton>
      ) : (
        <QuoteBadge status={quote.status} />
      )}
    </div>
  </li>
)

const quoteName = ({ amount, currency }: ReceivedQuote) => `Quote for ${money(amount, currency)}`

/** The state of a request in a list: that of its latest quote, if it has one. */
export const requestBadge = (status: FollowedRequest['rfq']['status'], quote?: ReceivedQuote['status']): VNode =>
  quote === undefined ? (
    <Badge tone={status === 'new' ? 'wait' : 'plain'}>{STATUS_LABELS[status]}</Badge>
  ) : (
    <QuoteBadge status={quote} />
  )

const STATUS_LABELS: Record<FollowedRequest['rfq']['status'], string> = {
  new: 'Sent',
  responded: 'Answered',
  archived: 'Closed',
}
