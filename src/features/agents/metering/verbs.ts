// Metering of agent tasks: reserve before the work, settle after success, release after failure.
import type { Ctx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { transition } from '../../../transition.ts'
import { type OperatorId, recordAction } from '../../upkeep/audit/verbs.ts'
import { MAX_TOP_UP, type TaskBalance, type TaskKind, type Usage } from './schemas.ts'
import {
  type LedgerTotals,
  callAddCredits,
  callEndTask,
  callMaintenance,
  callReserveTask,
  callWriteNotices,
  findBacklog,
  findBalance,
  findLedgerTotals,
  findUsage,
} from './queries.ts'
import { findProByIdOrSlug } from './queries.sql.ts'
import { TASK, type TaskAction } from './states.ts'

/** After this time a reservation counts as stuck. */
export const TASK_LIMIT_MS = 30 * 60_000

/**
 * Reserves one task from the month's allowance, or from the prepaid tasks when the allowance is used up. Repeating it changes
 * nothing. `db` is a transaction or `deps.write`. Throws agent_tasks_exhausted, professional_not_found, and
 * invalid_transition for a task that has ended.
 */
export async function reserveTask(
  ctx: Ctx,
  {
    professionalId,
    taskId,
    kind,
    limitMs = TASK_LIMIT_MS,
  }: { professionalId: string; taskId: string; kind: TaskKind; limitMs?: number },
): Promise<void> {
  const now = ctx.clock.now()
  const deadline = new Date(now.getTime() + limitMs)
  const { outcome, monthEndsAt } = await callReserveTask(ctx, { professionalId, taskId, kind, deadline, now })
  if (outcome === null) throw proNotFound()
  if (outcome === 'exhausted')
    throw new AppError(
      'agent_tasks_exhausted',
      'The allowance of this month and the prepaid agent tasks are used up.',
      {
        extensions: { resetsAt: monthEndsAt },
      },
    )
  transition(TASK, 'agent task', outcome, 'reserve')
}

/** Charges a reserved task. Repeating it changes nothing. Throws invalid_transition for a task that is not reserved. */
export const settleTask = (
  ctx: Ctx,
  { professionalId, taskId }: { professionalId: string; taskId: string },
): Promise<void> => endTask(ctx, { professionalId, taskId, action: 'settle' })

/** Returns a reserved task to the account that it came from. Otherwise as {@link settleTask}. */
export const releaseTask = (
  ctx: Ctx,
  { professionalId, taskId }: { professionalId: string; taskId: string },
): Promise<void> => endTask(ctx, { professionalId, taskId, action: 'release' })

async function endTask(
  ctx: Ctx,
  { action, ...task }: { professionalId: string; taskId: string; action: Exclude<TaskAction, 'reserve'> },
): Promise<void> {
  const next = action === 'settle' ? 'settled' : 'released'
  const before = await callEndTask(ctx, { ...task, next, now: ctx.clock.now() })
  if (before === null)
    throw new AppError(
      'invalid_transition',
      `The agent task is not reserved, so that the action ${action} is not possible.`,
      { extensions: { state: null, action } },
    )
  transition(TASK, 'agent task', before, action)
}

/**
 * Adds `tasks` (1 to 1,000,000) that the pro has bought. The `reference` identifies the purchase and counts once per pro;
 * `isNew` is false when it was counted before. Throws professional_not_found, validation_failed, and idempotency_mismatch
 * for a known reference with another number of tasks.
 */
export async function addCredits(
  ctx: Ctx,
  {
    professionalId,
    tasks,
    reference,
    by = null,
  }: { professionalId: string; tasks: number; reference: string; by?: OperatorId },
): Promise<{ isNew: boolean }> {
  if (!Number.isInteger(tasks) || tasks < 1 || tasks > MAX_TOP_UP)
    throw invalidField('tasks', `must be a whole number from 1 to ${MAX_TOP_UP}`)
  if (!/^[!-~]([ -~]{0,198}[!-~])?$/.test(reference))
    throw invalidField('reference', 'must have 1 to 200 visible ASCII characters')
  const outcome = await ctx.transaction('addCredits', async (ctx) => {
    const outcome = await callAddCredits(ctx, { professionalId, tasks, reference, now: ctx.clock.now() })
    const details = { tasks, reference }
    if (outcome === 'added')
      await recordAction(ctx, { action: 'credits.given', subjectId: professionalId, professionalId, by, details })
    return outcome
  })
  if (outcome === null) throw proNotFound()
  if (outcome === 'mismatch')
    throw new AppError('idempotency_mismatch', 'This reference was already used for another number of tasks.')
  return { isNew: outcome === 'added' }
}

/** The pro's balance of agent tasks. Throws professional_not_found. */
export async function getBalance(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<TaskBalance> {
  const balance = await findBalance(ctx, { professionalId, now: ctx.clock.now() })
  if (!balance) throw proNotFound()
  return balance
}

/** Tasks by day of a month (`YYYY-MM`) in the pro's time zone. Throws validation_failed, professional_not_found. */
export async function getUsage(
  ctx: Ctx,
  { professionalId, month }: { professionalId: string; month: string },
): Promise<Usage> {
  if (!/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(month)) throw invalidField('month', 'must be a month such as 2026-11')
  const usage = await findUsage(ctx, { professionalId, month })
  if (!usage) throw proNotFound()
  return { month, ...usage, settled: usage.days.reduce((sum, { settled }) => sum + settled, 0) }
}

/** The pro that an operator names by id or slug. Throws professional_not_found. */
export async function getMeteredPro(
  ctx: Ctx,
  { name }: { name: string },
): Promise<{ id: string; businessName: string }> {
  const pro = await findProByIdOrSlug(ctx, idOrSlug(name))
  if (!pro) throw proNotFound()
  return pro
}

const proNotFound = () => new AppError('professional_not_found', 'No pro has this id or slug.')

/** Releases up to `limit` tasks that are past their deadline, and returns their number. */
export const releaseStuckTasks = (ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> =>
  callMaintenance(ctx, { name: 'release_stuck_tasks', now, limit })

/**
 * Opens the new month for up to `limit` pros who have used tasks before, and returns their number. A reservation opens the
 * month itself, so that this may come late.
 */
export const openAllowances = (ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> =>
  callMaintenance(ctx, { name: 'open_allowances', now, limit })

/**
 * Writes up to `limit` notices to pros with a fifth of their tasks left, or none, and returns their number. Each of the two
 * notices is written once until tasks are added: a new month, a larger plan, a top-up.
 */
export const noticeLowBalances = (ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> =>
  callWriteNotices(ctx, { ids: Array.from({ length: limit }, () => ctx.ids.uuid()), now })

export const ledgerTotals = (ctx: Ctx): Promise<LedgerTotals> => findLedgerTotals(ctx)

export const taskBacklog = (ctx: Ctx, { now }: { now: Date }): Promise<{ reserved: number; overdueSeconds: number }> =>
  findBacklog(ctx, { now })
