// The views of leads: the list, and one lead with its quotes.
import type { Quote } from '../../../features/quoting/quotes/schemas.ts'
import type { Lead, LeadList, ListedLead, Rfq } from '../../../features/quoting/rfqs/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { ago, day, localDateTime, plural, shortMoney } from '../../../platform/text/format.ts'
import { EMPTY_FORM, actionButton, disclosure, problemBox } from '../../ui/forms.ts'
import { addressText } from '../../../features/booking/bookings/texts.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { emailLink, mapLink, phoneLink } from '../../ui/links.ts'
import { searchForm } from '../search-form.ts'
import { balanceText, paymentText } from '../../../payments/texts.ts'
import {
  type Tone,
  badge,
  buttonRow,
  emptyState,
  detailList,
  pageHeading,
  pager,
  section,
  table,
  tabs,
  backLink,
} from '../../ui/parts.ts'

import { type QuoteForm, quoteForm } from './quote-form.ts'

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

const statusBadge = (status: Rfq['status']): Html => badge(STATES[status].label, STATES[status].tone)

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

export const leadListView = ({ rfqs, meta }: LeadList, { chosen, text, now }: LeadSearch): Html => html`
  ${pageHeading('Leads', html`<a href="/console/jobs">Jobs from accepted quotes</a>`)}
  ${searchForm({ path: LEADS_PATH, label: 'Search leads', hint: 'Name, phone, e-mail or words of the request', text, fields: chosen === '' ? {} : { status: chosen } })}
  ${tabs('Leads by status', { path: LEADS_PATH, parameter: 'status', chosen }, STATE_TABS)}
  ${
    rfqs.length === 0
      ? text === ''
        ? emptyState('No leads here', 'Quote requests from customers appear here.')
        : emptyState(`No lead matches “${text}”`, html`<a href="${LEADS_PATH}">All leads</a>`)
      : table(
          'Leads',
          ['Customer', 'Status', 'Request', 'Budget', 'Latest quote', 'Received'],
          rfqs.map((rfq) => [
            customerOf(rfq),
            statusBadge(rfq.status),
            requestOf(rfq),
            rfq.budget,
            rfq.latestQuote &&
              `${shortMoney(rfq.latestQuote.amount)}, ${QUOTE_STATES[rfq.latestQuote.status].label.toLowerCase()}`,
            html`<time datetime="${rfq.createdAt}">${ago(rfq.createdAt, now)}</time>`,
          ]),
          { isDense: true },
        )
  }
  ${pager(LEADS_PATH, meta, { ...(chosen === '' ? {} : { status: chosen }), ...(text === '' ? {} : { q: text }) })}
`

/** Who asks, and where the work is. */
export const customerOf = ({ id, customerName, city }: ListedLead): Html =>
  html`<div>
    <a href="${LEADS_PATH}/${id}">${customerName}</a>${city !== null && html`<br /><span class="hint">${city}</span>`}
  </div>`

export const requestOf = ({ service, description }: ListedLead): Html =>
  html`<div>${service !== null && html`<strong>${service.name}</strong><br />`}${truncated(description)}</div>`

const truncated = (text: string): string => (text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text)

type Form = QuoteForm & { timeZone: string }

