// Views, accepts or declines a quote through the customer’s link, or cancels its work. The link authorizes its holder, but
// not a caller with a key or login of the quote’s own pro.
import { type Actor, refuseOwnBusiness } from '../../../../auth/accounts/verbs.ts'
import type { Ctx } from '../../../../ctx.ts'
import { transition } from '../../../../transition.ts'
import { customerBlocked } from '../../../customers/operator-customers/rules/blocked.ts'
import { cancelJobOf } from '../../../booking/jobs/verbs/end-job.ts'
import { presentPayment, startDepositPayment } from '../../../../payments/verbs/payments.ts'
import { closePayment, tryRefund } from '../../../../payments/verbs/refunds.ts'
import { findQuote } from '../queries/quotes.ts'
import type { Quote, QuoteAccepted, WorkCancelled } from '../schemas.ts'
import { QUOTE } from '../states.ts'
import { completeAcceptance } from './complete-acceptance.ts'
import { readQuoteToken } from './link-tokens.ts'
import { getStored } from './quotes.ts'
import { getQuoteForUpdate, transitionQuote, quoteNotFound } from './transitions.ts'

/**
 * The quote of a link. The first view of an open quote marks it viewed (quote.viewed), unless `isPreview`: a browser
 * prefetched the page. Throws quote_not_found.
 */
export async function viewQuote(
  ctx: Ctx,
  { token, isPreview = false }: { token: string; isPreview?: boolean | undefined },
): Promise<Quote> {
  const id = quoteIdOf(ctx, token)
  // From the primary: the customer may have answered a moment ago.
  const quote = await findQuote(ctx, { id, now: ctx.clock.now() })
  if (!quote) throw quoteNotFound()
  if (quote.status !== 'sent' || isPreview) return quote
  return await ctx.transaction('viewQuote', async (ctx) => {
    const locked = await getQuoteForUpdate(ctx, { id })
    // A concurrent request may have viewed or answered it.
    if (locked.status !== 'sent') return await getStored(ctx, { id, now: ctx.clock.now() })
    return await transitionQuote(ctx, { quote: locked, action: 'view' })
  })
}

/**
 * Accepts the quote of a link, which creates a job. A quote with a deposit stays open until `payment` is paid, which accepts
 * it; a repeated call returns the same payment. Throws quote_not_found, own_business, customer_blocked, unavailable when the payment provider
 * does not answer, and invalid_transition for a quote that was answered or superseded or has expired.
 */
export async function acceptQuote(ctx: Ctx<Actor>, { token }: { token: string }): Promise<QuoteAccepted> {
  const id = quoteIdOf(ctx, token)
  const { quote, paymentId } = await ctx.transaction('acceptQuote', async (ctx) => {
    const locked = await getQuoteForUpdate(ctx, { id })
    await refuseOwnBusiness(ctx, { professionalId: locked.professionalId })
    if (locked.isBlocked) throw customerBlocked()
    if (locked.depositCents === 0) return { quote: await completeAcceptance(ctx, locked) }
    const { status, professionalId, depositCents, validUntil, now } = locked
    transition(QUOTE, 'quote', status, 'accept')
    if (validUntil === null) throw new Error('A quote that can be accepted is valid until some time.')
    const due = { quoteId: id, professionalId, depositCents, expiresAt: new Date(validUntil) }
    return { paymentId: await startDepositPayment(ctx, due), quote: await getStored(ctx, { id, now }) }
  })
  return { quote, payment: paymentId === undefined ? null : await presentPayment(ctx, { paymentId }) }
}

/** Declines the quote of a link; an unpaid deposit cannot be paid any more. Throws like {@link acceptQuote}. */
export function declineQuote(ctx: Ctx<Actor>, { token, reason }: { token: string; reason?: string }): Promise<Quote> {
  const id = quoteIdOf(ctx, token)
  return ctx.transaction('declineQuote', async (ctx) => {
    const quote = { ...(await getQuoteForUpdate(ctx, { id })), declineReason: reason }
    await refuseOwnBusiness(ctx, { professionalId: quote.professionalId })
    return await transitionQuote(ctx, {
      quote,
      action: 'decline',
      sideEffect: async () => {
        await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId: id } })
      },
    })
  })
}

/**
 * Cancels the work of a link's accepted quote, before its time is chosen: the whole deposit is refunded. Throws quote_not_found,
 * own_business, and invalid_transition for a quote that is not accepted and work that has a time or has begun.
 */
export async function cancelWork(
  ctx: Ctx<Actor>,
  { token, reason }: { token: string; reason?: string },
): Promise<WorkCancelled> {
  const quoteId = quoteIdOf(ctx, token)
  const now = ctx.clock.now()
  const refundId = await ctx.transaction('cancelWork', async (ctx) => {
    const { professionalId } = await getQuoteForUpdate(ctx, { id: quoteId })
    await refuseOwnBusiness(ctx, { professionalId })
    await cancelJobOf(ctx, { quoteId, reason: reason ?? null, now })
    return await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId } })
  })
  await tryRefund(ctx, { refundId })
  const quote = await getStored(ctx, { id: quoteId, now })
  return { success: true, quote, refund: quote.payment?.refund ?? null }
}

function quoteIdOf(ctx: Ctx, token: string): string {
  const content = readQuoteToken(ctx, { token })
  if (content === undefined) throw quoteNotFound()
  return content.id
}
