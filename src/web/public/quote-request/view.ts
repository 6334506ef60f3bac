// The pages of a quote request: the form, and the request with its quotes.
import type { FollowedRequest, ReceivedQuote } from '../../../features/rfqs/verbs/follow-link.ts'
import type { ProfessionalDetail } from '../../../features/pros/schemas.ts'
import { longDay, money } from '../../../platform/text/format.ts'
import { type FormState, idempotencyField, problemBox, selectField, textArea, textField } from '../../ui/forms.ts'
import { addressFields, phoneField } from '../visit-fields.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { type Tone, badge, emptyState, detailList, section } from '../../ui/parts.ts'

/** The form's value for a service that the pro does not list. */
export const ANYTHING_ELSE = 'other'

/** The choices for the time frame; the first one is no answer. */
const TIMES = ['', 'As soon as possible', 'Within two weeks', 'Within a month', 'I am only planning'] as const

export interface QuoteRequestState {
  pro: ProfessionalDetail
  /** The preselected service. */
  service: string
  formState: FormState
  idempotencyKey: string
}

export const quoteRequestPage = ({ pro, service, formState, idempotencyKey }: QuoteRequestState): Page => ({
  title: `Ask ${pro.businessName} for a quote`,
  description: `Tell ${pro.businessName} what you need and get a price.`,
  content: html`
    <p><a href="/pros/${pro.slug}">← ${pro.businessName}</a></p>
    <h1>Ask for a quote</h1>
    <p class="lead">
      Tell ${pro.businessName} what you need. They reply with a price, which you accept or decline. Asking is free.
    </p>
    ${problemBox(formState)}
    <form method="post" action="/pros/${pro.slug}/quote">
      ${idempotencyField(idempotencyKey)}
      ${selectField({
        name: 'service',
        label: 'Service',
        value: service,
        formState,
        choices: [
          ...pro.services.map(({ id, name }) => ({ value: id, label: name })),
          { value: ANYTHING_ELSE, label: 'Something else' },
        ],
      })}
      ${textArea({
        name: 'description',
        label: 'What do you need?',
        hint: 'Details such as size, age and access help the pro give you a good price.',
        rows: 5,
        maxLength: 5000,
        formState,
      })}
      <div class="side-by-side">
        ${selectField({
          name: 'timeline',
          label: 'When',
          isOptional: true,
          formState,
          choices: TIMES.map((value) => ({ value, label: value === '' ? 'Not sure yet' : value })),
        })}
        ${textField({ name: 'budget', label: 'Budget', isOptional: true, placeholder: 'Up to $500', maxLength: 200, formState })}
      </div>
      <h2>Where</h2>
      ${addressFields({ isOptional: pro.services.some(({ atCustomer }) => !atCustomer), formState })}
      <h2>Your details</h2>
      <div class="side-by-side">
        ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
        ${phoneField({ isOptional: pro.services.some(({ atCustomer }) => !atCustomer), formState })}
      </div>
      <button>Ask for a quote</button>
    </form>
    <p class="hint">Only ${pro.businessName} can read your request.</p>
  `,
})

/** The request and its quotes. `url` is the page's own URL. */
export const requestPage = ({ rfq, quotes }: FollowedRequest, url: string): Page => {
  const [title, tone, text] = statusOf(rfq.status, quotes)
  return {
    title,
    description: 'Your request for a quote.',
    content: html`
      <h1>${title}</h1>
      <p class="lead">${text(rfq.professional.businessName)}</p>
      ${
        quotes.length > 0
          ? section(
              'Quotes',
              html`<ul class="offers">
                ${quotes.map(quoteRow)}
              </ul>`,
            )
          : emptyState(
              rfq.status === 'archived' ? 'No quote' : 'No quote yet',
              rfq.status === 'archived'
                ? html`Ask <a href="/">another pro</a>.`
                : 'The quote appears on this page. Check back later.',
            )
      }
      ${section(
        'Your request',
        html`<p class="prose">${rfq.description}</p>
          ${detailList([
            ['Status', badge(STATUS_LABELS[rfq.status], tone)],
            ['Pro', html`<a href="/pros/${rfq.professional.slug}">${rfq.professional.businessName}</a>`],
            ['Service', rfq.service?.name],
            ['When', rfq.timeline],
            ['Budget', rfq.budget],
            ['Sent', longDay(rfq.createdAt)],
            ['From', `${rfq.customer.name}, ${rfq.customer.email}`],
          ])}`,
      )}
      <div class="keep">
        <label for="link">Keep this link: you need it to open this page again</label>
        <input id="link" readonly value="${url}" spellcheck="false" />
      </div>
    `,
  }
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

const quoteRow = (quote: ReceivedQuote): Html =>
  html`<li>
    <div>
      <h3>
        ${quote.url === undefined || isOpen(quote) ? quoteName(quote) : html`<a href="${quote.url}">${quoteName(quote)}</a>`}
      </h3>
      <p class="quiet">
        ${quote.sentAt !== null && html`Sent ${longDay(quote.sentAt)}`}${
          isOpen(quote) && quote.validUntil !== null && html`, valid until ${longDay(quote.validUntil)}`
        }
      </p>
    </div>
    <div class="price">
      ${
        isOpen(quote) && quote.url !== undefined
          ? html`<a class="button small" href="${quote.url}">Review quote</a>`
          : badge(...QUOTE_STATUSES[quote.status])
      }
    </div>
  </li>`

const isOpen = ({ status }: ReceivedQuote) => status === 'sent' || status === 'viewed'

const quoteName = ({ amount, currency }: ReceivedQuote) => `Quote for ${money(amount, currency)}`

/** The state of a request in a list: that of its latest quote, if it has one. */
export const requestBadge = (status: FollowedRequest['rfq']['status'], quote?: ReceivedQuote['status']): Html =>
  quote === undefined
    ? badge(STATUS_LABELS[status], status === 'new' ? 'wait' : 'plain')
    : badge(...QUOTE_STATUSES[quote])

const STATUS_LABELS: Record<FollowedRequest['rfq']['status'], string> = {
  new: 'Sent',
  responded: 'Answered',
  archived: 'Closed',
}

const QUOTE_STATUSES: Record<ReceivedQuote['status'], readonly [label: string, tone: Tone]> = {
  draft: ['Not sent', 'plain'],
  sent: ['New', 'wait'],
  viewed: ['Open', 'wait'],
  accepted: ['Accepted', 'good'],
  declined: ['Declined', 'plain'],
  expired: ['Expired', 'bad'],
  superseded: ['Replaced', 'plain'],
}
