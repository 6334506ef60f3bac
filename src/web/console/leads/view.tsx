/** @jsxImportSource preact */
// The views of leads: the list, and one lead with its quotes.
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { Lead, LeadList, ListedLead, Rfq } from '../../../features/quoting/rfqs/schemas.ts'
import type { ShownPhoto } from '../../../features/files/files/verbs/photos.ts'
import type { Session } from '../../../http/session.ts'
import { ago, day, localDateTime, plural, shortMoney } from '../../../platform/text/format.ts'
import { EMPTY_FORM, ActionButton, ProblemBox } from '../../ui/form.tsx'
import { Disclosure } from '../../ui/buttons.tsx'
import { addressText } from '../../../features/booking/bookings/texts.ts'
import type { VNode } from 'preact'
import { EmailLink, MapLink, PhoneLink } from '../../ui/links.tsx'
import { searchForm } from '../search-form.tsx'
import { balanceText, paymentText } from '../../../payments/texts.ts'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { Photos } from '../../ui/pictures.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { PageHeading, Section, BackLink } from '../../ui/headings.tsx'

import { type QuoteForm, quoteForm } from './quote-form.tsx'

export const LEADS_PATH = '/console/leads'

const STATES: Record<Rfq['status'], { label: string; tone: Tone }> = {
  new: { label: 'New', tone: 'wait' },
  responded: { label: 'Quoted', tone: 'good' },
  archived: { label: 'Archived', tone: 'plain' },
}

const STATE_TABS = [
  { value: '', label: 'All' },
  ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
]

const statusBadge = (status: Rfq['status']): VNode => <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge>

const QUOTE_STATES: Record<Quote['status'], { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'wait' },
  sent: { label: 'Sent', tone: 'plain' },
  viewed: { label: 'Read', tone: 'plain' },
  accepted: { label: 'Accepted', tone: 'good' },
  declined: { label: 'Declined', tone: 'bad' },
  expired: { label: 'Expired', tone: 'bad' },
  superseded: { label: 'Replaced', tone: 'plain' },
}

interface LeadSearch {
  chosen: string
  text: string
  now: Date
}

export const leadListView = ({ rfqs, meta }: LeadList, { chosen, text, now }: LeadSearch): VNode => (
  <>
    <PageHeading beside={<a href="/console/jobs">Jobs from accepted quotes</a>}>Leads</PageHeading>
    {searchForm({
      path: LEADS_PATH,
      label: 'Search leads',
      hint: 'Name, phone, e-mail or words of the request',
      text,
      fields: chosen === '' ? {} : { status: chosen },
    })}
    <Tabs label="Leads by status" path={LEADS_PATH} parameter="status" chosen={chosen} choices={STATE_TABS} />
    {rfqs.length === 0 ? (
      text === '' ? (
        <EmptyState title="No leads here">Quote requests from customers appear here.</EmptyState>
      ) : (
        <EmptyState title={`No lead matches “${text}”`}>
          <a href={LEADS_PATH}>All leads</a>
        </EmptyState>
      )
    ) : (
      <Table
        caption="Leads"
        columns={['Customer', 'Status', 'Request', 'Budget', 'Latest quote', 'Received']}
        rows={rfqs.map((rfq) => [
          customerOf(rfq),
          statusBadge(rfq.status),
          requestOf(rfq),
          rfq.budget,
          rfq.latestQuote &&
            `${shortMoney(rfq.latestQuote.amount)}, ${QUOTE_STATES[rfq.latestQuote.status].label.toLowerCase()}`,
          <time datetime={rfq.createdAt}>{ago(rfq.createdAt, now)}</time>,
        ])}
        isDense
      />
    )}
    <Pager
      path={LEADS_PATH}
      meta={meta}
      query={{ ...(chosen === '' ? {} : { status: chosen }), ...(text === '' ? {} : { q: text }) }}
    />
  </>
)

/** Who asks, and where the work is. */
export const customerOf = ({ id, customerName, city }: ListedLead): VNode => (
  <div>
    <a href={`${LEADS_PATH}/${id}`}>{customerName}</a>
    {city !== null && (
      <>
        <br />
        <span class="hint">{city}</span>
      </>
    )}
  </div>
)

export const requestOf = ({ service, description }: ListedLead): VNode => (
  <div>
    {service !== null && (
      <>
        <strong>{service.name}</strong>
        <br />
      </>
    )}
    {truncated(description)}
  </div>
)

const truncated = (text: string): string => (text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text)

type Form = QuoteForm & { timeZone: string; photos: readonly ShownPhoto[] }

