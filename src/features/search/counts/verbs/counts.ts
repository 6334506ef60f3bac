// How often people search for pros, and for what in vain: counted in memory, written every few seconds, listed for operators.
import { type Ctx, ctxOf } from '../../../../ctx.ts'
import { type Deps, oncePerDeps } from '../../../../deps.ts'
import { addDays, localDate } from '../../../../platform/clock/dates.ts'
import { MISS_DAYS, MAX_ROWS_PER_DAY, type Miss, type MissKind, OTHER, SHOWN_FROM_DAYS } from '../rules/missed-words.ts'
import { addSearches, listMisses as selectMisses } from '../queries.sql.ts'

const WRITE_EVERY_MS = 5000
/** How many different misses a process holds until it writes them. Others are counted together. */
const MAX_WAITING = 500
const MAX_LISTED = 50

/** How a search came: from a page, a program, or an agent of a customer. */
export type SearchWay = 'pages' | 'api' | 'agents'

export interface SearchCounts {
  /** Counts a search; `miss` says what it asked for, where it found no pro. */
  record(search: { way: SearchWay; miss: Miss | undefined }): void
  /** Writes the counts to the database. */
  flush(): Promise<void>
}

interface DayCounts {
  readonly day: string
  readonly way: SearchWay
  searches: number
  misses: number
}

type MissCounts = Miss & { readonly day: string; times: number }

/** One per process. A killed process loses the last few seconds; while the database is unavailable the counts are kept. */
export const searchCountsOf = oncePerDeps((deps): SearchCounts => {
  let days = new Map<string, DayCounts>()
  let misses = new Map<string, MissCounts>()
  let isScheduled = false
  const scheduleFlush = () => {
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => void flush(), WRITE_EVERY_MS).unref()
  }
  const addDay = ({ day, way, ...more }: DayCounts) => {
    const key = `${day} ${way}`
    const counts = days.get(key)
    days.set(key, {
      day,
      way,
      searches: (counts?.searches ?? 0) + more.searches,
      misses: (counts?.misses ?? 0) + more.misses,
    })
  }
  const addMiss = ({ day, times, ...miss }: MissCounts) => {
    const key = keyOf(day, miss)
    const held = misses.get(key)
    if (held) misses.set(key, { ...held, times: held.times + times })
    else if (misses.size < MAX_WAITING) misses.set(key, { ...miss, day, times })
    else {
      const other = keyOf(day, OTHER)
      misses.set(other, { ...OTHER, day, times: (misses.get(other)?.times ?? 0) + times })
    }
  }
  const flush = async () => {
    isScheduled = false
    const batch = { days: [...days.values()], misses: [...misses.values()] }
    if (batch.days.length === 0) return
    days = new Map()
    misses = new Map()
    await write(deps, batch).catch((error: unknown) => {
      deps.log.debug({ err: error }, 'failed to write the counts of searches; will retry')
      for (const counts of batch.days) addDay(counts)
      for (const miss of batch.misses) addMiss(miss)
      scheduleFlush()
    })
  }
  return {
    flush,
    record: ({ way, miss }) => {
      const day = localDate(deps.clock.now(), 'UTC')
      addDay({ day, way, searches: 1, misses: miss ? 1 : 0 })
      if (miss) addMiss({ ...miss, day, times: 1 })
      scheduleFlush()
    },
  }
})

const keyOf = (day: string, { kind, phrase, place }: Miss): string => [day, kind, phrase, place].join('\n')

const write = (deps: Deps, { days, misses }: { days: readonly DayCounts[]; misses: readonly MissCounts[] }) =>
  addSearches(ctxOf(deps), {
    days: days.map(({ day }) => day),
    ways: days.map(({ way }) => way),
    searches: days.map((it) => it.searches),
    misses: days.map((it) => it.misses),
    missedDays: misses.map(({ day }) => day),
    kinds: misses.map(({ kind }) => kind),
    phrases: misses.map(({ phrase }) => phrase),
    places: misses.map(({ place }) => place),
    times: misses.map(({ times }) => times),
    room: MAX_ROWS_PER_DAY,
  })

/** What was searched for in vain, how often, and on which day last. */
export interface ListedMiss {
  readonly kind: Exclude<MissKind, 'other'>
  readonly phrase: string
  readonly place: string
  readonly times: number
  readonly last: string
}

/** What was searched for in vain since a day, of which the last 90 are kept; most often first, at most 50. */
export async function listMisses(ctx: Ctx, { first }: { first: string }): Promise<readonly ListedMiss[]> {
  const last = localDate(ctx.clock.now(), 'UTC')
  const kept = addDays(last, 1 - MISS_DAYS)
  const rows = await selectMisses(ctx, {
    first: first < kept ? kept : first,
    last,
    shownFrom: SHOWN_FROM_DAYS,
    limit: MAX_LISTED,
  })
  // The statement leaves out the kind "other".
  return rows.map((row) => ({ ...row, kind: row.kind as ListedMiss['kind'] }))
}
