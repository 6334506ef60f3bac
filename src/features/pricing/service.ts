// What a service costs: median and mean over listings, accepted quotes and completed projects.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Runner } from '../../platform/db.ts'
import { namesOf } from '../catalog/names.ts'
import type { PricingQuery, PricingResult } from './model.ts'
import { type PricingRow, findPricing, insertPriceChange, refreshChangedPrices } from './queries.ts'

/** Fewer prices than this say nothing about a market, and too much about a pro. */
const MIN_SAMPLE = 3
const ATTRIBUTION = 'Hearth marketplace: professional listings, accepted quotes and completed projects'

/**
 * Statistics of a service for exactly the place that was named: the city, else the state, else everywhere. `location`
 * says which. `pricing` is null with fewer than three prices, or where there is no such place. Throws service_not_found.
 */
export async function getPricing(deps: Deps, query: PricingQuery): Promise<PricingResult> {
  const names = await namesOf(deps)()
  const service = names.service(query.service)
  if (!service)
    throw new AppError('service_not_found', 'No service has this id, slug or name. GET /api/v1/services lists them.')
  const state = query.state === undefined ? undefined : names.state(query.state)
  // A name that many states share means the most populous city of that name, as everywhere else.
  const city = query.city === undefined ? undefined : names.cities(query.city, state)[0]
  const unknownPlace = (query.state !== undefined && !state) || (query.city !== undefined && !city)
  const row = unknownPlace
    ? undefined
    : await findPricing(deps.read, {
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
    pricing: row && sampleSize(row) >= MIN_SAMPLE ? statistics(row, service.unit) : null,
    attribution: ATTRIBUTION,
  }
}

/**
 * Notes, in the transaction of the change, that a customer agreed to a price of a service or paid one. Of work on no
 * particular service there are no statistics.
 */
export async function notePriceChange(
  { clock }: Pick<Deps, 'clock'>,
  tx: Runner,
  { serviceId, professionalId }: { serviceId: string | null; professionalId: string },
): Promise<void> {
  if (serviceId !== null) await insertPriceChange(tx, { serviceId, professionalId, now: clock.now() })
}

/**
 * Brings the statistics in step with the changes noted so far. After the transaction that noted one, not in it: refreshes
 * take turns, and no customer's answer should wait in that line with rows locked. One that fails is made up for by the
 * next, because the notes stay.
 */
export async function refreshPrices({ write, clock, log }: Pick<Deps, 'write' | 'clock' | 'log'>): Promise<void> {
  try {
    await refreshChangedPrices(write, clock.now())
  } catch (error) {
    log.warn({ err: error }, 'the statistics of prices were not refreshed')
  }
}

const sampleSize = (row: PricingRow) => row.professionalListings + row.acceptedQuotes + row.completedProjects

const wholeDollars = (cents: number) => Math.round(cents / 100)

const statistics = (row: PricingRow, unit: string | null) => ({
  average: wholeDollars(row.averageCents),
  median: wholeDollars(row.medianCents),
  min: wholeDollars(row.minCents),
  max: wholeDollars(row.maxCents),
  currency: 'USD',
  unit,
  sampleSize: sampleSize(row),
  sources: {
    professionalListings: row.professionalListings,
    acceptedQuotes: row.acceptedQuotes,
    completedProjects: row.completedProjects,
  },
  lastUpdated: row.lastUpdated,
})
