// What asking for a quote looks like: the form, and how a request stands.
import type { FollowedRequest, ReceivedQuote } from '../../../features/rfqs/verbs/follow-link.ts'
import type { ProfessionalDetail } from '../../../features/pros/schemas.ts'
import { longDay, money } from '../../ui/format.ts'
import { type FormState, idempotencyField, problemBox, selectField, textArea, textField } from '../../ui/forms.ts'
import { type Html, html } from '../../ui/html.ts'
import type { Page } from '../../ui/layout.ts'
import { type Tone, badge, emptyState, detailList, section } from '../../ui/parts.ts'

/** What is asked for that the pro does not list. */
export const ANYTHING_ELSE = 'other'

/** What customers say of when; the first one is nothing said. */
const TIMES = ['', 'As soon as possible', 'Within two weeks', 'Within a month', 'I am only planning'] as const

export interface QuoteRequestState {
  pro: ProfessionalDetail
  /** What is chosen before anybody has chosen. */
  service: string
  formState: FormState
  idempotencyKey: string
}

export const quoteRequestPage = ({ pro, service, formState, idempotencyKey }: QuoteRequestState): Page => ({
  title: `Ask ${pro.businessName} for a quote`,
  description: `Tell ${pro.businessName} what is to be done, and get a price for it.`,
  content: html`
    <p><a href="/pros/${pro.slug}">← ${pro.businessName}</a></p>
    <h1>Ask for a quote</h1>
    <p class="lead">
      Tell ${pro.businessName} what is to be done. They answer with a price, and you accept or decline it. Asking costs
      nothing.
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
        label: 'What is to be done',
        hint: 'The more the pro knows, the better the price: how big, how old, how it can be reached.',
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
          choices: TIMES.map((value) => ({ value, label: value === '' ? 'I do not know yet' : value })),
        })}
        ${textField({ name: 'budget', label: 'Budget', isOptional: true, placeholder: 'Up to $500', maxLength: 200, formState })}
      </div>
      <h2>Where</h2>
      <div class="side-by-side">
        ${textField({ name: 'zipCode', label: 'ZIP code', autocomplete: 'postal-code', maxLength: 20, formState })}
        ${textField({ name: 'city', label: 'City', isOptional: true, autocomplete: 'address-level2', maxLength: 200, formState })}
      </div>
      <h2>Who asks</h2>
      <div class="side-by-side">
        ${textField({ name: 'name', label: 'Your name', autocomplete: 'name', maxLength: 200, formState })}
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', maxLength: 320, formState })}
        ${textField({ name: 'phone', label: 'Phone', isOptional: true, autocomplete: 'tel', maxLength: 50, formState })}
      </div>
      <button>Ask for a quote</button>
    </form>
    <p class="hint">Only ${pro.businessName} reads this.</p>
  `,
})

/** How the request stands; `url` is the page's own address. */
export const requestPage = ({ rfq, quotes }: FollowedRequest, url: string): Page => {
  const [title, tone, said] = statusOf(rfq.status, quotes)
  return {
    title,
    description: 'A request for you alone.',
    content: html`
      <h1>${title}</h1>
      <p class="lead">${said(rfq.professional.businessName)}</p>
      ${
        quotes.length > 0
          ? section(
              'Quotes',
              html`<ul class="offers">
                ${quotes.map(quoteRow)}
              </ul>`,
            )
          : emptyState(
              rfq.status === 'archived' ? 'No quote came' : 'No quote yet',
              rfq.status === 'archived'
                ? html`Ask <a href="/">another pro</a>.`
                : 'It will be here as soon as the pro has sent it. Look in again.',
            )
      }
      ${section(
        'You asked for',
        html`<p class="prose">${rfq.description}</p>
          ${detailList([
            ['State', badge(rfq.status === 'responded' ? 'answered' : rfq.status, tone)],
            ['Pro', html`<a href="/pros/${rfq.professional.slug}">${rfq.professional.businessName}</a>`],
            ['Service', rfq.service?.name],
            ['When', rfq.timeline],
            ['Budget', rfq.budget],
            ['Asked', longDay(rfq.createdAt)],
            ['As', `${rfq.customer.name}, ${rfq.customer.email}`],
          ])}`,
      )}
      <div class="keep">
        <label for="link">Keep this link: with it you find this page again</label>
        <input id="link" readonly value="${url}" spellcheck="false" />
      </div>
    `,
  }
}

type RequestStatus = readonly [title: string, tone: Tone, said: (pro: string) => string]

/** In words for whoever asked. */
function statusOf(status: FollowedRequest['rfq']['status'], quotes: readonly ReceivedQuote[]): RequestStatus {
  const has = (...states: readonly ReceivedQuote['status'][]) => quotes.some((quote) => states.includes(quote.status))
  if (has('accepted'))
    return ['You accepted a quote', 'good', (pro) => `${pro} has your word, and will be in touch about the day.`]
  if (has('sent', 'viewed'))
    return ['Your quote is here', 'good', (pro) => `${pro} has answered. Read the quote, and accept or decline it.`]
  if (quotes.length > 0)
    return ['No quote is open', 'plain', (pro) => `The quotes of ${pro} were declined, or their time is over.`]
  if (status === 'archived')
    return ['Your request was put away', 'plain', (pro) => `${pro} has put it away without a quote.`]
  return ['Your request is with the pro', 'wait', (pro) => `${pro} has it, and answers with a quote on this page.`]
}

const quoteRow = (quote: ReceivedQuote): Html =>
  html`<li>
    <div>
      <h3>
        ${quote.url === undefined || isOpen(quote) ? quoteName(quote) : html`<a href="${quote.url}">${quoteName(quote)}</a>`}
      </h3>
      <p class="quiet">
        ${quote.sentAt !== null && html`Sent ${longDay(quote.sentAt)}`}${
          isOpen(quote) && quote.validUntil !== null && html`, good until ${longDay(quote.validUntil)}`
        }
      </p>
    </div>
    <div class="price">
      ${
        isOpen(quote) && quote.url !== undefined
          ? html`<a class="button small" href="${quote.url}">Read and answer</a>`
          : badge(...STATES[quote.status])
      }
    </div>
  </li>`

const isOpen = ({ status }: ReceivedQuote) => status === 'sent' || status === 'viewed'

const quoteName = ({ amount, currency }: ReceivedQuote) => `A quote of ${money(amount, currency)}`

const STATES: Record<ReceivedQuote['status'], readonly [label: string, tone: Tone]> = {
  draft: ['not sent', 'plain'],
  sent: ['new', 'wait'],
  viewed: ['open', 'wait'],
  accepted: ['accepted', 'good'],
  declined: ['declined', 'plain'],
  expired: ['expired', 'bad'],
  superseded: ['replaced', 'plain'],
}
