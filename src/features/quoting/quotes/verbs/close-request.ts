// Ends a request whose customer was erased, disowned it or chose another pro: its open quotes are declined, and it is archived.
import type { TxCtx } from '../../../../ctx.ts'
import { closePayment } from '../../../../payments/verbs/refunds.ts'
import type { RfqState } from '../../rfqs/states.ts'
import { archiveRequest } from '../../rfqs/verbs/respond.ts'
import { selectOpenQuotes } from '../queries/quotes.sql.ts'
import { getQuoteForUpdate, transitionQuote } from './transitions.ts'

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
