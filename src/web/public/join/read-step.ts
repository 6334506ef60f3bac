// What the page of a step shows besides what was given: places, services, what others charge.
import type { Ctx } from '../../../ctx.ts'
import { placeIn } from '../../../features/catalog/services/verbs/place-of-business.ts'
import type { Step } from '../../../features/business/applications/rules/steps.ts'
import type { Application } from '../../../features/business/applications/schemas.ts'
import { getPricing } from '../../../features/catalog/pricing/verbs.ts'
import type { CityRow } from '../../../features/catalog/services/verbs/city-services.ts'
import { listStates } from '../../../features/catalog/services/verbs/districts.ts'
import { type CatalogNames, getCatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { isServed } from '../../../features/upkeep/marketplace/rules/area.ts'
import { getDefaults, getMarketplace } from '../../../features/upkeep/marketplace/verbs.ts'
import { type Region, regionOf } from '../../../platform/text/region.ts'
import type { ServiceRow } from './forms.ts'

/** What others charge for a service, near the applicant where enough is known there. */
export interface UsualPrice {
  readonly min: number
  readonly max: number
  readonly median: number
  /** "Columbus, OH"; null for all places. */
  readonly place: string | null
}

export interface StepData {
  readonly region: Region
  readonly city: CityRow | undefined
  /** Whether the applicant comes to no place of the area. */
  readonly isOutsideArea: boolean
  readonly radiusMiles: number
  readonly categories: CatalogNames['categories']
  readonly services: readonly ServiceRow[]
  /** By the id of the service. */
  readonly usual: ReadonlyMap<string, UsualPrice>
  readonly states: Awaited<ReturnType<typeof listStates>>
}

export async function readStep(
  ctx: Ctx,
  { step, application }: { step: Step; application: Application | undefined },
): Promise<StepData> {
  const [names, site, defaults] = await Promise.all([getCatalogNames(ctx), getMarketplace(ctx), getDefaults(ctx)])
  const place = application?.place ?? null
  const found = place === null ? undefined : placeIn(names, place)
  const chosen = application?.services ?? []
  const services =
    step === 'services'
      ? names.services
      : names.services.filter(({ id }) => chosen.some(({ serviceId }) => serviceId === id))
  return {
    region: regionOf(site),
    city: found?.city,
    isOutsideArea: found !== undefined && !isServed(site.area, found.point, application?.radiusMiles ?? 0),
    radiusMiles: application?.radiusMiles ?? defaults.radiusMiles,
    categories: names.categories,
    services,
    usual: step === 'prices' ? await usualPrices(ctx, { services, city: found?.city }) : new Map(),
    states: step === 'license' ? await listStates(ctx) : [],
  }
}

async function usualPrices(
  ctx: Ctx,
  { services, city }: { services: readonly ServiceRow[]; city: CityRow | undefined },
): Promise<Map<string, UsualPrice>> {
  const found = await Promise.all(services.map(async ({ id }) => [id, await usualPrice(ctx, { id, city })] as const))
  return new Map(found.flatMap(([id, price]) => (price ? [[id, price]] : [])))
}

async function usualPrice(
  ctx: Ctx,
  { id: service, city }: { id: string; city: CityRow | undefined },
): Promise<UsualPrice | undefined> {
  const local = city && (await getPricing(ctx, { service, city: city.name, state: city.state }))
  const { pricing } = local?.pricing ? local : await getPricing(ctx, { service })
  if (!pricing) return undefined
  return { ...pricing, place: city && local?.pricing ? `${city.name}, ${city.state}` : null }
}
