// The locations of demo pros: around real cities, in proportion to their population.
import type { City } from './cities.ts'
import type { Random } from './random.ts'

const milesPerDegree = 69.09
const farthestMiles = 12

/**
 * Distributes `count` pros over the cities by systematic sampling of the cumulative population: each city gets its exact
 * share, rounded up or down, small towns included. Consecutive pros are in distant cities.
 */
export const distributeCities = (cities: readonly City[], count: number): ((index: number) => City) => {
  const cumulative: number[] = []
  let total = 0
  for (const { population } of cities) cumulative.push((total += population))
  const step = coprimeStep(count)
  return (index) => {
    const position = (index * step) % count
    const city = cities[firstAbove(cumulative, ((position + 0.5) / count) * total)]
    if (!city) throw new RangeError('the list of cities is empty')
    return city
  }
}

/** A step near the golden section of `count` and coprime to it, so that it visits every position once. */
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

/** A random point near the city's center: usually within a few miles, farther in large cities, at most 12 miles. */
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
