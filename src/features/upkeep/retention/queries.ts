// Deletes and measures rows past their age, of any table in the inventory.
import type { Sql } from '../../../platform/postgres/database.ts'
import type { Aging, Partitions } from './tables.ts'
import type { Ctx } from '../../../ctx.ts'
import { composed, number } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

interface AgedRows {
  table: string
  rule: Aging
  /** Rows before this instant are past their age. */
  before: Date
}

/** Rows that are examined where no index has the age. */
const EXAMINED = 5000

/** Deletes up to `limit` rows, oldest first, and those that go with them. Skips locked rows. Returns how many. */
export async function deleteAged(ctx: Ctx, { limit, ...aged }: AgedRows & { limit: number }): Promise<number> {
  // The CTE is materialized because the planner may run a subquery again for each row, and `skip locked` would then
  // return different rows each time.
  const [row] = await composed(
    ctx.write,
    'deleteAged',
    { count: number },
    (sql) => sql`
      with old as materialized (select t.ctid ${agedRows(sql, aged)} limit ${limit} for update of t skip locked),
      gone as (delete from ${sql(aged.table)} where ctid = any (array(select ctid from old)) returning 1)
      select count(*)::integer as count from gone`,
  )
  return row?.count ?? 0
}

/** Creates coming partitions, and drops past ones. Returns how many rows of the rule's own table were dropped. */
export async function maintainPartitions(
  ctx: Ctx,
  { partitions, now, before }: { partitions: Partitions; now: Date; before: Date },
): Promise<number> {
  const row = await statements.maintainPartitions(ctx, {
    of: partitions.of,
    by: partitions.by,
    now,
    before: before.toISOString(),
  })
  return row?.dropped ?? 0
}

/** For how many seconds the oldest row could have been deleted by now; 0 without such a row. */
export async function measureOverdue(ctx: Ctx, { passed, ...aged }: AgedRows & { passed: Date }): Promise<number> {
  const [row] = await composed(ctx.write, 'measureOverdue', { seconds: number }, (sql) => {
    const since = sinceOf(sql, aged.rule)
    const by = aged.rule.partitions?.by
    // A partition can be dropped when its end is past the age.
    const due = by ? sql`(date_trunc(${by}, ${since}) + ('1 ' || ${by}::text)::interval)` : since
    return sql`
      select extract(epoch from ${passed.toISOString()}::timestamptz - ${due})::float8 as seconds
      ${agedRows(sql, aged)} limit 1`
  })
  return row?.seconds ?? 0
}

function agedRows(sql: Sql, { table, rule, before }: AgedRows) {
  const from = rule.oldestBy
    ? sql`(select ctid, * from ${sql(table)} order by ${sql(rule.oldestBy)} limit ${EXAMINED}) t`
    : sql`${sql(table)} t`
  return sql`
    from ${from}
    where ${sinceOf(sql, rule)} < ${before.toISOString()}::timestamptz and ${rule.where?.(sql) ?? sql`true`}
    order by ${sinceOf(sql, rule)}`
}

const sinceOf = (sql: Sql, { since }: Aging) => sql(`t.${since}`)
