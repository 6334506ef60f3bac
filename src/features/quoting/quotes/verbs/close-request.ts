// Ends a request whose customer was erased, disowned it or chose another pro: its open quotes are declined, and it is archived.
import type { TxCtx } from '../../../../ctx.ts'
import { closePayment } from '../../../../payments/verbs/refunds.ts'
import type { RfqState } from '../../rfqs/states.ts'
import { archiveRequest, listAskedTogether, recordLoss } from '../../rfqs/verbs/respond.ts'
import { createJob } from '../../../booking/jobs/verbs/jobs.ts'
import type { Quote } from '../schemas.ts'
import { selectOpenQuotes } from '../queries/quotes.sql.ts'
import { type LockedQuote, getQuoteForUpdate, transitionQuote } from './transitions.ts'

/** Declines the open quotes of a request (quote.declined), with their unpaid deposits, and archives it. */
export async function closeRequest(
  ctx: TxCtx,
  { declineReason, ...rfq }: { id: string; status: RfqState; declineReason?: string },
): Promise<void> {
  for (const { id, status, isExpired } of await selectOpenQuotes(ctx, { rfqId: rfq.id, now: ctx.clock.now() })) {
    if (status === 'accepted' || isExpired) continue
    await transitionQuote(ctx, {
      quote: { ...(await getQuoteForUpdate(ctx, { id })), declineReason },
      action: 'decline',
      sideEffect: async () => {
        await closePayment(ctx, { reason: 'cancelled', purpose: { quoteId: id } })
      },
    })
  }
  await archiveRequest(ctx, rfq)
}

/** Tells a pro why a request was closed that the customer sent to several. */
const CHOSE_ANOTHER = 'The customer chose another pro.'

/**
 * Accepts a locked quote whose deposit, if any, is paid, creates its job, and closes what the customer asked other pros at once,
 * except where their quote was accepted, too. Throws invalid_transition.
 */
export const completeAcceptance = (ctx: TxCtx, quote: LockedQuote): Promise<Quote> =>
  transitionQuote(ctx, {
    quote,
    action: 'accept',
    sideEffect: async () => {
      await createJob(ctx, { ...quote, quoteId: quote.id })
      for (const other of await listAskedTogether(ctx, { id: quote.rfqId })) {
        if (other.status === 'archived' || other.isAccepted) continue
        await closeRequest(ctx, { ...other, declineReason: CHOSE_ANOTHER })
        await recordLoss(ctx, { id: other.id })
      }
    },
  })
