// Distances as people of a region read them. Inside, and in the API, they are miles.
import { plural } from './format.ts'
import type { Region } from './region.ts'

/** "25 miles", "40 km". */
export const distanceText = (region: Region, miles: number): string =>
  region.distance.perMile === 1
    ? plural(miles, region.distance.unit)
    : `${typedDistance.shown(region, miles)} ${region.distance.unit}`

/** "4.1 miles", "6.6 km", "less than 0.1 miles": of a place that was measured. */
export function measuredText({ distance: { unit, perMile } }: Region, miles: number): string {
  const distance = miles * perMile
  return `${distance < 0.1 ? 'less than 0.1' : distance.toFixed(1)} ${perMile === 1 ? `${unit}s` : unit}`
}

/** "4 miles", "4.1 miles", "6.6 km": as the API rounds it. */
export const exactText = ({ distance: { unit, perMile } }: Region, miles: number): string =>
  `${Number((miles * perMile).toFixed(1))} ${perMile === 1 ? `${unit}s` : unit}`

/**
 * Of a field in which people type a distance in the unit of the region, and which is kept in whole miles: what is shown is kept as the
 * same miles again, and of the distances kept so it is the roundest. A multiple of 5 km that was typed is shown again.
 */
export const typedDistance = {
  unit: ({ distance: { unit, perMile } }: Region): string => (perMile === 1 ? `${unit}s` : unit),
  shown: ({ distance: { perMile } }: Region, miles: number): number =>
    [10, 5]
      .map((step) => Math.round((miles * perMile) / step) * step)
      .find((round) => Math.round(round / perMile) === miles) ?? Math.round(miles * perMile),
  miles: ({ distance: { perMile } }: Region, typed: number): number => Math.max(1, Math.round(typed / perMile)),
}
