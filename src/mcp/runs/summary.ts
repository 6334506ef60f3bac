// A tool's result in one line, for people.
import { firstCharacters } from '../../platform/text/plain.ts'

const MAX_LENGTH = 500
const MAX_MEMBER_LENGTH = 160
/** The members that describe an object best, in this order. */
const DESCRIPTIVE = ['summary', 'title', 'subject', 'name', 'businessName', 'date', 'status', 'kind'] as const

/** `leads: 3`, `proposal 01a1…: Drain cleaning costs $126`: list lengths and descriptive members. */
export function summarizeResult(result: object): string {
  const parts = Object.entries(result).flatMap(([name, value]) => partOf(name, value))
  return firstCharacters(parts.join(' · '), MAX_LENGTH) || 'Done.'
}

function partOf(name: string, value: unknown): string[] {
  if (name === 'meta' || value === null || value === undefined) return []
  if (Array.isArray(value)) return [`${name}: ${value.length}`]
  if (typeof value === 'object') return [`${[name, idOf(value)].filter(Boolean).join(' ')}: ${describe(value)}`]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [`${name}: ${oneLine(String(value))}`]
    : []
}

const idOf = (value: object): string => ('id' in value && typeof value.id === 'string' ? value.id : '')

function describe(value: object): string {
  const members = value as Record<string, unknown>
  const texts = DESCRIPTIVE.map((name) => members[name]).filter((member) => typeof member === 'string')
  return oneLine(texts.slice(0, 2).join(', ')) || `${Object.keys(value).length} fields`
}

const oneLine = (text: string): string => firstCharacters(text.replaceAll(/\s+/g, ' ').trim(), MAX_MEMBER_LENGTH)
