// Pages as long as a model should read them.
import { Type } from '@sinclair/typebox'

const MAX_LIMIT = 20
const DEFAULT_LIMIT = 10

/** `limit` and `offset` of a tool's list: shorter pages than REST's. */
export const page = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
}

/** The query with a tool's own default for `limit`. */
export const paged = <T extends { limit?: number }>(query: T): T & { limit: number } => ({
  ...query,
  limit: query.limit ?? DEFAULT_LIMIT,
})

/** A hint at the next page, where there is one. */
export const nextPage = ({ offset, limit, hasMore }: { offset: number; limit: number; hasMore: boolean }) =>
  hasMore ? `More with offset ${offset + limit}.` : undefined
