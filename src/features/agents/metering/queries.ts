// SQL of the task ledger: calls of the functions in sql/functions/metering.sql, and reads.
import type { TaskBalance, TaskKind, Usage } from './schemas.ts'
import type { TaskState } from './states.ts'
import type { Ctx } from '../../../ctx.ts'
import { composed, number } from '../../../platform/postgres/composed.ts'
import * as statements from './queries.sql.ts'

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
  const row = await statements.reserveTask(ctx, { professionalId, taskId, kind, deadline, now })
  return row ?? { outcome: null, monthEndsAt: null }
}

/** Ends a reserved task and returns its previous state, null when the task does not exist. */
export async function callEndTask(
  ctx: Ctx,
  task: { professionalId: string; taskId: string; next: 'settled' | 'released'; now: Date },
): Promise<TaskState | null> {
  const row = await statements.endTask(ctx, {
    professionalId: task.professionalId,
    taskId: task.taskId,
    next: task.next,
    now: task.now,
  })
  return row?.before ?? null
}

export async function callAddCredits(
  ctx: Ctx,
  { professionalId, tasks, reference, now }: { professionalId: string; tasks: number; reference: string; now: Date },
): Promise<'added' | 'repeated' | 'mismatch' | null> {
  const row = await statements.addCredits(ctx, { professionalId, tasks, reference, now })
  return row?.outcome ?? null
}

/** Runs a maintenance function and returns the number of rows that it changed. */
export async function callMaintenance(
  ctx: Ctx,
  { name, now, limit }: { name: 'release_stuck_tasks' | 'open_allowances'; now: Date; limit: number },
): Promise<number> {
  const [row] = await composed(ctx.write, name, { changed: number }, (sql) =>
    name === 'open_allowances'
      ? sql`select open_allowances(${now.toISOString()}, ${limit}) as changed`
      : sql`select release_stuck_tasks(${now.toISOString()}, ${limit}) as changed`,
  )
  return row?.changed ?? 0
}

/** Writes at most one notice per id and returns their number. */
export async function callWriteNotices(ctx: Ctx, { ids, now }: { ids: readonly string[]; now: Date }): Promise<number> {
  const row = await statements.writeCreditNotices(ctx, { ids: ids.join(','), now })
  return row?.written ?? 0
}

/** A month that is not opened yet shows the allowance that it will get. */
export async function findBalance(
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<TaskBalance | undefined> {
  return await statements.findTaskBalance<Pick<TaskBalance, 'allowance' | 'endedPlan'>>(ctx, { now, professionalId })
}

/** Tasks by day of a month (`YYYY-MM`) in the pro's time zone. */
export async function findUsage(
  ctx: Ctx,
  { professionalId, month }: { professionalId: string; month: string },
): Promise<Pick<Usage, 'timeZone' | 'days'> | undefined> {
  const first = `${month}-01`
  return await statements.findTaskUsage<Pick<Pick<Usage, 'timeZone' | 'days'>, 'days'>>(ctx, { professionalId, first })
}

/** The number of reserved tasks, and the seconds that the oldest is past its deadline. */
export async function findBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ reserved: number; overdueSeconds: number }> {
  const row = await statements.findTaskBacklog(ctx, { now })
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
  const row = await statements.findLedgerTotals(ctx)
  return row ?? { spent: 0, sold: 0, prepaid: 0, imbalance: 0 }
}
