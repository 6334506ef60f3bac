// Places for type-ahead.
import type { Ctx } from '../../../../ctx.ts'
import type { PlacesListing, PlacesQuery } from '../schemas.ts'
import { wordsOf } from '../words.ts'
import { getCatalogNames } from './names.ts'
import { toPlace } from './search-terms.ts'

/** Places whose name begins with the text, the most populous first. If no name does, the places that resemble it. */
export async function listPlaces(ctx: Ctx, { q, limit = 10 }: PlacesQuery): Promise<PlacesListing> {
  const { placeNames } = await getCatalogNames(ctx)
  const beginning = placeNames.beginning(q, limit)
  const places = beginning.length > 0 ? beginning : placeNames.resembling(wordsOf(q), limit).map(({ place }) => place)
  return { places: places.map(toPlace) }
}
