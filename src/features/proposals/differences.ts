// What a change does to the fields of its editor, for people and for comparing.
import { canonicalJson } from '../../idempotency/context.ts'
import type { Difference } from './schemas.ts'

/** What an editor edits: its fields by the names of the API. */
export type Fields = Readonly<Record<string, unknown>>

const MAX_SUMMARY_LENGTH = 500
const MAX_VALUE_LENGTH = 60

/** Whether two values are the same as JSON. */
export const isSame = (a: unknown, b: unknown): boolean => canonicalJson(a ?? null) === canonicalJson(b ?? null)

/** The fields that differ, in the editor's order. */
export const differencesBetween = (before: Fields, after: Fields): Difference[] =>
  Object.keys(before)
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))

/** The change in a line: `Price of Drain Cleaning: basePrice 120 → 135; unit "hour" → "visit"`. */
export function summarize(title: string, differences: readonly Difference[]): string {
  const parts = differences.map(({ field, before, after }) => `${field} ${shown(before)} → ${shown(after)}`)
  return shortened(`${title}: ${parts.join('; ')}`, MAX_SUMMARY_LENGTH)
}

function shown(value: unknown): string {
  if (value === null) return 'none'
  if (!Array.isArray(value)) return shortened(JSON.stringify(value), MAX_VALUE_LENGTH)
  if (value.every((item) => typeof item === 'string')) return shortened(value.join(', ') || 'none', MAX_VALUE_LENGTH)
  return `${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
}

/** Cut between characters, not inside one. */
function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength - 1)
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
