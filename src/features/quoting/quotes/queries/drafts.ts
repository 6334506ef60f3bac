// SQL of draft quotes.
import type { LineItem } from '../schemas.ts'
import type { TxCtx } from '../../../../ctx.ts'

/** The content of a draft. */
export interface DraftValues {
  amountCents: number
  lineItems: readonly LineItem[]
  estimatedDays: number | null
  depositRequired: boolean
  depositPercentage: number | null
  paymentTerms: string | null
  message: string | null
  validForDays: number | null
}

interface NewDraft {
  id: string
  rfqId: string
  professionalId: string
  serviceId: string | null
  now: Date
}

export async function insertDraft(
  ctx: TxCtx,
  { draft, values }: { draft: NewDraft; values: DraftValues },
): Promise<void> {
  const items = JSON.stringify(values.lineItems)
  await ctx.tx.run(
    'insertDraft',
    (sql) => sql`
      with work as (select * from quoted_units(${draft.serviceId}, ${draft.professionalId}, ${items}::text::jsonb))
      insert into quotes (id, rfq_id, professional_id, status, amount_cents, units, units_cents, line_items,
        estimated_days, deposit_required, deposit_percentage, payment_terms, message, valid_for_days, created_at)
      values (${draft.id}, ${draft.rfqId}, ${draft.professionalId}, 'draft', ${values.amountCents},
        (select units from work), (select units_cents from work), ${items}::text::jsonb, ${values.estimatedDays},
        ${values.depositRequired}, ${values.depositPercentage}, ${values.paymentTerms},
        ${values.message}, ${values.validForDays}, ${draft.now.toISOString()})`,
  )
}

/** Saves a locked draft. */
export async function updateDraft(
  ctx: TxCtx,
  { draft, values }: { draft: { id: string; professionalId: string; serviceId: string | null }; values: DraftValues },
): Promise<void> {
  const items = JSON.stringify(values.lineItems)
  await ctx.tx.run(
    'updateDraft',
    (sql) => sql`
      update quotes set amount_cents = ${values.amountCents}, line_items = ${items}::text::jsonb,
        (units, units_cents) = (
          select units, units_cents
          from quoted_units(${draft.serviceId}, ${draft.professionalId}, ${items}::text::jsonb)),
        estimated_days = ${values.estimatedDays}, deposit_required = ${values.depositRequired},
        deposit_percentage = ${values.depositPercentage}, payment_terms = ${values.paymentTerms},
        message = ${values.message}, valid_for_days = ${values.validForDays}
      where id = ${draft.id} and status = 'draft'`,
  )
}

/** Turns a locked draft into a sent quote. */
export async function markSent(
  ctx: TxCtx,
  { id, validUntil, now }: { id: string; validUntil: Date; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'markSent',
    (sql) => sql`
      update quotes set status = 'sent', sent_at = ${now.toISOString()}, valid_until = ${validUntil.toISOString()},
        valid_for_days = null, event_sequence = 1
      where id = ${id}`,
  )
}

/** Deletes a locked draft. */
export async function deleteDraftRow(ctx: TxCtx, { id }: { id: string }): Promise<void> {
  await ctx.tx.run('deleteDraft', (sql) => sql`delete from quotes where id = ${id} and status = 'draft'`)
}

/** The id of the request of a pro's quote. */
export async function findRfqOfQuote(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ rfqId: string }>(
    'findRfqOfQuote',
    (sql) => sql`select rfq_id from quotes where id = ${id} and professional_id = ${professionalId}`,
  )
  return row?.rfqId
}

export async function countDrafts(ctx: TxCtx, { rfqId }: { rfqId: string }): Promise<number> {
  const [row] = await ctx.tx.run<{ drafts: number }>(
    'countDrafts',
    (sql) => sql`select count(*) as drafts from quotes where rfq_id = ${rfqId} and status = 'draft'`,
  )
  return row?.drafts ?? 0
}
