// The order in which people see entries of the catalog: by position, those without one after them, by ordinal.

interface Placed {
  readonly id: string
  readonly ordinal: number
  readonly position: number | null
}

/** Below 0 where the first comes before the second. Two without a position have no difference of positions. */
const compare = (one: Placed, other: Placed): number =>
  one.position === other.position
    ? one.ordinal - other.ordinal
    : (one.position ?? Infinity) - (other.position ?? Infinity)

/** The entries with positions that keep them in the order of the list: those that they have, if these do. */
export function withPositions<Entry extends Placed>(list: readonly Entry[]): Entry[] {
  const isKept = list.every((entry, at) => {
    const before = list[at - 1]
    return before === undefined || compare(before, entry) < 0
  })
  return isKept ? [...list] : list.map((entry, at) => ({ ...entry, position: at + 1 }))
}

/** The list with the entry after another one; first, where `after` is null. */
export function placedAfter<Entry extends { readonly id: string }>(
  list: readonly Entry[],
  entry: Entry,
  after: string | null,
): Entry[] {
  const others = list.filter(({ id }) => id !== entry.id)
  const at = after === null ? 0 : others.findIndex(({ id }) => id === after) + 1
  return others.toSpliced(after !== null && at === 0 ? others.length : at, 0, entry)
}

/**
 * The ids of a list in the order in which a file names some of them: those take the places that they have among the others. Ids that
 * are new to the list follow the one before them in the file.
 */
export function reordered(list: readonly string[], named: readonly string[]): string[] {
  const known = named.filter((id) => list.includes(id))
  let next = 0
  const result = list.map((id) => (named.includes(id) ? (known[next++] ?? id) : id))
  for (const [at, id] of named.entries()) {
    if (result.includes(id)) continue
    const before = named[at - 1]
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, id)
  }
  return result
}
