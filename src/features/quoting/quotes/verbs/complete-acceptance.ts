// Completes the acceptance of a quote: its job begins, and the requests to other pros end.
import type { TxCtx } from '../../../../ctx.ts'
import { createJob } from '../../../booking/jobs/verbs/jobs.ts'
import { listAskedTogether, recordLoss } from '../../rfqs/verbs/respond.ts'
import type { Quote } from '../schemas.ts'
import { closeRequest } from './close-request.ts'
import { type LockedQuote, transitionQuote } from './transitions.ts'

/** Tells the other pros why their request was closed. */
const CHOSE_ANOTHER = 'The customer chose another pro.'

/**
 * Accepts a locked quote whose deposit, if any, is paid, creates its job, and closes the requests that the customer sent to other pros
 * at once, except those whose quote was accepted, too. Throws invalid_transition.
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
