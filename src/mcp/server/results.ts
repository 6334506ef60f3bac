// Results that suit a model: short pages, short texts, selected fields.
import { type Static, type TObject, Type } from '@sinclair/typebox'

import { Integer } from '../../platform/schema/numbers.ts'

const MAX_LIMIT = 20
const DEFAULT_LIMIT = 10

/** `limit` and `offset` of a list tool. Its pages are shorter than those of REST. */
export const page = {
  limit: Type.Optional(Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
  offset: Type.Optional(Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 })),
}

export const withDefaultLimit = <T extends { limit?: number }>(query: T): T & { limit: number } => ({
  ...query,
  limit: query.limit ?? DEFAULT_LIMIT,
})

/** A hint at the next page, if there is one. */
export const nextPage = ({ offset, limit, hasMore }: { offset: number; limit: number; hasMore: boolean }) =>
  hasMore ? `More with offset ${offset + limit}.` : undefined

/** Shortens a text to at most `length` UTF-16 units with an ellipsis, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 2)) ? length - 2 : length - 1
  return `${text.slice(0, end).trimEnd()}…`
}

/** A copy without what is null or undefined. */
export const known = <T extends object>(value: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null && member !== undefined)) as {
    [Name in keyof T]?: NonNullable<T[Name]>
  }

/** The fields of `schema` from an object that may have more. */
export const pick = <S extends TObject>(schema: S, value: Static<S>): Static<S> =>
  Object.fromEntries(Object.keys(schema.properties).map((name) => [name, (value as Record<string, unknown>)[name]]))
