// Deletion of rows past their age, by the inventory of tables.
import type { Ctx } from '../../../ctx.ts'
import { deleteAged, maintainPartitions, measureOverdue } from './queries.ts'
import { type Aging, type Partitions, RETENTION } from './tables.ts'

const DAY_MS = 86_400_000
const BATCH = 1000

const isAging = (entry: [string, object]): entry is [string, Aging] => 'since' in entry[1]

/** The tables whose rows are deleted by age. */
export const AGING_TABLES: ReadonlyMap<string, Aging> = new Map(Object.entries(RETENTION).filter(isAging))

/** The table’s rule, when its age `passed`, and the instant before which rows are deleted. Throws for a table without an age. */
function agedRowsOf(ctx: Ctx, table: string) {
  const rule = AGING_TABLES.get(table)
  if (!rule) throw new RangeError(`The rows of ${table} are not deleted by age.`)
  const days = typeof rule.days === 'number' ? rule.days : ctx.config.historyDays[rule.days]
  const passed = new Date(ctx.clock.now().getTime() - days * DAY_MS)
  return { table, rule, passed, before: rule.partitions ? startOf(rule.partitions.by, passed) : passed }
}

function startOf(unit: Partitions['by'], instant: Date): Date {
  const [year, month, day] = [instant.getUTCFullYear(), instant.getUTCMonth(), instant.getUTCDate()]
  const daysSinceMonday = (instant.getUTCDay() + 6) % 7
  return new Date(Date.UTC(year, month, unit === 'month' ? 1 : day - daysSinceMonday))
}

/**
 * Deletes one batch of the table's rows past their age, oldest first, with the rows that depend on them. Returns how many it
 * deleted, and whether there may be more. A partitioned table first loses its partitions past their age and gets the coming
 * ones; the batch is then deleted from the default partition. Each batch is one statement, so a process that dies leaves it
 * done or undone.
 */
export async function deleteOldRows(
  ctx: Ctx,
  { table, limit }: { table: string; limit?: number },
): Promise<{ deleted: number; hasMore: boolean }> {
  const aged = agedRowsOf(ctx, table)
  const { partitions, batch = BATCH } = aged.rule
  const dropped = partitions ? await maintainPartitions(ctx, { ...aged, partitions, now: ctx.clock.now() }) : 0
  const rest = partitions?.of === table ? `${table}_default` : table
  const deleted = await deleteAged(ctx, { ...aged, table: rest, limit: limit ?? batch })
  return { deleted: dropped + deleted, hasMore: deleted === (limit ?? batch) }
}

/** By how many days the oldest row of each table is past its age; 0 without such a row. */
const measureTables = (ctx: Ctx): Promise<{ table: string; days: number }[]> =>
  Promise.all(
    Array.from(AGING_TABLES.keys(), async (table) => ({
      table,
      days: ((await measureOverdue(ctx, agedRowsOf(ctx, table))) * 1000) / DAY_MS,
    })),
  )

/** By how many days the oldest row of all tables is past its age. */
export const getOverdueDays = async (ctx: Ctx): Promise<number> =>
  Math.max(...(await measureTables(ctx)).map(({ days }) => days))

/** The tables whose oldest row is more than a day past its age, the latest first, with the days. */
export async function listOverdueTables(ctx: Ctx): Promise<{ table: string; days: number }[]> {
  const overdue = await measureTables(ctx)
  return overdue.filter(({ days }) => days > 1).sort((a, b) => b.days - a.days)
}
