// Finds the word that a misspelled one means, among known words.
import SearchableMap from 'minisearch/SearchableMap'

/** Shorter words have too many neighbors. */
const MIN_LENGTH = 4
/** Words of this length may have two wrong letters. */
const LONG = 8

/** Known words, each with its importance: of equally near ones, the most important is meant. */
export class Spelling {
  readonly #words = new SearchableMap<number>()

  add(word: string, importance: number): void {
    if (word.length >= MIN_LENGTH && importance > (this.#words.get(word) ?? -Infinity))
      this.#words.set(word, importance)
  }

  /**
   * The known word that differs by one letter (missing, added, another, or two exchanged), or by two in a long word. Undefined
   * where all known words differ by more.
   */
  nearest(word: string): string | undefined {
    return this.near(word)[0]
  }

  /** The known words that {@link nearest} chooses from, the best first. */
  near(word: string): string[] {
    if (word.length < MIN_LENGTH) return []
    const found: { known: string; rank: number; importance: number }[] = []
    const add = (known: string, importance: number, steps: number) => {
      const ends = (known[0] === word[0] ? 0 : 0.5) + (known.at(-1) === word.at(-1) ? 0 : 0.25)
      found.push({ known, importance, rank: steps + ends })
    }
    for (const [known, [importance, distance]] of this.#words.fuzzyGet(word, word.length < LONG ? 1 : 2))
      // "math" is not "moth".
      if (word.length > MIN_LENGTH || known.length > MIN_LENGTH) add(known, importance, distance)
    for (const exchanged of exchangesOf(word)) {
      const importance = this.#words.get(exchanged)
      if (importance !== undefined) add(exchanged, importance, 1)
    }
    return found
      .toSorted((one, other) => one.rank - other.rank || other.importance - one.importance)
      .map(({ known }) => known)
  }
}

/** The word with two neighboring letters exchanged, "handymna", which counts as two other letters elsewhere. */
const exchangesOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 1 },
    (_, at) => `${word.slice(0, at)}${word[at + 1]}${word[at]}${word.slice(at + 2)}`,
  )
