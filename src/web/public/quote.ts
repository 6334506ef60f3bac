// /quotes/{token}: the page on which a customer reads a quote and accepts or declines it.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { acceptQuote, declineQuote, viewQuote } from '../../features/quotes/verbs/customer-link.ts'
import type { LineItem, Quote } from '../../features/quotes/schemas.ts'
import { type Caching, pageHeaders } from '../../http/headers.ts'
import { prefersJson } from '../../http/accept.ts'
import { json } from '../../http/json.ts'
import { isPreview } from '../../http/preview.ts'
import { longDay, money } from '../ui/format.ts'
import { type Html, html } from '../ui/html.ts'
import { PAGE_TYPE, page } from '../ui/layout.ts'

const PERSONAL = { detail: { hide: true, 'x-caching': 'personal' as Caching } }

/** The page, and the forms on it. Whoever asks for JSON gets what `/api/v1/quotes/{token}` answers. */
export const quotePages = (deps: Deps) =>
  new Elysia({ name: 'quote-pages', prefix: '/quotes' })
    .get(
      '/:token',
      async ({ request, params: { token } }) => {
        const look = () => viewQuote(deps, token, { isPreview: isPreview(request) })
        if (prefersJson(request)) return json({ quote: await look() })
        return await withNotFoundPage(async () => htmlResponse(200, quotePage(await look(), token)))
      },
      PERSONAL,
    )
    .post(
      '/:token/accept',
      ({ request, params: { token } }) => respondToAction(request, token, acceptQuote(deps, token)),
      PERSONAL,
    )
    .post(
      '/:token/decline',
      ({ request, params: { token } }) => respondToAction(request, token, declineQuote(deps, token)),
      PERSONAL,
    )

/** Back to the page, which says how things stand: also when the quote was answered before or has expired meanwhile. */
async function respondToAction(request: Request, token: string, outcome: Promise<Quote>): Promise<Response> {
  if (prefersJson(request)) return json({ quote: await outcome })
  return await withNotFoundPage(async () => {
    await outcome.catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
    })
    return new Response(null, { status: 303, headers: { location: `/quotes/${encodeURIComponent(token)}` } })
  })
}

/** A person with a link that leads nowhere reads a page about it. */
async function withNotFoundPage(make: () => Promise<Response>): Promise<Response> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof AppError && error.code === 'quote_not_found') return htmlResponse(404, notFoundPage)
    throw error
  }
}

const htmlResponse = (status: number, text: string) =>
  new Response(text, {
    status,
    headers: {
      'content-type': PAGE_TYPE,
      ...pageHeaders({ 'form-action': "'self'" }),
      'x-robots-tag': 'noindex',
      vary: 'Accept',
    },
  })

const notFoundPage = page({
  title: 'No such quote',
  description: 'This link leads to no quote.',
  content: html`
    <h1>This link leads to no quote</h1>
    <p class="lead">
      It may be incomplete, or too old. Open it exactly as it was sent, or ask the pro for a new quote.
    </p>
  `,
})

const quotePage = (quote: Quote, token: string) =>
  page({
    title: `Quote from ${quote.professional.businessName}`,
    description: 'A quote for you alone.',
    content: html`
      <h1>Quote from ${quote.professional.businessName}</h1>
      <p class="lead">${quote.service?.name ?? 'Your request'}: ${dollars(quote.amount)}</p>
      <ul class="facts">
        <li>${STATUS_TEXTS[quote.status](quote)}</li>
        ${quote.estimatedDays && html`<li>About ${quote.estimatedDays} ${quote.estimatedDays === 1 ? 'day' : 'days'} of work</li>`}
        ${quote.depositRequired && html`<li>${deposit(quote)}</li>`}
        ${quote.professional.phone && html`<li>${quote.professional.phone}</li>`}
      </ul>
      ${quote.message && html`<p>${quote.message}</p>`}
      <h2>You asked for</h2>
      <p>${quote.request.description}</p>
      ${quote.lineItems.length > 0 && breakdown(quote)}
      ${
        quote.paymentTerms &&
        html`<h2>Payment</h2>
          <p>${quote.paymentTerms}</p>`
      }
      ${(quote.status === 'sent' || quote.status === 'viewed') && buttons(token)}
    `,
  })

function buttons(token: string): Html {
  const path = `/quotes/${encodeURIComponent(token)}`
  return html`
    <h2>Your answer</h2>
    <form method="post" action="${path}/accept">
      <button>Accept the quote</button>
      <button class="quiet" formaction="${path}/decline">Decline</button>
    </form>
  `
}

const breakdown = (quote: Quote): Html => html`
  <h2>What it is made of</h2>
  <table class="sums">
    <thead>
      <tr>
        <th>Item</th>
        <th>Quantity</th>
        <th>Price</th>
        <th>Amount</th>
      </tr>
    </thead>
    <tbody>
      ${quote.lineItems.map(row)}
    </tbody>
    <tfoot>
      <tr>
        <th colspan="3">Total</th>
        <td>${dollars(quote.amount)}</td>
      </tr>
    </tfoot>
  </table>
`

const row = ({ description, quantity, unitPrice, amount }: LineItem): Html => html`
  <tr>
    <td>${description}</td>
    <td>${quantity}</td>
    <td>${dollars(unitPrice)}</td>
    <td>${dollars(amount)}</td>
  </tr>
`

/** How the quote stands, in words for its customer. */
const STATUS_TEXTS: Record<Quote['status'], (quote: Quote) => string> = {
  draft: () => 'Not sent yet',
  sent: ({ validUntil }) => `Good until ${day(validUntil)}`,
  viewed: ({ validUntil }) => `Good until ${day(validUntil)}`,
  accepted: ({ acceptedAt }) => `You accepted this quote on ${day(acceptedAt)}`,
  declined: ({ declinedAt }) => `You declined this quote on ${day(declinedAt)}`,
  expired: ({ validUntil }) => `This quote was good until ${day(validUntil)}`,
  superseded: () => 'The pro has sent you a newer quote',
}

const deposit = ({ depositPercentage, depositAmount }: Quote): string =>
  depositPercentage === null || depositAmount === null
    ? 'A deposit is asked for'
    : `Deposit: ${depositPercentage} % (${dollars(depositAmount)})`

const dollars = (amount: number): string => money(amount, 'USD', 4)
const day = (instant: string | null): string => (instant === null ? '' : longDay(instant))
