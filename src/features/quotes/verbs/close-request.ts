// Ends a request whose customer is not there any more: its open quotes are declined, and it is archived.
import type { Deps } from '../../../deps.ts'
import { closePayment } from '../../../payments/verbs/refunds.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import type { RfqState } from '../../rfqs/states.ts'
import { archiveRequest } from '../../rfqs/verbs/respond.ts'
import { selectOpenQuotes } from '../queries/quotes.ts'
import { getQuoteForUpdate, moveQuote } from './transitions.ts'

/** Declines the open quotes of a request (quote.declined), with their unpaid deposits, and archives it. */
export async function closeRequest(deps: Deps, tx: Transaction, rfq: { id: string; status: RfqState }): Promise<void> {
  for (const { id, status, isExpired } of await selectOpenQuotes(tx, rfq.id, deps.clock.now())) {
    if (status === 'accepted' || isExpired) continue
    await moveQuote(deps, tx, await getQuoteForUpdate(deps, tx, id), 'decline', async () => {
      await closePayment(tx, deps, { quoteId: id }, { reason: 'cancelled' })
    })
  }
  await archiveRequest(tx, rfq)
}
