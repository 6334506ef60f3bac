// The ordinals of what operators add: facets of search, apart from those of the seed, which counts up from 1 and 101.

const FIRST_CATEGORY = 50
const LAST_CATEGORY = 99
const FIRST_SERVICE = 10_000

interface Numbered {
  readonly ordinal: number
}

/** Undefined once all 99 are taken. */
export function freeCategoryOrdinal(categories: readonly Numbered[]): number | undefined {
  const taken = new Set(categories.map(({ ordinal }) => ordinal))
  const numbers = Array.from({ length: LAST_CATEGORY }, (_, at) => at + 1)
  const free = numbers.filter((ordinal) => !taken.has(ordinal))
  return free.find((ordinal) => ordinal >= FIRST_CATEGORY) ?? free.at(-1)
}

/** Larger than every other one. */
export const freeServiceOrdinal = (services: readonly Numbered[]): number =>
  Math.max(FIRST_SERVICE, ...services.map(({ ordinal }) => ordinal + 1))
