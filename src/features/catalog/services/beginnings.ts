// Finds entries of a sorted list by their beginning.

/** The keys of a list's items in alphabetical order, to find those that begin with a text. */
export class Beginnings {
  readonly #keys: string[] = []
  readonly #items: number[] = []

  constructor(keys: readonly (readonly string[])[]) {
    const entries = keys.flatMap((some, item) => some.map((key) => ({ key, item })))
    entries.sort((one, other) => (one.key < other.key ? -1 : 1))
    for (const { key, item } of entries) {
      this.#keys.push(key)
      this.#items.push(item)
    }
  }

  /** The first items of the list that have a key with one of these beginnings. */
  starting(beginnings: readonly string[], limit: number): number[] {
    const found = new Set<number>()
    for (const beginning of new Set(beginnings))
      for (let at = firstFrom(this.#keys, beginning); this.#keys[at]?.startsWith(beginning); at++)
        found.add(this.#items[at] ?? 0)
    return [...found].sort((one, other) => one - other).slice(0, limit)
  }
}

/** The position of the first value of an ascending list that is not below `value`. */
export function firstFrom<T extends string | number>(list: ArrayLike<T>, value: T): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const found = list[middle]
    if (found !== undefined && found < value) low = middle + 1
    else high = middle
  }
  return low
}