export const leadView = (session: Session, lead: Lead, form: Form): Html => html`
  ${backLink('Leads', LEADS_PATH)} ${pageHeading(lead.service?.name ?? 'Quote request', statusBadge(lead.status))}
  ${problemBox(form.formState)}
  <p class="lead">${nextStep(lead)}</p>
  <p class="text">${lead.description}</p>
  ${detailList([
    ['Customer', html`${lead.customer.name}, ${emailLink(lead.customer.email)}`],
    ['Phone', lead.customer.phone && phoneLink(lead.customer.phone)],
    ['Address', addressText(lead.address) !== '' && mapLink(addressText(lead.address))],
    ['Budget', lead.budget],
    ['Time frame', lead.timeline],
    ['Preferred date', lead.preferredDate && day(lead.preferredDate)],
    ['Photos', lead.photos.map((url) => html`<a href="${url}" rel="noreferrer">${truncated(url)}</a> `)],
    ['Received', localDateTime(lead.createdAt, form.timeZone)],
  ])}
  ${
    lead.status !== 'archived' &&
    buttonRow(html`
      ${disclosure(
        lead.quotes.length > 0 ? 'Send another quote' : 'Send a quote',
        quoteForm(session, `${LEADS_PATH}/${lead.id}`, form),
        {
          isOpen: form.formState !== EMPTY_FORM || lead.status === 'new',
        },
      )}
      ${disclosure(
        'Archive',
        html`<p>The lead moves to the archive. Quotes that you sent stay valid.</p>
          ${actionButton(session, { action: `${LEADS_PATH}/${lead.id}/archive`, label: 'Archive lead' })}`,
      )}
    `)
  }
  ${lead.quotes.length > 0 && section('Quotes', quotesTable(session, lead.quotes, form.timeZone))}
`

/** What the lead waits for, and where to go on. */
function nextStep({ status, quotes }: Lead): Html | string {
  const accepted = quotes.find((quote) => quote.status === 'accepted')
  if (accepted)
    return html`The customer accepted your quote of ${shortMoney(accepted.amount)}.
    ${accepted.jobId && html`<a href="/console/jobs/${accepted.jobId}">See the job</a>`}`
  if (status === 'archived') return 'This lead is archived.'
  const [latest] = quotes
  if (latest?.status === 'draft') return 'Your quote is a draft. The customer sees it when you send it.'
  if (latest?.status === 'sent') return 'Your quote is sent. The customer has not opened it yet.'
  if (latest?.status === 'viewed') return 'The customer has read your quote and has not answered yet.'
  if (latest?.status === 'declined') return 'The customer declined your quote. You can send another one.'
  if (latest?.status === 'expired') return 'Your quote has expired. You can send another one.'
  return 'The customer waits for your quote.'
}

const quotesTable = (session: Session, quotes: readonly Quote[], timeZone: string): Html =>
  table(
    'Quotes',
    ['Amount', 'Created', 'Valid until', 'Status', ''],
    quotes.map((quote) => [
      html`<div>${shortMoney(quote.amount)}${depositOf(quote)}${itemsOf(quote)}</div>`,
      localDateTime(quote.createdAt, timeZone),
      quote.validUntil === null ? '–' : day(quote.validUntil),
      html`<div>
        ${badge(QUOTE_STATES[quote.status].label, QUOTE_STATES[quote.status].tone)}${quote.declineReason && html`<br /><span class="hint">${quote.declineReason}</span>`}
      </div>`,
      quote.status === 'draft' &&
        html`<div class="actions">
          ${actionButton(session, { action: `/console/quotes/${quote.id}/send`, label: 'Send', tone: 'plain' })}
          ${actionButton(session, { action: `/console/quotes/${quote.id}/delete`, label: 'Delete' })}
        </div>`,
    ]),
  )

/** The line items, folded: description, quantity and sum of each. */
const itemsOf = ({ lineItems }: Quote): Html | false =>
  lineItems.length > 0 &&
  disclosure(
    plural(lineItems.length, 'line item'),
    html`<ul>
      ${lineItems.map(
        ({ description, quantity, unitPrice, amount }) =>
          html`<li>${description}: ${quantity} × ${shortMoney(unitPrice)} = ${shortMoney(amount)}</li>`,
      )}
    </ul>`,
  )

const depositOf = ({ depositAmount, payment, balance }: Quote): Html | false =>
  (payment !== null || depositAmount !== null) &&
  html`<br /><span class="hint">Deposit: ${payment ? paymentText(payment) : shortMoney(depositAmount ?? 0)}</span
    ><br /><span class="hint">${balanceText(balance)}</span>`
