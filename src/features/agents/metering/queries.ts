// SQL of the task ledger: calls of the functions in sql/functions/metering.sql, and reads.
import type { TaskBalance, TaskKind, Usage } from './schemas.ts'
import type { TaskState } from './states.ts'
import type { Ctx } from '../../../ctx.ts'

export interface Reservation {
  professionalId: string
  taskId: string
  kind: TaskKind
  deadline: Date
  now: Date
}

export type ReservationOutcome = TaskState | 'exhausted'

/** Reserves a task unless it exists. The outcome is null when the pro does not exist. */
export async function callReserveTask(
  ctx: Ctx,
  { professionalId, taskId, kind, deadline, now }: Reservation,
): Promise<{ outcome: ReservationOutcome | null; monthEndsAt: string | null }> {
  const [row] = await ctx.write.run<{ outcome: ReservationOutcome | null; monthEndsAt: string | null }>(
    'reserve_task',
    (sql) => sql`
      select * from reserve_task(${professionalId}, ${taskId}, ${kind}, ${deadline.toISOString()}, ${now.toISOString()})`,
  )
  return row ?? { outcome: null, monthEndsAt: null }
}

/** Ends a reserved task and returns its previous state, null when the task does not exist. */
export async function callEndTask(
  ctx: Ctx,
  task: { professionalId: string; taskId: string; next: 'settled' | 'released'; now: Date },
): Promise<TaskState | null> {
  const [row] = await ctx.write.run<{ before: TaskState | null }>(
    'end_task',
    (sql) => sql`
      select end_task(${task.professionalId}, ${task.taskId}, ${task.next}, ${task.now.toISOString()}) as before`,
  )
  return row?.before ?? null
}

export async function callAddCredits(
  ctx: Ctx,
  { professionalId, tasks, reference, now }: { professionalId: string; tasks: number; reference: string; now: Date },
): Promise<'added' | 'repeated' | 'mismatch' | null> {
  const [row] = await ctx.write.run<{ outcome: 'added' | 'repeated' | 'mismatch' | null }>(
    'add_credits',
    (sql) => sql`select add_credits(${professionalId}, ${tasks}, ${reference}, ${now.toISOString()}) as outcome`,
  )
  return row?.outcome ?? null
}

/** Runs a maintenance function and returns the number of rows that it changed. */
export async function callMaintenance(
  ctx: Ctx,
  { name, now, limit }: { name: 'release_stuck_tasks' | 'open_allowances'; now: Date; limit: number },
): Promise<number> {
  const [row] = await ctx.write.run<{ changed: number }>(name, (sql) =>
    name === 'open_allowances'
      ? sql`select open_allowances(${now.toISOString()}, ${limit}) as changed`
      : sql`select release_stuck_tasks(${now.toISOString()}, ${limit}) as changed`,
  )
  return row?.changed ?? 0
}

/** Writes at most one notice per id and returns their number. */
export async function callWriteNotices(ctx: Ctx, { ids, now }: { ids: readonly string[]; now: Date }): Promise<number> {
  const [row] = await ctx.write.run<{ written: number }>(
    'write_credit_notices',
    (sql) => sql`
      select write_credit_notices(string_to_array(${ids.join(',')}, ',')::uuid[], ${now.toISOString()}) as written`,
  )
  return row?.written ?? 0
}

