// SQL of disputes.
import type { ProviderDispute } from '../provider.ts'
import type { DisputeState } from '../states.ts'
import type { TxCtx } from '../../ctx.ts'

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

/** A payment's disputes, oldest first. */
export const selectDisputesOf = (ctx: TxCtx, { paymentId }: { paymentId: string }): Promise<Dispute[]> =>
  ctx.tx.run<Dispute>(
    'selectDisputesOf',
    (sql) => sql`
      select id, provider_dispute_id, amount_cents, state from payment_disputes
      where payment_id = ${paymentId} order by opened_at, id`,
  )

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
  await ctx.tx.run(
    'saveDispute',
    (sql) => sql`
      insert into payment_disputes as d (id, payment_id, professional_id, provider_dispute_id, amount_cents, reason, state,
        is_inquiry, opened_at, closed_at, reading)
      values (${row.id}, ${payment.id}, ${payment.professionalId}, ${providerId}, ${amountCents}, ${reason}, ${state},
        ${isInquiry}, ${openedAt}, ${closedAt}, ${row.reading})
      on conflict on constraint payment_disputes_provider_key do update
      set amount_cents = excluded.amount_cents, reason = excluded.reason, state = excluded.state,
        is_inquiry = excluded.is_inquiry, reading = excluded.reading,
        closed_at = case when d.state = excluded.state then d.closed_at else excluded.closed_at end
      where d.reading < excluded.reading`,
  )
}
