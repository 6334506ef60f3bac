// SQL of disputes.
import type { ProviderDispute } from '../provider.ts'
import type { DisputeState } from '../states.ts'
import type { TxCtx } from '../../ctx.ts'
import * as statements from './disputes.sql.ts'

/** The payment that a row is of. */
interface OfPayment {
  id: string
  professionalId: string
}

export interface Dispute {
  id: string
  providerDisputeId: string
  amountCents: number
  state: DisputeState
}

/** Saves what a reading of the provider says of a dispute, unless a later reading did. */
export async function saveDispute(
  ctx: TxCtx,
  {
    payment,
    dispute,
    ...row
  }: { payment: OfPayment; id: string; dispute: ProviderDispute; reading: number; now: Date },
): Promise<void> {
  const { id: providerId, amountCents, reason, state, isInquiry, openedAt } = dispute
  const closedAt = state === 'open' ? null : row.now.toISOString()
  await statements.saveDispute(ctx, {
    id: row.id,
    paymentId: payment.id,
    professionalId: payment.professionalId,
    providerId,
    amountCents,
    reason,
    state,
    isInquiry,
    openedAt,
    closedAt,
    reading: row.reading,
  })
}
