// What a tool answered, in a line for people.

const MAX = 500
const MAX_MEMBER = 160
/** What says most of a thing, in this order. */
const TELLING = ['summary', 'title', 'subject', 'name', 'businessName', 'date', 'status', 'kind'] as const

/** `leads: 3`, `proposal 01a1…: Drain cleaning costs $126`: counts of lists, words of things, the rest left out. */
export function summaryOf(result: object): string {
  const parts = Object.entries(result).flatMap(([name, value]) => partOf(name, value))
  return parts.join(' · ').slice(0, MAX) || 'Done.'
}

function partOf(name: string, value: unknown): string[] {
  if (name === 'meta' || value === null || value === undefined) return []
  if (Array.isArray(value)) return [`${name}: ${value.length}`]
  if (typeof value === 'object') return [`${[name, idOf(value)].filter(Boolean).join(' ')}: ${wordsOf(value)}`]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? [`${name}: ${oneLine(String(value))}`]
    : []
}

const idOf = (thing: object): string => ('id' in thing && typeof thing.id === 'string' ? thing.id : '')

function wordsOf(thing: object): string {
  const members = thing as Record<string, unknown>
  const words = TELLING.map((name) => members[name]).filter((word) => typeof word === 'string')
  return oneLine(words.slice(0, 2).join(', ')) || `${Object.keys(thing).length} fields`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MEMBER)
