// One demo pro: profile, location, offers, schedule and ratings.
import type { PlanId } from '../../features/business/plans/schemas.ts'
import { trades, type Trade } from '../../features/catalog/entries/starter-set.ts'
import { states, type City, type State } from './cities.ts'
import { hoursFitting, hourPatterns, type Hours } from './hours.ts'
import { timeOrderedId } from './ids.ts'
import { HALF_HOUR_ZONE } from './local-time.ts'
import { slugOf, type NameRegister } from './names.ts'
import { limitToHours, longestVisitMinutes, makeOffers, type Offer } from './offers.ts'
import { assurances, fill, introductions, joinWithAnd, nameInSentence } from './phrases.ts'
import { pointAround } from './locations.ts'
import { Random } from './random.ts'

export interface Pro {
  id: string
  accountId: string
  index: number
  createdMs: number
  name: string
  slug: string
  description: string | null
  city: City
  state: State
  trades: readonly Trade[]
  latitude: number
  longitude: number
  website: string | null
  phone: string | null
  verified: boolean
  checks: readonly [backgroundCheck: boolean, insurance: boolean, credentials: boolean]
  plan: PlanId
  serviceRadiusMiles: number
  yearsOfExperience: number | null
  acceptsEmergency: boolean
  /** The rating of each approved review. */
  ratings: readonly number[]
  instantBooking: boolean
  requiresApproval: boolean
  /** Null: the pro takes no deposit. */
  depositPercentage: number | null
  leadTimeHours: number
  bufferMinutes: number
  slotMinutes: number
  hours: Hours
  offers: readonly Offer[]
}

const stateByCode = new Map(states.map((state) => [state.code, state]))
const tradesByShare = trades.map((trade) => [trade, trade.share] as const)
const stream = 1
const planStream = 4
const depositStream = 6
/** This pro keeps the calendar of Lord Howe Island, whose clocks change by half an hour. */
const halfHourIndex = 11

/** The pro with this index, who joined at `createdMs`. */
export const makePro = (seed: number, index: number, createdMs: number, home: City, names: NameRegister): Pro => {
  const city = index === halfHourIndex ? { ...home, timeZone: HALF_HOUR_ZONE } : home
  const random = new Random(seed, stream, index)
  const state = stateByCode.get(city.state)
  if (!state) throw new RangeError(`no state ${city.state}`)
  const ownTrades = chooseTrades(random)
  const [trade] = ownTrades
  const id = timeOrderedId(createdMs, random)
  const accountId = timeOrderedId(createdMs, random)
  const { name, slug } = names.register(random, trade, city, state)
  const offers = makeOffers(random, ownTrades, city, state)
  const yearsOfExperience = random.chance(0.1) ? null : Math.min(45, 1 + Math.floor(-9 * Math.log(1 - random.float())))
  const serviceRadiusMiles = random.pick([10, 15, 15, 20, 20, 25, 25, 25, 30, 30, 40, 50])
  const verified = random.chance(0.7)
  const instantBooking = random.chance(0.6)
  return {
    id,
    accountId,
    index,
    createdMs,
    name,
    slug,
    city,
    state,
    trades: ownTrades,
    ...pointAround(random, city),
    description: describe(random, { name, city, offers, yearsOfExperience, serviceRadiusMiles }),
    website: random.chance(0.7) ? `https://www.${slugOf(name)}.example` : null,
    // 555-0100 to 555-0199 are reserved for fiction in every area code.
    phone: random.chance(0.95) ? `(${state.areaCode}) 555-01${String(random.integer(0, 99)).padStart(2, '0')}` : null,
    verified,
    checks: verified ? [true, true, true] : [random.chance(0.3), random.chance(0.4), false],
    plan: choosePlan(new Random(seed, planStream, index), verified),
    serviceRadiusMiles,
    yearsOfExperience,
    acceptsEmergency: random.chance(0.25),
    ratings: makeRatings(random),
    instantBooking,
    requiresApproval: instantBooking && random.chance(0.03),
    depositPercentage: instantBooking ? chooseDeposit(new Random(seed, depositStream, index)) : null,
    ...fitOffers(makeSchedule(random), offers),
  }
}

/** Makes every visit fit into one interval of the hours, so that it can be booked. */
const fitOffers = (schedule: Schedule, offers: readonly Offer[]): Schedule & Pick<Pro, 'offers'> => {
  const hours = hoursFitting(schedule.hours, longestVisitMinutes(offers))
  return { ...schedule, hours, offers: limitToHours(offers, hours) }
}

type Schedule = Pick<Pro, 'hours' | 'leadTimeHours' | 'bufferMinutes' | 'slotMinutes'>

/** Only verified pros have a plan, and nearly all of them do. */
const choosePlan = (random: Random, verified: boolean): PlanId =>
  verified
    ? random.weighted<PlanId>([
        ['verified', 75],
        ['business', 20],
        ['none', 5],
      ])
    : 'none'

/** One pro in twelve takes a deposit. */
const chooseDeposit = (random: Random): number | null =>
  random.chance(1 / 12) ? random.pick([10, 15, 20, 20, 25, 30]) : null

const chooseTrades = (random: Random): [Trade, ...Trade[]] => {
  const first = random.weighted(tradesByShare)
  if (random.chance(0.75)) return [first]
  const second = random.weighted(tradesByShare)
  return second === first ? [first] : [first, second]
}

const makeSchedule = (random: Random): Schedule => ({
  hours: random.weighted(hourPatterns),
  leadTimeHours: random.pick([1, 2, 4, 4, 8, 12, 24, 24, 24, 48, 72]),
  bufferMinutes: random.pick([0, 0, 15, 15, 30, 30, 30, 45, 60]),
  slotMinutes: random.pick([30, 45, 60, 60, 60, 90, 120]),
})

const highRatings = [
  [5, 78],
  [4, 15],
  [3, 4],
  [2, 1],
  [1, 2],
] as const
const mixedRatings = [
  [5, 48],
  [4, 27],
  [3, 12],
  [2, 6],
  [1, 7],
] as const

/** Most pros have a few reviews, some have dozens. Most ratings are five stars, as on real marketplaces. */
const makeRatings = (random: Random): number[] => {
  if (random.chance(0.25)) return []
  const count = Math.min(150, Math.floor(Math.exp(1.2 + 1.1 * random.normal())))
  const weights = random.chance(0.75) ? highRatings : mixedRatings
  return Array.from({ length: count }, () => random.weighted<number>(weights))
}

const describe = (
  random: Random,
  pro: Pick<Pro, 'name' | 'city' | 'offers' | 'yearsOfExperience' | 'serviceRadiusMiles'>,
): string | null => {
  const names = pro.offers.flatMap(({ service }) => nameInSentence(service.name) ?? [])
  const services = joinWithAnd(random.sample(names, 3))
  if (services === '' || random.chance(0.03)) return null
  const values = {
    name: pro.name,
    city: pro.city.name,
    state: pro.city.state,
    services,
    years: pro.yearsOfExperience ?? '',
    radius: pro.serviceRadiusMiles,
  }
  const first = fill(random.pick(introductions), values)
  const second = random.pick(assurances)
  // Avoids "In business for 1 years".
  if (random.chance(0.25) || ((pro.yearsOfExperience ?? 0) < 2 && second.includes('{years}'))) return first
  return `${first} ${fill(second, values)}`
}
