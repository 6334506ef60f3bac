// The offers of a demo pro, with prices.
import type { CatalogService, Trade } from '../../features/catalog/entries/starter-set.ts'
import type { City, State } from './cities.ts'
import type { Hours } from './hours.ts'
import { serviceNotes } from './phrases.ts'
import type { Random } from './random.ts'

export interface Offer {
  service: CatalogService
  /** Null when the pro shows only a range or no price. */
  basePriceCents: number | null
  minPriceCents: number | null
  maxPriceCents: number | null
  /** The price the pro charges, used for the amounts of quotes. */
  typicalCents: number
  durationMinutes: number | null
  description: string | null
  instantBook: boolean
}

/** Two to eight services of the pro's trades, five on average, with prices for the location. */
export const makeOffers = (random: Random, trades: readonly Trade[], city: City, state: State): Offer[] => {
  const services = trades.flatMap((trade) => trade.services)
  const count = random.weighted([
    [2, 8],
    [3, 14],
    [4, 20],
    [5, 21],
    [6, 17],
    [7, 12],
    [8, 8],
  ])
  // The first service of a trade is the general one, which most of its pros offer.
  const general = trades.flatMap((trade) => trade.services.slice(0, 1)).filter(() => random.chance(0.8))
  const others = services.filter((service) => !general.includes(service))
  const chosen = [...general, ...random.sample(others, count - general.length)]
  const cityFactor = Math.min(1.12, Math.max(0.9, 1 + 0.04 * Math.log10(city.population / 20_000)))
  const level = state.costIndex * cityFactor * Math.exp(random.normal() * 0.1)
  return chosen.map((service) => makeOffer(random, service, level))
}

const makeOffer = (random: Random, service: CatalogService, level: number): Offer => {
  const [low, high] = service.price
  const place = (random.float() + random.float()) / 2
  const typical = low * Math.pow(high / low, place) * level
  const shownPrices = random.weighted([
    ['price and range', 60],
    ['price', 22],
    ['range', 15],
    ['nothing', 3],
  ])
  const hasRange = shownPrices === 'price and range' || shownPrices === 'range'
  const typicalCents = roundedCents(typical)
  const durationMinutes = random.chance(0.1)
    ? null
    : Math.min(720, Math.max(15, service.durationMinutes + 15 * random.integer(-2, 2)))
  return {
    service,
    basePriceCents: shownPrices.startsWith('price') ? typicalCents : null,
    minPriceCents: hasRange ? Math.min(typicalCents, roundedCents(typical * random.between(0.7, 0.95))) : null,
    maxPriceCents: hasRange ? Math.max(typicalCents, roundedCents(typical * random.between(1.1, 1.8))) : null,
    typicalCents,
    durationMinutes,
    description: random.chance(0.25) ? random.pick(serviceNotes) : null,
    instantBook: random.chance(0.92),
  }
}

/** The duration of a visit: the pro's own, or the service's default. */
export const visitMinutes = ({ durationMinutes, service }: Offer): number => durationMinutes ?? service.durationMinutes

export const longestVisitMinutes = (offers: readonly Offer[]): number => Math.max(0, ...offers.map(visitMinutes))

/** The offers with visits limited to the longest interval of the hours. */
export const limitToHours = (offers: readonly Offer[], { longestMinutes }: Hours): Offer[] =>
  offers.map((offer) => (visitMinutes(offer) > longestMinutes ? { ...offer, durationMinutes: longestMinutes } : offer))

/** Rounds like published prices: to $5 from $100, to $1 from $20, to 5 cents from $2. */
const roundedCents = (dollars: number): number => {
  const step = dollars >= 100 ? 500 : dollars >= 20 ? 100 : dollars >= 2 ? 5 : 1
  return Math.max(1, Math.round((dollars * 100) / step)) * step
}
