// Entries of days on a grid of hours. A row is a quarter of an hour; its number is a class, because the content policy
// allows no style attributes. Rows grow with their content on all days alike, so no text is cut off.

const QUARTER_MINUTES = 15
const HOUR_QUARTERS = 4
const DAY_HOURS = 24
/** More entries at once stand below each other: a third of a column is too narrow to read. */
const MAX_LANES = 2

/** From and to as minutes of the day, 1440 at most. */
export interface Timed<T> {
  from: number
  to: number
  item: T
}

/** Items in one place of a day's column. */
export interface Placed<T> {
  /** The classes of the place. */
  place: string
  items: T[]
}

/** The first hour shown, and how many. */
export interface ShownHours {
  first: number
  count: number
}

/** Whole hours around all times, and a working day where there are none. */
export function hoursAround(times: readonly { from: number; to: number }[]): ShownHours {
  if (times.length === 0) return { first: 8, count: 10 }
  const first = Math.floor(Math.min(...times.map(({ from }) => from)) / 60)
  const last = Math.ceil(Math.max(...times.map(({ to }) => to)) / 60)
  return { first, count: Math.max(last - first, 1) }
}

/** The classes of the rows between two minutes, as far as they are shown: at least one row. */
export function rowsOf({ from, to }: { from: number; to: number }, { first, count }: ShownHours): string {
  const last = count * HOUR_QUARTERS
  const quarter = (minute: number) => (minute - first * 60) / QUARTER_MINUTES
  const start = Math.min(Math.max(Math.floor(quarter(from)), 0), last - 1)
  const end = Math.min(Math.max(Math.ceil(quarter(to)), start + 1), last)
  return `from-${start} to-${end}`
}

/** Places the entries of a day: two at once stand side by side, more below each other. In order of their start. */
export function placeEntries<T>(entries: readonly Timed<T>[], shown: ShownHours): Placed<T>[] {
  return clustersOf(entries).flatMap((cluster) => {
    const lanes = lanesOf(cluster)
    const laneCount = Math.max(...lanes) + 1
    if (laneCount > MAX_LANES) {
      const whole = { from: cluster[0]?.from ?? 0, to: Math.max(...cluster.map(({ to }) => to)) }
      return [{ place: rowsOf(whole, shown), items: cluster.map(({ item }) => item) }]
    }
    return cluster.map((entry, index) => ({
      place: `${rowsOf(entry, shown)}${laneCount === 1 ? '' : ` lane-${lanes[index] ?? 0}`}`,
      items: [entry.item],
    }))
  })
}

/** Entries in order of their start, grouped so that those of different groups do not overlap. */
function clustersOf<T>(entries: readonly Timed<T>[]): Timed<T>[][] {
  const clusters: Timed<T>[][] = []
  let end = -1
  for (const entry of entries.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (entry.from >= end) clusters.push([])
    clusters.at(-1)?.push(entry)
    end = Math.max(end, entry.to)
  }
  return clusters
}

/** The first lane that is free, for each entry. */
function lanesOf(cluster: readonly Timed<unknown>[]): number[] {
  const ends: number[] = []
  return cluster.map(({ from, to }) => {
    const free = ends.findIndex((end) => end <= from)
    const lane = free === -1 ? ends.length : free
    ends[lane] = to
    return lane
  })
}

/** The style sheet of the rows. The first row of a grid is its heads. */
export function hourGridSheet(): string {
  const quarters = Array.from({ length: DAY_HOURS * HOUR_QUARTERS + 1 }, (_, n) => n)
  const rules = [
    ...quarters.map((n) => `.from-${n}{grid-row-start:${n + 2}}.to-${n}{grid-row-end:${n + 2}}`),
    ...Array.from({ length: DAY_HOURS }, (_, n) => n + 1).map(
      (n) => `.hours-${n}{grid-template-rows:auto repeat(${n * HOUR_QUARTERS},minmax(0.95rem,auto))}`,
    ),
  ]
  // The lines of the hours take all columns, so the days are not placed by themselves.
  const days = Array.from({ length: 7 }, (_, n) => `.week li:nth-child(${n + 1}){grid-column:${n + 2}}`)
  return `@media (width >= 64rem){${[...rules, ...days].join('')}}`
}
