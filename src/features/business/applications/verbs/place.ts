// What of an applicant's place becomes public.
import type { CatalogNames } from '../../../catalog/services/verbs/names.ts'
import { placeIn } from '../../../catalog/services/verbs/place-of-business.ts'
import type { PlaceStep } from '../schemas.ts'

/** What becomes the place of the pro: without the street, and where the applicant wants it the middle of the city. */
export function publicPlaceOf(
  names: CatalogNames,
  { place, isPlaceHidden }: { readonly [Name in keyof PlaceStep]: PlaceStep[Name] | null },
): string | undefined {
  const found = place === null ? undefined : placeIn(names, place)
  return found && isPlaceHidden === true ? `${found.city.name}, ${found.city.state}` : found?.text
}
