// A pro's offers in the database. Every statement filters by the pro.
import type { FurtherService, Offer } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** The pro's offers in catalog order, or only the offer of `serviceId`. */
export async function selectOffers(
  ctx: Ctx,
  { professionalId, serviceId }: { professionalId: string; serviceId?: string },
): Promise<Offer[]> {
  const rows = await ctx.read.run<{ offer: Offer }>(
    'selectOffers',
    (sql) => sql`
      select json_build_object(
        'serviceId', s.id, 'name', s.name, 'slug', s.slug, 'description', o.description, 'priceType', o.price_type,
        'unit', o.unit, 'basePrice', dollars(o.base_price_cents), 'minPrice', dollars(o.min_price_cents),
        'maxPrice', dollars(o.max_price_cents), 'durationMinutes', coalesce(o.duration_minutes, s.duration_minutes),
        'instantBookEnabled', o.instant_book_enabled, 'package', package_object(k)) as offer
      from professional_services o join services s on s.id = o.service_id and s.active
      left join packages k on k.professional_id = o.professional_id and k.service_id = o.service_id and k.active
      where o.professional_id = ${professionalId} and (${serviceId ?? null}::uuid is null or s.id = ${serviceId ?? null})
      order by s.ordinal`,
  )
  return rows.map(({ offer }) => offer)
}

/** Locks the offer until the transaction ends. Returns whether the pro has it. */
export async function lockOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'lockOffer',
    (sql) => sql`
      select from professional_services
      where professional_id = ${professionalId} and service_id = ${serviceId} for update`,
  )
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
  await ctx.tx.run(
    'updateOffer',
    (sql) => sql`
      update professional_services set description = ${values.description}, price_type = ${values.priceType},
        unit = ${values.unit},
        base_price_cents = ${values.basePriceCents}, min_price_cents = ${values.minPriceCents},
        max_price_cents = ${values.maxPriceCents}, duration_minutes = ${values.durationMinutes},
        instant_book_enabled = ${values.instantBookEnabled}
      where professional_id = ${professionalId} and service_id = ${serviceId}`,
  )
}

/** The services of the catalog that the pro does not offer, in catalog order. */
export async function selectFurtherServices(
  ctx: Ctx,
  { professionalId }: { professionalId: string },
): Promise<FurtherService[]> {
  return await ctx.read.run<FurtherService>(
    'selectFurtherServices',
    (sql) => sql`
      select s.id, s.name, c.name as category from services s join categories c on c.id = s.category_id
      where s.active and not exists (
        select from professional_services o where o.professional_id = ${professionalId} and o.service_id = s.id)
      order by s.ordinal`,
  )
}

/** Adds the service to the pro's offers, priced and as long as in the catalog. Returns false for an unknown or offered one. */
export async function insertOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'insertOffer',
    (sql) => sql`
      insert into professional_services (professional_id, service_id, price_type, unit, duration_minutes)
      select ${professionalId}, id, price_type, unit, duration_minutes from services where id = ${serviceId} and active
      on conflict do nothing returning service_id`,
  )
  return rows.length > 0
}

/** Removes the offer with its package. Returns whether the pro had it. */
export async function deleteOffer(
  ctx: TxCtx,
  { professionalId, serviceId }: { professionalId: string; serviceId: string },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'deleteOffer',
    (sql) => sql`
      delete from professional_services
      where professional_id = ${professionalId} and service_id = ${serviceId} returning service_id`,
  )
  return rows.length > 0
}
