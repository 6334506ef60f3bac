// A place that a text can mean.
import type { CityRow, StateRow } from '../queries.ts'

/** A place to search in: a city, else around a point, else a state. */
export interface KnownPlace {
  type: 'city' | 'zip' | 'state' | 'region'
  name: string
  /** The state's code. */
  state: string
  zipCode: string | null
  /** The center; null for a state. */
  coordinates: { latitude: number; longitude: number } | null
  /** For a city of the catalog; other post offices have a center only. */
  city?: CityRow
  /** For a state. */
  wholeState?: StateRow
  /** For a region: how far it reaches from its center. */
  radiusMiles?: number
  /** For a region: its cities. */
  cities?: () => readonly CityRow[]
}

/** "Austin, TX", "Austin, TX 78701" or "Texas". */
export const displayNameOf = ({ type, name, state, zipCode }: KnownPlace): string =>
  type === 'state' ? name : `${name}, ${state}${zipCode === null ? '' : ` ${zipCode}`}`
