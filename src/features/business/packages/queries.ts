// Packages in the database.
import { isUuid } from '../../../platform/schema/types.ts'
import type { Package } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export interface PackageFilter {
  /** Whose test pros' packages; null for those of real pros. */
  testAccountId: string | null
  professionalId: string | null
  kind: string | null
  serviceId: string | null
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
  const row = await statements.selectPackages<{ packages: Package[] }>(ctx, {
    testAccountId: filter.testAccountId,
    professionalId: filter.professionalId,
    kind: filter.kind,
    serviceId: filter.serviceId,
    cityIds,
    state: filter.state,
    bedrooms: filter.bedrooms,
    maxPriceCents: filter.maxPriceCents,
    isBookable: filter.isBookable,
    limit: filter.limit,
    offset: filter.offset,
  })
  return row ?? { packages: [], total: 0 }
}

/** Active packages by id or sku, in any order. */
export async function selectPackagesByIdOrSku(
  ctx: Ctx,
  { names, testAccountId }: { names: readonly string[]; testAccountId: string | null },
): Promise<Package[]> {
  const ids = names.filter(isUuid)
  const rows = await statements.selectPackagesByIdOrSku<{ package: Package }>(ctx, {
    testAccountId,
    ids,
    names: names.map((name) => name.toUpperCase()),
  })
  return rows.map((row) => row.package)
}

/** The number of active packages of active pros. */
export async function countPackages(ctx: Ctx): Promise<number> {
  const row = await statements.countPackages(ctx)
  return row?.count ?? 0
}

/** One page of the skus of active packages, ordered by id. */
export async function selectSkus(ctx: Ctx, { limit, offset }: { limit: number; offset: number }): Promise<string[]> {
  const rows = await statements.selectSkus(ctx, { limit, offset })
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
  await statements.upsertPackage(ctx, {
    id: created.id,
    professionalId: offer.professionalId,
    serviceId: offer.serviceId,
    sku: created.sku,
    kind: values.kind,
    name: values.name,
    description: values.description,
    priceCents: values.priceCents,
    includes: values.includes,
    cadence: values.cadence,
    durationMinutes: values.durationMinutes,
    bedrooms: values.bedrooms,
    bathrooms: values.bathrooms,
    now,
  })
}