export const leadView = (session: Session, lead: Lead, form: Form): VNode => (
  <>
    <BackLink href={LEADS_PATH}>Leads</BackLink>
    <PageHeading beside={statusBadge(lead.status)}>{lead.service?.name ?? 'Quote request'}</PageHeading>
    <ProblemBox formState={form.formState} />
    <p class="lead">{nextStep(lead)}</p>
    <p class="text">{lead.description}</p>
    <DetailList
      pairs={[
        [
          'Customer',
          <>
            {lead.customer.name}, <EmailLink address={lead.customer.email} />
          </>,
        ],
        ['Phone', lead.customer.phone && <PhoneLink phone={lead.customer.phone} />],
        ['Address', addressText(lead.address) !== '' && <MapLink address={addressText(lead.address)} />],
        ['Budget', lead.budget],
        ['Time frame', lead.timeline],
        ['Preferred date', lead.preferredDate && day(lead.preferredDate)],
        ...lead.answers.map(({ question, answer }): [string, string] => [question, answer]),
        ['Photos', form.photos.length > 0 && <Photos photos={form.photos} owner={lead.customer.name} />],
        ['Received', localDateTime(lead.createdAt, form.timeZone)],
      ]}
    />
    {lead.status !== 'archived' && (
      <ButtonRow>
        <Disclosure
          label={lead.quotes.length > 0 ? 'Send another quote' : 'Send a quote'}
          isOpen={form.formState !== EMPTY_FORM || lead.status === 'new'}
        >
          {quoteForm(session, `${LEADS_PATH}/${lead.id}`, form)}
        </Disclosure>
        <Disclosure label="Archive">
          <p>The lead moves to the archive. Quotes that you sent stay valid.</p>
          <ActionButton session={session} action={`${LEADS_PATH}/${lead.id}/archive`} label="Archive lead" />
        </Disclosure>
      </ButtonRow>
    )}
    {lead.quotes.length > 0 && <Section title="Quotes">{quotesTable(session, lead.quotes, form.timeZone)}</Section>}
  </>
)

/** What the lead waits for, and where to go on. */
function nextStep({ status, quotes, lostAt }: Lead): VNode | string {
  const accepted = quotes.find((quote) => quote.status === 'accepted')
  if (accepted)
    return (
      <>
        The customer accepted your quote of {shortMoney(accepted.amount)}.{' '}
        {accepted.jobId && <a href={`/console/jobs/${accepted.jobId}`}>See the job</a>}
      </>
    )
  if (lostAt !== null) return 'The customer had asked several pros, and chose another one.'
  if (status === 'archived') return 'This lead is archived.'
  const [latest] = quotes
  if (latest?.status === 'draft') return 'Your quote is a draft. The customer sees it when you send it.'
  if (latest?.status === 'sent') return 'Your quote is sent. The customer has not opened it yet.'
  if (latest?.status === 'viewed') return 'The customer has read your quote and has not answered yet.'
  if (latest?.status === 'declined') return 'The customer declined your quote. You can send another one.'
  if (latest?.status === 'expired') return 'Your quote has expired. You can send another one.'
  return 'The customer waits for your quote.'
}

const quotesTable = (session: Session, quotes: readonly Quote[], timeZone: string): VNode => (
  <Table
    caption="Quotes"
    columns={['Amount', 'Created', 'Valid until', 'Status', '']}
    rows={quotes.map((quote) => [
      <div>
        {shortMoney(quote.amount)}
        {depositOf(quote)}
        {itemsOf(quote)}
      </div>,
      localDateTime(quote.createdAt, timeZone),
      quote.validUntil === null ? '–' : day(quote.validUntil),
      <div>
        <Badge tone={QUOTE_STATES[quote.status].tone}>{QUOTE_STATES[quote.status].label}</Badge>
        {quote.declineReason && (
          <>
            <br />
            <span class="hint">{quote.declineReason}</span>
          </>
        )}
      </div>,
      quote.status === 'draft' && (
        <div class="actions">
          <ActionButton session={session} action={`/console/quotes/${quote.id}/send`} label="Send" look="plain" />
          <ActionButton session={session} action={`/console/quotes/${quote.id}/delete`} label="Delete" />
        </div>
      ),
    ])}
  />
)

/** The line items, folded: description, quantity and sum of each. */
const itemsOf = ({ lineItems }: Quote): VNode | false =>
  lineItems.length > 0 && (
    <Disclosure label={plural(lineItems.length, 'line item')}>
      <ul>
        {lineItems.map(({ description, quantity, unitPrice, amount }) => (
          <li>
            {description}: {quantity} × {shortMoney(unitPrice)} = {shortMoney(amount)}
          </li>
        ))}
      </ul>
    </Disclosure>
  )

const depositOf = ({ depositAmount, payment, balance }: Quote): VNode | false =>
  (payment !== null || depositAmount !== null) && (
    <>
      <br />
      <span class="hint">Deposit: {payment ? paymentText(payment) : shortMoney(depositAmount ?? 0)}</span>
      <br />
      <span class="hint">{balanceText(balance)}</span>
    </>
  )
