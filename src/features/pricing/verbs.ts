// What a service costs: median and mean over listings, accepted quotes and completed projects.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { namesOf } from '../catalog/verbs/names.ts'
import type { PricingQuery, PricingResult } from './schemas.ts'
import {
  type PricingRow,
  correctAllPrices,
  findLastPass,
  findPricing,
  measurePricingLag,
  refreshChangedPrices,
} from './queries.ts'

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
 * Brings the statistics in step with all changes noted so far and gives how many those were. Readers see what was before or
 * what is after. Database triggers note whatever changes a price.
 */
export async function refreshPrices({ write, clock }: Pick<Deps, 'write' | 'clock'>): Promise<number> {
  for (let changes = 0; ;) {
    const some = await refreshChangedPrices(write, clock.now(), CHANGES_AT_ONCE)
    changes += some
    if (some < CHANGES_AT_ONCE) return changes
  }
}

/** So many that one statement stays well within its limit, however much has changed. */
const CHANGES_AT_ONCE = 500

export interface Pass {
  day: string
  /** How many figures were wrong that no noted change explains. */
  drift: number
}

/**
 * Makes all statistics anew once a day, from PRICING_PASS_AT (UTC) on, by whichever process comes first; one that was
 * missed is made up for. Undefined when it is not due or someone else is at it.
 */
export async function correctPrices({ read, write, clock, config }: Deps): Promise<Pass | undefined> {
  const now = clock.now()
  const day = passDay(now, config.pricingPassAt)
  const last = await findLastPass(read)
  if (last && last.day >= day) return undefined
  const drift = await correctAllPrices(write, { now, day })
  return drift === null ? undefined : { day, drift }
}

/** The last day, in UTC, on which the time of day has come. */
function passDay(now: Date, at: string): string {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return new Date(now.getTime() - (hours * 60 + minutes) * 60_000).toISOString().slice(0, 10)
}

/** How many changes the statistics lack, and for how long. */
export const pricingLag = ({ read, clock }: Deps) => measurePricingLag(read, clock.now())

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
