// Distances as people of a region read them. Inside, and in the API, they are miles.
import { plural } from './format.ts'
import type { Region } from './region.ts'

/** "25 miles", "40 km". */
export const distanceText = ({ distance: { unit, perMile } }: Region, miles: number): string =>
  perMile === 1 ? plural(miles, unit) : `${Math.round(miles * perMile)} ${unit}`

/** "4.1 miles", "6.6 km", "less than 0.1 miles": of a place that was measured. */
export function measuredText({ distance: { unit, perMile } }: Region, miles: number): string {
  const distance = miles * perMile
  return `${distance < 0.1 ? 'less than 0.1' : distance.toFixed(1)} ${perMile === 1 ? `${unit}s` : unit}`
}

/** "4 miles", "4.1 miles", "6.6 km": as the API rounds it. */
export const exactText = ({ distance: { unit, perMile } }: Region, miles: number): string =>
  `${Number((miles * perMile).toFixed(1))} ${perMile === 1 ? `${unit}s` : unit}`

/** Of a field in which people type a distance in the unit of the region. */
export const typedDistance = {
  shown: ({ distance: { perMile } }: Region, miles: number): number => Math.round(miles * perMile),
  miles: ({ distance: { perMile } }: Region, typed: number): number => Math.max(1, Math.round(typed / perMile)),
}
