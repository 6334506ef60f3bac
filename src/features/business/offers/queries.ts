// A pro's offers in the database. Every statement filters by the pro.
import type { Offer } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

/** The pro's offers in catalog order, or only the offer of `serviceId`. */
export async function selectOffers(
  ctx: Ctx,
  { professionalId, serviceId }: { professionalId: string; serviceId?: string },
): Promise<Offer[]> {
  const rows = await statements.selectOffers<{ offer: Offer }>(ctx, { professionalId, serviceId })
  return rows.map(({ offer }) => offer)
}

/** Locks the offer until the transaction ends. Returns whether the pro has it. */
export async function lockOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await statements.lockOffer(ctx, { professionalId, serviceId })
  return rows.length > 0
}

export interface OfferValues {
  description: string | null
  priceType: Offer['priceType']
  unit: string | null
  basePriceCents: number | null
  minPriceCents: number | null
  maxPriceCents: number | null
  durationMinutes: number
  instantBookEnabled: boolean
}

export async function updateOffer(
  ctx: TxCtx,
  { professionalId, serviceId, values }: { professionalId: string; serviceId: string; values: OfferValues },
): Promise<void> {
  await statements.updateOffer(ctx, {
    description: values.description,
    priceType: values.priceType,
    unit: values.unit,
    basePriceCents: values.basePriceCents,
    minPriceCents: values.minPriceCents,
    maxPriceCents: values.maxPriceCents,
    durationMinutes: values.durationMinutes,
    instantBookEnabled: values.instantBookEnabled,
    professionalId,
    serviceId,
  })
}

/** Adds the service to the pro's offers, priced and as long as in the catalog. Returns false for an unknown or offered one. */
export async function insertOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await statements.insertOffer(ctx, { professionalId, serviceId })
  return rows.length > 0
}

/** Removes the offer with its package. Returns whether the pro had it. */
export async function deleteOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await statements.deleteOffer(ctx, { professionalId, serviceId })
  return rows.length > 0
}
