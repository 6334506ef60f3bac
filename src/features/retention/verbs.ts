// Deletion of rows past their age, by the inventory of tables.
import type { Deps } from '../../deps.ts'
import { deleteAged, maintainMonths, measureOverdue } from './queries.ts'
import { type Aging, RETENTION } from './tables.ts'

type RetentionDeps = Pick<Deps, 'write' | 'clock' | 'config'>

const DAY_MS = 86_400_000
const BATCH = 1000

const isAging = (entry: [string, object]): entry is [string, Aging] => 'since' in entry[1]

/** The tables whose rows are deleted by age. */
export const AGING_TABLES: ReadonlyMap<string, Aging> = new Map(Object.entries(RETENTION).filter(isAging))

/** The table’s rule, when its age `passed`, and the instant before which rows are deleted. Throws for a table without an age. */
function agedRowsOf({ clock, config }: Pick<Deps, 'clock' | 'config'>, table: string) {
  const rule = AGING_TABLES.get(table)
  if (!rule) throw new RangeError(`The rows of ${table} are not deleted by age.`)
  const days = typeof rule.days === 'number' ? rule.days : config.historyDays[rule.days]
  const passed = new Date(clock.now().getTime() - days * DAY_MS)
  return { table, rule, passed, before: rule.byMonth ? startOfMonth(passed) : passed }
}

const startOfMonth = (instant: Date): Date => new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth()))

/**
 * Deletes one batch of the table's rows past their age, oldest first, with the rows that go with them. Returns how many it
 * deleted, and whether there may be more. Of a table with partitions by month it drops the months past their age, creates
 * the coming ones, and deletes from the partition of the other rows. Each batch is one statement: a process that dies leaves it done or undone.
 */
export async function deleteOldRows(
  deps: RetentionDeps,
  table: string,
  limit?: number,
): Promise<{ deleted: number; hasMore: boolean }> {
  const aged = agedRowsOf(deps, table)
  const batch = limit ?? aged.rule.batch ?? BATCH
  if (!aged.rule.byMonth) {
    const deleted = await deleteAged(deps.write, { ...aged, limit: batch })
    return { deleted, hasMore: deleted === batch }
  }
  const dropped = await maintainMonths(deps.write, { ...aged, now: deps.clock.now() })
  const deleted = await deleteAged(deps.write, { ...aged, table: `${table}_default`, limit: batch })
  return { deleted: dropped + deleted, hasMore: deleted === batch }
}

/** By how many days the oldest row of each table is past its age; 0 without such a row. */
const measureTables = (deps: RetentionDeps): Promise<{ table: string; days: number }[]> =>
  Promise.all(
    Array.from(AGING_TABLES.keys(), async (table) => ({
      table,
      days: ((await measureOverdue(deps.write, agedRowsOf(deps, table))) * 1000) / DAY_MS,
    })),
  )

/** By how many days the oldest row of all tables is past its age. */
export const getOverdueDays = async (deps: RetentionDeps): Promise<number> =>
  Math.max(...(await measureTables(deps)).map(({ days }) => days))

/** The tables whose oldest row is more than a day past its age, the latest first, with the days. */
export async function listOverdueTables(deps: RetentionDeps): Promise<{ table: string; days: number }[]> {
  const overdue = await measureTables(deps)
  return overdue.filter(({ days }) => days > 1).sort((a, b) => b.days - a.days)
}
