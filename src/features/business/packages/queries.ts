// Packages in the database.
import { isUuid } from '../../../platform/schema/types.ts'
import type { Package } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface PackageFilter {
  /** Whose test pros' packages; null for those of real pros. */
  testAccountId: string | null
  professionalId: string | null
  kind: string | null
  /** The cities of the requested place; null for any. */
  cityIds: readonly number[] | null
  state: string | null
  bedrooms: number | null
  maxPriceCents: number | null
  /** Only packages that can be booked at once. */
  isBookable: boolean
  limit: number
  offset: number
}

/** One page of active packages of active pros, cheapest first, and the total. */
export async function selectPackages(ctx: Ctx, filter: PackageFilter): Promise<{ packages: Package[]; total: number }> {
  const cityIds = filter.cityIds === null ? null : [...filter.cityIds]
  const [row] = await ctx.read.run<{ packages: Package[]; total: number }>(
    'selectPackages',
    (sql) => sql`
      with matching as (
        select k.id, k.price_cents from packages k
        join professionals p on p.id = k.professional_id and is_visible(p.active, p.test_account_id, ${filter.testAccountId}) join cities c on c.id = p.city_id
        where k.active
          and (${filter.professionalId}::uuid is null or k.professional_id = ${filter.professionalId})
          and (${filter.kind}::text is null or k.kind = ${filter.kind})
          and (${cityIds}::integer[] is null or p.city_id = any (${cityIds}))
          and (${filter.state}::text is null or c.state = ${filter.state})
          and (${filter.bedrooms}::integer is null or k.bedrooms is null or k.bedrooms = ${filter.bedrooms})
          and (${filter.maxPriceCents}::integer is null or k.price_cents <= ${filter.maxPriceCents})
          and (not ${filter.isBookable}::boolean or exists (
            select from professional_services o join services s on s.id = o.service_id and s.active
            where o.professional_id = p.id and o.service_id = k.service_id
              and booking_obstacle(p, o, k.duration_minutes, true) is null))
      ), page as (
        select id, price_cents from matching order by price_cents, id limit ${filter.limit} offset ${filter.offset}
      )
      select (select count(*) from matching)::integer as total,
        coalesce((
          select json_agg(package_object(k) order by page.price_cents, page.id)
          from page join packages k on k.id = page.id), '[]') as packages`,
  )
  return row ?? { packages: [], total: 0 }
}

/** Active packages by id or sku, in any order. */
export async function selectPackagesByIdOrSku(
  ctx: Ctx,
  { names, testAccountId }: { names: readonly string[]; testAccountId: string | null },
): Promise<Package[]> {
  const ids = names.filter(isUuid)
  const rows = await ctx.read.run<{ package: Package }>(
    'selectPackagesByIdOrSku',
    (sql) => sql`
      select package_object(k) as package
      from packages k join professionals p on p.id = k.professional_id and is_visible(p.active, p.test_account_id, ${testAccountId})
      where k.active and (k.id = any (${ids}::uuid[]) or k.sku = any (${names.map((name) => name.toUpperCase())}))`,
  )
  return rows.map((row) => row.package)
}

/** The number of active packages of active pros. */
export async function countPackages(ctx: Ctx): Promise<number> {
  const [row] = await ctx.read.run<{ count: number }>(
    'countPackages',
    (sql) => sql`
      select count(*)::integer as count from packages k join professionals p on p.id = k.professional_id and p.active
      where k.active`,
  )
  return row?.count ?? 0
}

/** One page of the skus of active packages, ordered by id. */
export async function selectSkus(ctx: Ctx, { limit, offset }: { limit: number; offset: number }): Promise<string[]> {
  const rows = await ctx.read.run<{ sku: string }>(
    'selectSkus',
    (sql) => sql`
      select k.sku from packages k join professionals p on p.id = k.professional_id and p.active
      where k.active order by k.id limit ${limit} offset ${offset}`,
  )
  return rows.map(({ sku }) => sku)
}

export interface PackageValues {
  kind: string
  name: string
  description: string | null
  priceCents: number
  includes: readonly string[]
  cadence: Package['cadence']
  durationMinutes: number
  bedrooms: number | null
  bathrooms: number | null
}

/** Inserts the offer's package or updates it. An existing package keeps its id and sku. */
export async function upsertPackage(
  ctx: TxCtx,
  {
    offer,
    created,
    values,
  }: {
    offer: { professionalId: string; serviceId: string }
    created: { id: string; sku: string; now: Date }
    values: PackageValues
  },
): Promise<void> {
  const now = created.now.toISOString()
  await ctx.tx.run(
    'upsertPackage',
    (sql) => sql`
      insert into packages (id, professional_id, service_id, sku, kind, name, description, price_cents, includes,
        cadence, duration_minutes, bedrooms, bathrooms, created_at, updated_at)
      values (${created.id}, ${offer.professionalId}, ${offer.serviceId}, ${created.sku}, ${values.kind}, ${values.name},
        ${values.description}, ${values.priceCents}, ${[...values.includes]}, ${values.cadence},
        ${values.durationMinutes}, ${values.bedrooms}, ${values.bathrooms}, ${now}, ${now})
      on conflict on constraint packages_offer_key do update set
        kind = excluded.kind, name = excluded.name, description = excluded.description,
        price_cents = excluded.price_cents, includes = excluded.includes, cadence = excluded.cadence,
        duration_minutes = excluded.duration_minutes, bedrooms = excluded.bedrooms, bathrooms = excluded.bathrooms,
        active = true, updated_at = excluded.updated_at`,
  )
}

/** Deactivates the offer's package. Its row keeps the sku for a later reactivation. */
export async function deactivatePackage(
  ctx: TxCtx,
  { professionalId, serviceId, now }: { professionalId: string; serviceId: string; now: Date },
): Promise<void> {
  await ctx.tx.run(
    'deactivatePackage',
    (sql) => sql`
      update packages set active = false, updated_at = ${now.toISOString()}
      where professional_id = ${professionalId} and service_id = ${serviceId} and active`,
  )
}
