// Finds names that resemble a misspelled one, by the share of three-letter groups that both have.

interface Similar {
  /** The position in the list of names. */
  index: number
  /** 0 to 1: Dice's coefficient of both sets of groups. */
  similarity: number
}

/** An index of names, built once; 16,000 names take 3 MB. */
export class TrigramIndex {
  readonly #sizes: Uint8Array
  readonly #positions = new Map<string, number[]>()

  constructor(names: readonly string[]) {
    this.#sizes = new Uint8Array(names.length)
    for (const [index, name] of names.entries()) {
      const groups = groupsOf(name)
      this.#sizes[index] = groups.size
      for (const group of groups) {
        const positions = this.#positions.get(group)
        if (positions) positions.push(index)
        else this.#positions.set(group, [index])
      }
    }
  }

  /** The names at least `minimum` similar to the text, in no order. */
  similarTo(text: string, minimum: number): Similar[] {
    const groups = groupsOf(text)
    const shared = new Uint8Array(this.#sizes.length)
    const touched: number[] = []
    for (const group of groups)
      for (const index of this.#positions.get(group) ?? []) {
        const count = shared[index] ?? 0
        if (count === 0) touched.push(index)
        shared[index] = count + 1
      }
    return touched.flatMap((index) => {
      const similarity = (2 * (shared[index] ?? 0)) / (groups.size + (this.#sizes[index] ?? 0))
      return similarity >= minimum ? [{ index, similarity }] : []
    })
  }
}

/** At most this many characters of a name count, so that a count of groups fits a byte. */
const MAX_LENGTH = 100

/** The groups of a name: a word's first letters count more, through the spaces before it. */
function groupsOf(text: string): Set<string> {
  const padded = `  ${text.slice(0, MAX_LENGTH)} `
  const groups = new Set<string>()
  for (let at = 0; at + 3 <= padded.length; at++) groups.add(padded.slice(at, at + 3))
  return groups
}

/** Below this similarity, two field names only share letters by chance. */
const MIN_SIMILARITY = 0.34

/** The name most like `text`; capitals, underscores and hyphens only separate words. Undefined when no name is like it. */
export function nearestName(text: string, names: readonly string[]): string | undefined {
  const index = new TrigramIndex(names.map(spaced))
  const [best] = index.similarTo(spaced(text), MIN_SIMILARITY).toSorted((a, b) => b.similarity - a.similarity)
  return best && names[best.index]
}

/** "guestEmail" and "guest_email" are "guest email". */
const spaced = (name: string) =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[^\p{L}\d]+/gu, ' ')
    .trim()
    .toLowerCase()
