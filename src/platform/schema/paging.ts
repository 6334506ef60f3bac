// Paging, the same for every list: query parameters, and totals in the response.
import { type Static, Type } from '@sinclair/typebox'
import { Integer, Natural } from './numbers.ts'

/** `limit` and `offset` of a list's query. */
export const pageParameters = {
  limit: Type.Optional(Integer({ minimum: 1, maximum: 50, default: 20 })),
  offset: Type.Optional(Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
}

export const PageQuery = Type.Object(pageParameters)
export type PageQuery = Static<typeof PageQuery>

export const PageMeta = Type.Object(
  {
    total: Natural({ description: 'Number of all matches; always exact' }),
    limit: Natural(),
    offset: Natural(),
    hasMore: Type.Boolean(),
  },
  { $id: 'PageMeta' },
)
export type PageMeta = Static<typeof PageMeta>

/** The requested page, with defaults. */
export const pageOf = ({ limit = 20, offset = 0 }: PageQuery): { limit: number; offset: number } => ({ limit, offset })

export const pageMeta = (total: number, query: PageQuery): PageMeta => {
  const { limit, offset } = pageOf(query)
  return { total, limit, offset, hasMore: offset + limit < total }
}
