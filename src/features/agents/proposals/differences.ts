// Differences between two versions of edited content, and their summary.
import { canonicalJson } from '../../../idempotency/context.ts'
import type { Difference } from './schemas.ts'

/** Edited content: fields by their API names. */
export type Fields = Readonly<Record<string, unknown>>

const MAX_SUMMARY_LENGTH = 500
const MAX_VALUE_LENGTH = 60

/** Compares two values as JSON. */
export const isEqual = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null)

/** The fields that differ, in the editor's order. */
export const differencesBetween = (before: Fields, after: Fields): Difference[] =>
  Object.keys(before)
    .filter((field) => !isEqual(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))

/** The change in one line: `Price of Drain Cleaning: basePrice 120 → 135; unit "hour" → "visit"`. */
export function summarize(title: string, differences: readonly Difference[]): string {
  const parts = differences.map(({ field, before, after }) => `${field} ${display(before)} → ${display(after)}`)
  return truncate(`${title}: ${parts.join('; ')}`, MAX_SUMMARY_LENGTH)
}

function display(value: unknown): string {
  if (value === null) return 'none'
  if (!Array.isArray(value)) return truncate(JSON.stringify(value), MAX_VALUE_LENGTH)
  if (value.every((item) => typeof item === 'string')) return truncate(value.join(', ') || 'none', MAX_VALUE_LENGTH)
  return `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
}

/** Never splits a surrogate pair. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
