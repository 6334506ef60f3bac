// A path names a pro by id or by slug.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export interface IdOrSlug {
  id: string | null
  slug: string | null
}

/** The id or the slug in `text`; the other one is null. Slugs are lower case. */
export const idOrSlug = (text: string): IdOrSlug =>
  UUID.test(text) ? { id: text, slug: null } : { id: null, slug: text.toLowerCase() }
