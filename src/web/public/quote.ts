// /quotes/{token}: a customer reads a quote and accepts or declines it.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { acceptQuote, declineQuote, viewQuote } from '../../features/quotes/verbs/customer-link.ts'
import type { LineItem, Quote, QuoteAccepted } from '../../features/quotes/schemas.ts'
import type { Caching } from '../../http/headers.ts'
import { isPreview, prefersJson } from '../../http/accept.ts'
import { publicPage } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { json } from '../../http/json.ts'
import { longDay, money } from '../../platform/text/format.ts'
import { paymentText } from '../../payments/texts.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'
import { redirect, renderPersonalPage } from '../ui/responses.ts'

const personalRoute = () => ({ access: publicPage, caching: 'personal' as Caching })

/** The page and its forms. Clients that prefer JSON get the body of `/api/v1/quotes/{token}`. */
export const quotePages = (deps: Deps) =>
  new Elysia({ name: 'quote-pages', prefix: '/quotes' })
    .use(guard(deps))
    .get(
      '/:token',
      async ({ request, params: { token } }) => {
        const view = () => viewQuote(deps, token, { isPreview: isPreview(request) })
        if (prefersJson(request)) return json({ quote: await view() })
        return await withNotFoundPage(async () => renderPersonalPage(quotePage(await view(), token), { headers: VARY }))
      },
      personalRoute(),
    )
    .post(
      '/:token/accept',
      ({ request, params: { token } }) => respondToAction(request, token, acceptQuote(deps, token)),
      personalRoute(),
    )
    .post(
      '/:token/decline',
      ({ request, params: { token } }) => respondToAction(request, token, outcomeOf(declineQuote(deps, token))),
      personalRoute(),
    )

const outcomeOf = async (quote: Promise<Quote>): Promise<Outcome> => ({ quote: await quote })

type Outcome = Pick<QuoteAccepted, 'quote'> & Partial<QuoteAccepted>

/**
 * Redirects to the payment of a deposit, or else to the quote's page, which shows the state, also when the quote was already
 * answered or has expired.
 */
async function respondToAction(request: Request, token: string, outcome: Promise<Outcome>): Promise<Response> {
  if (prefersJson(request)) return json(await outcome)
  return await withNotFoundPage(async () => {
    const result = await outcome.catch((error: unknown) => {
      if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
    })
    const secret = result?.payment?.clientSecret
    return redirect(
      secret === undefined ? `/quotes/${encodeURIComponent(token)}` : `/pay/${encodeURIComponent(secret)}`,
    )
  })
}

/** Renders a page for an invalid link instead of a problem document. */
async function withNotFoundPage(render: () => Promise<Response>): Promise<Response> {
  try {
    return await render()
  } catch (error) {
    if (error instanceof AppError && error.code === 'quote_not_found')
      return renderPersonalPage(notFoundPage, { status: 404, headers: VARY })
    throw error
  }
}

const VARY = { vary: 'Accept' }

const notFoundPage: Page = {
  title: 'Quote not found',
  description: 'This link does not lead to a quote.',
  content: html`
    <h1>Quote not found</h1>
    <p class="lead">
      The link is incomplete or has expired. Open it exactly as you received it, or ask the pro for a new quote.
    </p>
  `,
}

const quotePage = (quote: Quote, token: string): Page => ({
  title: `Quote from ${quote.professional.businessName}`,
  description: 'A quote for you.',
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
    <h2>Your request</h2>
    <p>${quote.request.description}</p>
    ${quote.lineItems.length > 0 && breakdown(quote)}
    ${
      quote.paymentTerms &&
      html`<h2>Payment</h2>
        <p>${quote.paymentTerms}</p>`
    }
    ${(quote.status === 'sent' || quote.status === 'viewed') && buttons(quote, token)}
  `,
})

function buttons({ depositAmount }: Quote, token: string): Html {
  const path = `/quotes/${encodeURIComponent(token)}`
  return html`
    <h2>Your decision</h2>
    <form method="post" action="${path}/accept">
      <button>${depositAmount ? `Accept and pay the deposit of ${dollars(depositAmount)}` : 'Accept the quote'}</button>
      <button class="quiet" formaction="${path}/decline">Decline</button>
    </form>
  `
}

const breakdown = (quote: Quote): Html => html`
  <h2>Items</h2>
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

const STATUS_TEXTS: Record<Quote['status'], (quote: Quote) => string> = {
  draft: () => 'Not sent yet',
  sent: ({ validUntil }) => `Valid until ${day(validUntil)}`,
  viewed: ({ validUntil }) => `Valid until ${day(validUntil)}`,
  accepted: ({ acceptedAt }) => `You accepted this quote on ${day(acceptedAt)}`,
  declined: ({ declinedAt }) => `You declined this quote on ${day(declinedAt)}`,
  expired: ({ validUntil }) => `This quote expired on ${day(validUntil)}`,
  superseded: () => 'The pro sent you a newer quote',
}

function deposit({ depositPercentage, depositAmount, payment }: Quote): string {
  if (depositPercentage === null || depositAmount === null) return 'A deposit is required'
  return payment
    ? `Deposit: ${paymentText(payment)}`
    : `Deposit: ${dollars(depositAmount)} (${depositPercentage} %), paid when you accept`
}

const dollars = (amount: number): string => money(amount, 'USD', 4)
const day = (instant: string | null): string => (instant === null ? '' : longDay(instant))
