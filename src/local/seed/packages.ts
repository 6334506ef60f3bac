// Packages of a demo pro: fixed-price offers of services that can be booked at once.
import { tradeOf } from '../../features/catalog/entries/starter-set.ts'
import { timeOrderedId } from './ids.ts'
import { type Offer, visitMinutes } from './offers.ts'
import type { Pro } from './pros.ts'
import { Random } from './random.ts'
import { plural } from '../../platform/text/format.ts'

export interface Package {
  id: string
  offer: Offer
  sku: string
  kind: string
  name: string
  priceCents: number
  includes: readonly string[]
  cadence: 'once' | 'weekly' | 'biweekly' | 'monthly' | 'yearly'
  durationMinutes: number
  bedrooms: number | null
  bathrooms: number | null
}

/** A separate stream, so that packages do not change other data. */
const stream = 5
/** Work that people order again and again. */
const recurring = new Set(['cleaning', 'landscaping', 'pools-spas'])
const extras = [
  'Labor and travel',
  'Small parts',
  'Cleaning up afterwards',
  'All supplies',
  'A report with photos',
  'Warranty of 90 days',
]

/** One to three packages of some pros with instant booking, with flat prices near the pro's own. */
export const makePackages = (seed: number, pro: Pro): Package[] => {
  const random = new Random(seed, stream, pro.index)
  if (!pro.instantBooking || !random.chance(0.3)) return []
  const offers = pro.offers.filter(({ instantBook, basePriceCents }) => instantBook && basePriceCents !== null)
  return random.sample(offers, random.integer(1, 3)).map((offer) => makePackage(random, pro, offer))
}

const makePackage = (random: Random, pro: Pro, offer: Offer): Package => {
  const { service } = offer
  const isCleaning = tradeOf(service).slug === 'cleaning'
  const bedrooms = isCleaning ? random.integer(1, 4) : null
  const id = timeOrderedId(pro.createdMs, random)
  const units = unitsOf(offer, bedrooms)
  return {
    id,
    offer,
    sku: `${service.slug.toUpperCase().slice(0, 40)}-${id.slice(-12).toUpperCase()}`,
    kind: random.pick(isCleaning ? ['standard', 'deep_clean'] : ['standard', 'maintenance']),
    name: bedrooms === null ? `${service.name}, all in` : `${service.name}, ${bedrooms}-bedroom home`,
    priceCents: fixedPriceCents(offer, units),
    includes: [unitsText(offer, units), ...random.sample(extras, random.integer(2, 4))],
    cadence: recurring.has(tradeOf(service).slug)
      ? random.pick(['once', 'weekly', 'biweekly', 'monthly'] as const)
      : random.pick(['once', 'once', 'yearly'] as const),
    durationMinutes: visitMinutes(offer),
    bedrooms,
    bathrooms: bedrooms === null ? null : Math.max(1, bedrooms - 1),
  }
}

/** How many units of the offer's price the work takes: the hours of the visit, the floor of the home, ten windows. */
function unitsOf({ service, ...offer }: Offer, bedrooms: number | null): number {
  if (service.priceType === 'flat') return 1
  if (service.priceType === 'hourly') return visitMinutes({ service, ...offer }) / 60
  return UNITS[service.unit ?? ''] ?? (bedrooms ?? 2) * 600
}

/** A small job of each kind; of other units, such as square feet, as many as a home has. */
const UNITS: Readonly<Record<string, number>> = {
  camera: 3,
  door: 2,
  fixture: 2,
  'linear foot': 100,
  lock: 3,
  outlet: 4,
  room: 2,
  screen: 6,
  stump: 1,
  tree: 1,
  vent: 8,
  window: 10,
}

/** "One visit", "Up to 10 windows". */
const unitsText = ({ service: { priceType, unit } }: Offer, units: number): string =>
  priceType === 'per_unit'
    ? `Up to ${plural(units, unit ?? '', unit?.replace(/foot$/, 'feet').replace(/(?<!feet)$/, 's'))}`
    : 'One visit'

/** The price of the work in full dollars. */
const fixedPriceCents = (offer: Offer, units: number): number =>
  Math.max(1, Math.round(((offer.basePriceCents ?? 0) * units) / 100)) * 100
