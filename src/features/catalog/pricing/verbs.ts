// Price statistics of services: median and mean over listings, accepted quotes and completed projects.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { minuteOfDay } from '../../../platform/clock/dates.ts'
import { type CatalogNames, getCatalogNames } from '../services/verbs/names.ts'
import type { PricingQuery, PricingResult } from './schemas.ts'
import {
  type PricingPass,
  type PricingRow,
  recomputePrices,
  measurePricingLag,
  refreshChangedPrices,
} from './queries.ts'
import { findLastPricingPass, findPricing } from './queries.sql.ts'

const ATTRIBUTION = 'This marketplace: professional listings, accepted quotes and completed projects'

/**
 * Statistics of a service for exactly the requested place: the city, else the state, else everywhere. `location` names
 * the place. `pricing` is null with fewer than three prices or for an unknown place; rules/price-eligibility.ts says
 * which prices count. Throws service_not_found.
 */
export async function getPricing(ctx: Ctx, query: PricingQuery): Promise<PricingResult> {
  const names = await getCatalogNames(ctx)
  const service = getService(names, query.service)
  const state = query.state === undefined ? undefined : names.state(query.state)
  // A city name that several states share means the most populous city, as in search.
  const city = query.city === undefined ? undefined : names.cities(query.city, state)[0]
  const unknownPlace = (query.state !== undefined && !state) || (query.city !== undefined && !city)
  const row = unknownPlace
    ? undefined
    : await findPricing(ctx, {
        serviceId: service.id,
        state: city?.state ?? state?.code ?? '',
        cityId: city?.id ?? 0,
      })
  return {
    service: {
      id: service.id,
      name: service.name,
      slug: service.slug,
      category: names.categories.find(({ id }) => id === service.categoryId)?.name ?? '',
    },
    location:
      query.city === undefined && query.state === undefined
        ? null
        : { city: city?.name ?? query.city ?? null, state: city?.state ?? state?.code ?? query.state ?? null },
    pricing: row ? statistics(row, { unit: service.unit, currency: names.region.currency }) : null,
    attribution: ATTRIBUTION,
  }
}

const MAX_SUGGESTIONS = 5

/** Prices are of one service: a text that means a whole category is answered with its services. */
function getService(names: CatalogNames, text: string): CatalogNames['services'][number] {
  const { service, category } = names.offering(text) ?? {}
  if (service) return service
  const some = names.services.filter(({ categoryId }) => categoryId === category?.id).map(({ name }) => name)
  if (category)
    throw new AppError('service_not_found', `“${category.name}” has several services. Name one: ${some.join(', ')}.`)
  const suggestions = names.servicesLike(text, MAX_SUGGESTIONS).map(({ id, name, slug }) => ({ id, name, slug }))
  const nearest = suggestions.map(({ name }) => name).join(', ')
  throw new AppError(
    'service_not_found',
    `No service has this id, slug or name. ${nearest ? `Did you mean: ${nearest}?` : 'GET /api/v1/services lists them.'}`,
    { extensions: { suggestions } },
  )
}

/**
 * Applies all recorded price changes to the statistics and returns how many. Readers see the statistics either before or
 * after. Database triggers record every change of a price.
 */
export async function refreshPrices(ctx: Ctx): Promise<number> {
  for (let total = 0; ;) {
    const applied = await refreshChangedPrices(ctx, { now: ctx.clock.now(), limit: CHANGE_BATCH })
    total += applied
    if (applied < CHANGE_BATCH) return total
  }
}

/** Keeps one statement well within the statement timeout. */
const CHANGE_BATCH = 500

/**
 * Recomputes all statistics once a day, from PRICING_PASS_AT (UTC) on, in whichever process comes first. A missed pass
 * runs at the next call. Returns undefined when no pass is due or another process runs it.
 */
export async function runPricingPass(ctx: Ctx): Promise<PricingPass | undefined> {
  const now = ctx.clock.now()
  const day = latestDueDay(now, ctx.config.pricingPassAt)
  const last = await findLastPricingPass(ctx)
  if (last && last.day >= day) return undefined
  const drift = await recomputePrices(ctx, { now, day })
  return drift === null ? undefined : { day, drift }
}

/** The latest UTC day on which the time of day `at` has passed. */
function latestDueDay(now: Date, at: string): string {
  return new Date(now.getTime() - minuteOfDay(at) * 60_000).toISOString().slice(0, 10)
}

/** The number of changes not yet applied and the age of the oldest. */
export const getPricingLag = (ctx: Ctx) => measurePricingLag(ctx, { now: ctx.clock.now() })

const wholeDollars = (cents: number) => Math.round(cents / 100)

const statistics = (row: PricingRow, { unit, currency }: { unit: string | null; currency: string }) => ({
  average: wholeDollars(row.averageCents),
  median: wholeDollars(row.medianCents),
  min: wholeDollars(row.minCents),
  max: wholeDollars(row.maxCents),
  currency,
  unit,
  sampleSize: row.professionalListings + row.acceptedQuotes + row.completedProjects,
  sources: {
    professionalListings: row.professionalListings,
    acceptedQuotes: row.acceptedQuotes,
    completedProjects: row.completedProjects,
  },
  lastUpdated: row.lastUpdated,
})