/** A month that is not opened yet shows the allowance that it will get. */
export async function findBalance(
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<TaskBalance | undefined> {
  const rows = await ctx.read.run<TaskBalance>(
    'findTaskBalance',
    (sql) => sql`
      with pro as (
        select id, plan, date_trunc('month', ${now.toISOString()}::timestamptz at time zone time_zone)::date as month,
          time_zone
        from professionals where id = ${professionalId}),
      grants as (
        select coalesce(sum(t.amount), 0) as granted
        from pro join credit_transfers t on t.professional_id = pro.id
          and t.to_account = 'allowance ' || to_char(pro.month, 'YYYY-MM') and t.kind = 'grant'
          and t.reference is not null),
      held as (
        select coalesce(sum(a.balance) filter (where a.name = 'allowance ' || to_char(pro.month, 'YYYY-MM')), 0)
            + greatest(plan_allowance(pro.plan) - grants.granted, 0) as allowance,
          coalesce(sum(a.balance) filter (where a.name = 'prepaid'), 0) as prepaid,
          coalesce(sum(a.balance) filter (where a.name = 'reserved'), 0) as reserved,
          coalesce(sum(a.balance) filter (where a.name = 'spent'), 0) as spent
        from pro cross join grants left join credit_accounts a on a.professional_id = pro.id
        group by pro.plan, grants.granted)
      select pro.plan, to_char(pro.month, 'YYYY-MM') as month,
        clock_reaches((pro.month + interval '1 month')::date, 0, pro.time_zone) as resets_at,
        json_build_object('granted', greatest(plan_allowance(pro.plan), grants.granted), 'left', held.allowance)
          as allowance,
        held.prepaid, held.reserved, held.spent, held.allowance + held.prepaid as available
      from pro, grants, held`,
  )
  return rows[0]
}

/** Tasks by day of a month (`YYYY-MM`) in the pro's time zone. */
export async function findUsage(
  ctx: Ctx,
  { professionalId, month }: { professionalId: string; month: string },
): Promise<Pick<Usage, 'timeZone' | 'days'> | undefined> {
  const first = `${month}-01`
  const rows = await ctx.read.run<Pick<Usage, 'timeZone' | 'days'>>(
    'findTaskUsage',
    (sql) => sql`
      with counted as (
        select (t.reserved_at at time zone p.time_zone)::date as day, t.kind, t.status, count(*) as tasks
        from professionals p join metered_tasks t on t.professional_id = p.id
        -- Local time is within a day of UTC: the range serves the index, the join on the local date decides.
        where p.id = ${professionalId}
          and t.reserved_at >= ${first}::date::timestamp at time zone 'UTC' - interval '1 day'
          and t.reserved_at < (${first}::date + interval '1 month') at time zone 'UTC' + interval '1 day'
        group by 1, 2, 3),
      days as (
        select d.day::date,
          coalesce(sum(c.tasks) filter (where c.status = 'settled'), 0) as settled,
          coalesce(sum(c.tasks) filter (where c.status = 'reserved'), 0) as reserved,
          coalesce(sum(c.tasks) filter (where c.status = 'released'), 0) as released,
          coalesce(json_object_agg(c.kind, c.tasks) filter (where c.status = 'settled'), '{}') as by_kind
        from generate_series(${first}::date, ${first}::date + interval '1 month' - interval '1 day', '1 day') as d (day)
        left join counted c on c.day = d.day
        group by d.day)
      select p.time_zone, (
        select json_agg(json_build_object('date', to_char(day, 'YYYY-MM-DD'), 'settled', settled, 'byKind', by_kind,
          'reserved', reserved, 'released', released) order by day) from days) as days
      from professionals p where p.id = ${professionalId}`,
  )
  return rows[0]
}

export async function findProByIdOrSlug(
  ctx: Ctx,
  { id, slug }: { id: string | null; slug: string | null },
): Promise<{ id: string; businessName: string } | undefined> {
  const rows = await ctx.read.run<{ id: string; businessName: string }>(
    'findProByIdOrSlug',
    (sql) => sql`select id, business_name from professionals where id = ${id} or slug = ${slug}`,
  )
  return rows[0]
}

/** The number of reserved tasks, and the seconds that the oldest is past its deadline. */
export async function findBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ reserved: number; overdueSeconds: number }> {
  const [row] = await ctx.read.run<{ reserved: number; overdueSeconds: number }>(
    'findTaskBacklog',
    (sql) => sql`
      select count(*) as reserved,
        greatest(coalesce(extract(epoch from ${now.toISOString()}::timestamptz - min(deadline_at)), 0), 0) as overdue_seconds
      from metered_tasks where status = 'reserved'`,
  )
  return row ?? { reserved: 0, overdueSeconds: 0 }
}

/** Sums over the ledgers of all pros, in tasks. A consistent ledger has no imbalance. */
export interface LedgerTotals {
  spent: number
  sold: number
  prepaid: number
  imbalance: number
}

export async function findLedgerTotals(ctx: Ctx): Promise<LedgerTotals> {
  const [row] = await ctx.read.run<LedgerTotals>(
    'findLedgerTotals',
    (sql) => sql`
      select coalesce(sum(balance) filter (where name = 'spent'), 0)::float8 as spent,
        coalesce(-sum(balance) filter (where name = 'sold'), 0)::float8 as sold,
        coalesce(sum(balance) filter (where name = 'prepaid'), 0)::float8 as prepaid,
        coalesce(sum(balance), 0)::float8 as imbalance
      from credit_accounts`,
  )
  return row ?? { spent: 0, sold: 0, prepaid: 0, imbalance: 0 }
}
