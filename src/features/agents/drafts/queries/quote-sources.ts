// SQL of the sources of a draft quote: the service, past work, and the pro's usual terms.
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './quote-sources.sql.ts'

export async function findService(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ id: string; name: string; unit: string | null } | undefined> {
  return await statements.findPricedService(ctx, { id })
}

/** An accepted quote, with its completed job if there is one. */
export interface PastWork {
  amountCents: number
  quotedCents: number
  /** In the service's unit; null when unknown. */
  units: number | null
  /** The price per unit. */
  unitCents: number | null
  isCompleted: boolean
  /** Days from start to completion, at least 1. */
  days: number | null
}

/** The pro's latest 50 accepted quotes for a service. */
export async function selectPastWork(
  ctx: Ctx,
  { professionalId, serviceId, since }: { professionalId: string; serviceId: string; since: Date },
): Promise<PastWork[]> {
  return await statements.selectPastWork(ctx, { serviceId, professionalId, since })
}

export interface QuoteTerms {
  businessName: string
  state: string
  depositRequired: boolean
  depositPercentage: number | null
  /** From the last sent quote that had terms. */
  paymentTerms: string | null
}

/** The pro's usual deposit and payment terms. */
export async function findUsualTerms(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<QuoteTerms | undefined> {
  return await statements.findUsualTerms(ctx, { professionalId })
}
