// A path names a pro by id or by slug.
import { isUuid } from './types.ts'

export interface IdOrSlug {
  id: string | null
  slug: string | null
}

/** The id or the slug in `text`; the other one is null. Slugs are lower case. */
export const idOrSlug = (text: string): IdOrSlug =>
  isUuid(text) ? { id: text, slug: null } : { id: null, slug: text.toLowerCase() }
