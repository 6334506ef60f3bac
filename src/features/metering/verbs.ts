// Metering of agent tasks: reserved before the work, settled after it, released when it came to nothing.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { idOrSlug } from '../../platform/schema/id-or-slug.ts'
import { transition } from '../../errors/transition.ts'
import { MAX_TOP_UP, type TaskBalance, type TaskKind, type Usage } from './schemas.ts'
import {
  type LedgerTotals,
  callAddCredits,
  callEndTask,
  callPass,
  callReserveTask,
  callWriteNotices,
  findBacklog,
  findBalance,
  findLedgerTotals,
  findProByIdOrSlug,
  findUsage,
} from './queries.ts'
import { TASK, type TaskAction } from './states.ts'

/** How long a task may be under way before its reservation counts as stuck. */
export const TASK_LIMIT_MS = 30 * 60_000

/**
 * Reserves one task, from the month's allowance or else from what was bought; a task that is reserved already stays so.
 * `db` is a transaction, or `deps.write` for this alone: one call of one function either way. Throws agent_tasks_exhausted,
 * professional_not_found, and invalid_transition for a task that is over.
 */
export async function reserveTask(
  { clock }: Pick<Deps, 'clock'>,
  db: Runner,
  professionalId: string,
  { taskId, kind, limitMs = TASK_LIMIT_MS }: { taskId: string; kind: TaskKind; limitMs?: number },
): Promise<void> {
  const now = clock.now()
  const deadline = new Date(now.getTime() + limitMs)
  const { outcome, monthEndsAt } = await callReserveTask(db, { professionalId, taskId, kind, deadline, now })
  if (outcome === null) throw noSuchPro()
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

/** The task was done: it is spent. Nothing the second time. Throws invalid_transition unless it was reserved. */
export const settleTask = (
  deps: Pick<Deps, 'clock'>,
  db: Runner,
  professionalId: string,
  taskId: string,
): Promise<void> => endTask(deps, db, { professionalId, taskId, action: 'settle' })

/** The task came to nothing: it goes back to where it was taken from. As {@link settleTask} otherwise. */
export const releaseTask = (
  deps: Pick<Deps, 'clock'>,
  db: Runner,
  professionalId: string,
  taskId: string,
): Promise<void> => endTask(deps, db, { professionalId, taskId, action: 'release' })

async function endTask(
  { clock }: Pick<Deps, 'clock'>,
  db: Runner,
  { action, ...task }: { professionalId: string; taskId: string; action: Exclude<TaskAction, 'reserve'> },
): Promise<void> {
  const next = action === 'settle' ? 'settled' : 'released'
  const before = await callEndTask(db, { ...task, next, now: clock.now() })
  if (before === null)
    throw new AppError(
      'invalid_transition',
      `An agent task that was not reserved does not take the action ${action}.`,
      {
        extensions: { state: null, action },
      },
    )
  transition(TASK, 'agent task', before, action)
}

/**
 * Adds `tasks` (1 to 1,000,000) that the pro has bought. Whatever names the purchase is its `reference`: it counts once
 * per pro, and the answer says whether it did now. Throws professional_not_found, validation_failed, and
 * idempotency_mismatch for a reference that was for another number of tasks.
 */
export async function addCredits(
  { write, clock }: Pick<Deps, 'write' | 'clock'>,
  professionalId: string,
  tasks: number,
  reference: string,
): Promise<{ isNew: boolean }> {
  if (!Number.isInteger(tasks) || tasks < 1 || tasks > MAX_TOP_UP)
    throw invalidField('tasks', `must be a whole number from 1 to ${MAX_TOP_UP}`)
  if (!/^[!-~]([ -~]{0,198}[!-~])?$/.test(reference))
    throw invalidField('reference', 'must have 1 to 200 visible ASCII characters')
  const outcome = await callAddCredits(write, { professionalId, tasks, reference, now: clock.now() })
  if (outcome === null) throw noSuchPro()
  if (outcome === 'mismatch')
    throw new AppError('idempotency_mismatch', 'This reference was counted before, with another number of tasks.')
  return { isNew: outcome === 'added' }
}

/** What the pro has to use now. Throws professional_not_found. */
export async function balance(
  { read, clock }: Pick<Deps, 'read' | 'clock'>,
  professionalId: string,
): Promise<TaskBalance> {
  const found = await findBalance(read, professionalId, clock.now())
  if (!found) throw noSuchPro()
  return found
}

/** The tasks of a month (`YYYY-MM`) by day on the pro's own calendar. Throws validation_failed, professional_not_found. */
export async function usage({ read }: Pick<Deps, 'read'>, professionalId: string, month: string): Promise<Usage> {
  if (!/^(19|2\d)\d\d-(0[1-9]|1[0-2])$/.test(month)) throw invalidField('month', 'must be a month such as 2026-11')
  const found = await findUsage(read, professionalId, month)
  if (!found) throw noSuchPro()
  return { month, ...found, settled: found.days.reduce((sum, { settled }) => sum + settled, 0) }
}

/** The pro that an operator names by id or slug. Throws professional_not_found. */
export async function getMeteredPro(
  { read }: Pick<Deps, 'read'>,
  name: string,
): Promise<{ id: string; businessName: string }> {
  const found = await findProByIdOrSlug(read, idOrSlug(name))
  if (!found) throw noSuchPro()
  return found
}

const noSuchPro = () => new AppError('professional_not_found', 'No pro has this id or slug.')

/** Releases up to `limit` tasks that are past their deadline; gives how many. Whoever works on them did not come back. */
export const releaseStuckTasks = ({ write }: Pick<Deps, 'write'>, now: Date, limit: number): Promise<number> =>
  callPass(write, 'release_stuck_tasks', now, limit)

/**
 * Opens the month for up to `limit` pros whose last one is over and who have used tasks before; gives how many. Nobody
 * waits for it: a reservation opens the month itself.
 */
export const openAllowances = ({ write }: Pick<Deps, 'write'>, now: Date, limit: number): Promise<number> =>
  callPass(write, 'open_allowances', now, limit)

/**
 * Writes up to `limit` notices to pros whose tasks fell to a fifth of what they had, or to none; gives how many. Each of
 * the two is told once until tasks come in: a new month, a larger plan, a top-up.
 */
export const noticeLowBalances = (
  { write, ids }: Pick<Deps, 'write' | 'ids'>,
  now: Date,
  limit: number,
): Promise<number> =>
  callWriteNotices(
    write,
    Array.from({ length: limit }, () => ids.uuid()),
    now,
  )

/** The ledger as a whole, for metrics. */
export const ledgerTotals = ({ read }: Pick<Deps, 'read'>): Promise<LedgerTotals> => findLedgerTotals(read)

/** What is under way, for metrics. */
export const taskBacklog = (
  { read }: Pick<Deps, 'read'>,
  now: Date,
): Promise<{ reserved: number; overdueSeconds: number }> => findBacklog(read, now)
