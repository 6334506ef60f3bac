// Where demo pros are: around real cities, in proportion to the people who live there.
import type { City } from './cities.ts'
import type { Random } from './random.ts'

const milesPerDegree = 69.09
const farthestMiles = 12

/**
 * Spreads `count` pros over the cities by systematic sampling over the summed population: a city gets its exact share,
 * rounded up or down, and small towns get their turn. Pros who follow each other are put in distant cities.
 */
export const distributeCities = (cities: readonly City[], count: number): ((index: number) => City) => {
  const upTo: number[] = []
  let total = 0
  for (const { population } of cities) upTo.push((total += population))
  const step = coprimeStep(count)
  return (index) => {
    const seat = (index * step) % count
    const city = cities[firstAbove(upTo, ((seat + 0.5) / count) * total)]
    if (!city) throw new RangeError('there are no cities to place pros in')
    return city
  }
}

/** A step near the golden section of `count` without a common divisor, so that it visits every seat once. */
const coprimeStep = (count: number): number => {
  let step = Math.max(1, Math.round(count * 0.618034))
  while (greatestCommonDivisor(step, count) !== 1) step++
  return step
}

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other)

const firstAbove = (sorted: readonly number[], value: number): number => {
  let low = 0
  let high = sorted.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? Infinity) > value) high = middle
    else low = middle + 1
  }
  return low
}

/** A point near the city's centre: most within a few miles, more in large cities, none beyond 12. */
export const pointAround = (random: Random, city: City): { latitude: number; longitude: number } => {
  const spreadMiles = Math.min(4.5, 0.5 + Math.cbrt(city.population / 1000) * 0.28)
  const outlying = random.chance(0.1) ? 2.5 : 1
  const reach = spreadMiles * outlying
  const [east, north] = [random.normal() * reach, random.normal() * reach]
  const shrink = Math.min(1, farthestMiles / Math.hypot(east, north)) * (0.97 + 0.03 * random.float())
  const latitude = city.latitude + (north * shrink) / milesPerDegree
  const longitude = city.longitude + (east * shrink) / (milesPerDegree * Math.cos((latitude * Math.PI) / 180))
  return { latitude: Number(latitude.toFixed(6)), longitude: Number(longitude.toFixed(6)) }
}
