// SQL of draft quotes.
import type { LineItem } from '../schemas.ts'
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './drafts.sql.ts'

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
  freeCancellationHours: number
  now: Date
}

export async function insertDraft(
  ctx: TxCtx,
  { draft, values }: { draft: NewDraft; values: DraftValues },
): Promise<void> {
  const items = JSON.stringify(values.lineItems)
  await statements.insertDraft(ctx, { ...draft, ...values, items })
}

/** Saves a locked draft. */
export async function updateDraft(
  ctx: TxCtx,
  { draft, values }: { draft: { id: string; professionalId: string; serviceId: string | null }; values: DraftValues },
): Promise<void> {
  const items = JSON.stringify(values.lineItems)
  await statements.updateDraft(ctx, { ...draft, ...values, items })
}

/** The id of the request of a pro's quote. */
export async function findRfqOfQuote(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<string | undefined> {
  const row = await statements.findRfqOfQuote(ctx, { id, professionalId })
  return row?.rfqId
}

export async function countDrafts(ctx: TxCtx, { rfqId }: { rfqId: string }): Promise<number> {
  const row = await statements.countDrafts(ctx, { rfqId })
  return row?.drafts ?? 0
}
