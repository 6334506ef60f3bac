// Places for type-ahead.
import type { Ctx } from '../../../../ctx.ts'
import type { PlacesListing, PlacesQuery } from '../schemas.ts'
import { wordsOf } from '../words.ts'
import { getCatalogNames } from './names.ts'
import type { KnownPlace } from './known-place.ts'
import { toPlace } from './search-terms.ts'

/** Places whose name begins with the text, the most populous first. If no name does, the places that resemble it. */
export async function listPlaces(ctx: Ctx, { q, limit = 10 }: PlacesQuery): Promise<PlacesListing> {
  const { placeNames } = await getCatalogNames(ctx)
  const beginning = placeNames.beginning(q, limit)
  const places = beginning.length > 0 ? beginning : placeNames.resembling(wordsOf(q), limit)
  return { places: places.map(toPlace) }
}

/** The parts of an address that say where it is. */
export interface PostalAddress {
  city?: string | null | undefined
  state?: string | null | undefined
  zipCode?: string | null | undefined
}

/** The address, with the city and state of its ZIP code where it has neither. */
export const withCity = <A extends PostalAddress>(address: A, located: KnownPlace | undefined): A =>
  located?.type === 'zip' && !address.city && !address.state
    ? { ...address, city: located.name, state: located.state }
    : address

/** The center of an address's ZIP code, or without a known one of its city; undefined where neither is known. */
export async function locateAddress(
  ctx: Ctx,
  { address: { city, state, zipCode } }: { address: PostalAddress },
): Promise<KnownPlace | undefined> {
  const names = await getCatalogNames(ctx)
  const zip = zipCode ? names.place(zipCode) : undefined
  if (zip?.type === 'zip') return zip
  const inState = state ? names.state(state) : undefined
  const place = city && inState ? names.place(city, inState) : undefined
  // The center of a region says nothing about an address in it.
  return place?.coordinates && place.type !== 'region' ? place : undefined
}
