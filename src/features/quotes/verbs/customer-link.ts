// What a customer does through the link to a quote: view, accept, decline, cancel the work. The link is the authorization; a key or
// login of the quote's own pro takes it away.
import { type Actor, refuseOwnBusiness } from '../../../auth/accounts/verbs.ts'
import type { Deps } from '../../../deps.ts'
import { transition } from '../../../errors/transition.ts'
import { cancelJobOf } from '../../jobs/verbs/end-job.ts'
import { presentPayment, startDepositPayment } from '../../../payments/verbs/payments.ts'
import { closePayment, tryRefund } from '../../../payments/verbs/refunds.ts'
import { findQuote } from '../queries/quotes.ts'
import type { Quote, QuoteAccepted, WorkCancelled } from '../schemas.ts'
import { QUOTE } from '../states.ts'
import { readQuoteToken } from './link-tokens.ts'
import { getStored } from './quotes.ts'
import { completeAcceptance, getQuoteForUpdate, moveQuote, quoteNotFound } from './transitions.ts'

/**
 * The quote of a link. The first view of an open quote marks it viewed (quote.viewed), unless `isPreview`: a browser
 * prefetched the page. Throws quote_not_found.
 */
export async function viewQuote(deps: Deps, token: string, { isPreview = false } = {}): Promise<Quote> {
  const id = quoteIdOf(deps, token)
  // From the primary: the customer may have answered a moment ago.
  const quote = await findQuote(deps.write, { id, now: deps.clock.now() })
  if (!quote) throw quoteNotFound()
  if (quote.status !== 'sent' || isPreview) return quote
  return await deps.write.begin('viewQuote', async (tx) => {
    const locked = await getQuoteForUpdate(deps, tx, id)
    // A concurrent request may have viewed or answered it.
    if (locked.status !== 'sent') return await getStored(tx, id, deps.clock.now())
    return await moveQuote(deps, tx, locked, 'view')
  })
}

/**
 * Accepts the quote of a link, which creates a job. A quote with a deposit stays open until `payment` is paid, which accepts
 * it; a repeated call returns the same payment. Throws quote_not_found, own_business, unavailable when the payment provider
 * does not answer, and invalid_transition for a quote that was answered or superseded or has expired.
 */
export async function acceptQuote(deps: Deps, actor: Actor, token: string): Promise<QuoteAccepted> {
  const id = quoteIdOf(deps, token)
  const { quote, paymentId } = await deps.write.begin('acceptQuote', async (tx) => {
    const locked = await getQuoteForUpdate(deps, tx, id)
    await refuseOwnBusiness(tx, actor, locked.professionalId)
    if (locked.depositCents === 0) return { quote: await completeAcceptance(deps, tx, locked) }
    const { status, professionalId, depositCents, validUntil, now } = locked
    transition(QUOTE, 'quote', status, 'accept')
    const due = { quoteId: id, professionalId, depositCents, expiresAt: new Date(validUntil) }
    return { paymentId: await startDepositPayment(tx, deps, due), quote: await getStored(tx, id, now) }
  })
  return { quote, payment: paymentId === undefined ? null : await presentPayment(deps, paymentId) }
}

/** Declines the quote of a link; an unpaid deposit cannot be paid any more. Throws like {@link acceptQuote}. */
export function declineQuote(deps: Deps, actor: Actor, token: string, reason?: string): Promise<Quote> {
  const id = quoteIdOf(deps, token)
  return deps.write.begin('declineQuote', async (tx) => {
    const quote = { ...(await getQuoteForUpdate(deps, tx, id)), declineReason: reason }
    await refuseOwnBusiness(tx, actor, quote.professionalId)
    return await moveQuote(deps, tx, quote, 'decline', async () => {
      await closePayment(tx, deps, { quoteId: id }, { reason: 'cancelled' })
    })
  })
}

/**
 * Cancels the work of a link's accepted quote, before its time is chosen: the whole deposit is refunded. Throws quote_not_found,
 * own_business, and invalid_transition for a quote that is not accepted and work that has a time or has begun.
 */
export async function cancelWork(deps: Deps, actor: Actor, token: string, reason?: string): Promise<WorkCancelled> {
  const quoteId = quoteIdOf(deps, token)
  const now = deps.clock.now()
  const refundId = await deps.write.begin('cancelWork', async (tx) => {
    const { professionalId } = await getQuoteForUpdate(deps, tx, quoteId)
    await refuseOwnBusiness(tx, actor, professionalId)
    await cancelJobOf(tx, { quoteId, reason: reason ?? null, now })
    return await closePayment(tx, deps, { quoteId }, { reason: 'cancelled' })
  })
  await tryRefund(deps, refundId)
  const quote = await getStored(deps.write, quoteId, now)
  return { success: true, quote, refund: quote.payment?.refund ?? null }
}

function quoteIdOf(deps: Deps, token: string): string {
  const content = readQuoteToken(deps, token)
  if (content === undefined) throw quoteNotFound()
  return content.id
}
