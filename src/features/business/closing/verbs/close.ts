// A pro's account is closed, and opened again: states, log-ins, keys and connections. What it ends for customers follows (end.ts).
import { disableLogins, enableLogins } from '../../../../auth/users/verbs/account-logins.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import { getProForChange, saveStatus } from '../../pros/verbs.ts'
import { PRO } from '../../pros/states.ts'
import { deleteRowsOf, findLeaver, tablesDeletedAt } from '../queries.ts'
import {
  countOpenWork,
  deleteClosing,
  findClosing as selectClosing,
  insertClosing,
  revokeKeysOf,
  sumOpenPayments,
} from '../queries.sql.ts'
import { type Closing, DAYS_UNTIL_ERASURE, type OpenWork } from '../schemas.ts'

const DAY_MS = 86_400_000
/** Rows of a table that closing deletes at once; an account has a few of each. */
const MAX_ROWS = 10_000

interface ByOperator {
  professionalId: string
  /** The user who does it; null for the command line. */
  by: OperatorId
}

/** What closing the account would end now. Throws professional_not_found. */
export async function getOpenWork(ctx: Ctx, { professionalId }: { professionalId: string }): Promise<OpenWork> {
  const now = ctx.clock.now()
  const [work, refunds] = await Promise.all([
    countOpenWork(ctx, { professionalId, now }),
    sumOpenPayments(ctx, { professionalId }),
  ])
  if (!work) throw new AppError('professional_not_found', 'No pro has this id.')
  return { ...work, refunds }
}

/** The closing of the pro; undefined while the account is open. */
export const findClosing = (ctx: Ctx, { professionalId }: { professionalId: string }): Promise<Closing | undefined> =>
  selectClosing(ctx, { professionalId })

/**
 * Closes the account: customers find and book the pro no more, every log-in, key, app, webhook and calendar ends, and the pro is told.
 * `sweep-expired` then ends what is open with customers, with refunds, and erases the rest after {@link DAYS_UNTIL_ERASURE} days.
 * `operatorReason` is null where the pro does it. Throws professional_not_found, and invalid_transition for a closed account.
 */
export async function closePro(
  ctx: Ctx,
  { professionalId, by, operatorReason }: ByOperator & { operatorReason: string | null },
): Promise<void> {
  const ended = await getOpenWork(ctx, { professionalId })
  await ctx.transaction('closePro', async (ctx) => {
    const pro = await getProForChange(ctx, { professionalId })
    const status = transition(PRO, 'pro', pro.status, 'close')
    const now = ctx.clock.now()
    const eraseAt = new Date(now.getTime() + DAYS_UNTIL_ERASURE * DAY_MS)
    await saveStatus(ctx, { professionalId, status, pausedByOperator: false })
    await insertClosing(ctx, { professionalId, now, eraseAt })
    await disableLogins(ctx, { accountId: pro.accountId, by })
    await endConnections(ctx, professionalId)
    const { refunds: _, ...details } = ended
    const entry = { subjectId: professionalId, professionalId, by, reason: operatorReason }
    await recordAction(ctx, { action: 'pro.closed', ...entry, details })
    await planMessage(ctx, {
      kind: 'pro-status',
      to: pro.email,
      key: `pro-status:${ctx.ids.uuid()}`,
      professionalId,
      data: {
        status,
        pro: pro.businessName,
        operatorReason,
        consoleUrl: `${ctx.config.baseUrl}/console`,
        erased: { at: eraseAt.toISOString(), timeZone: pro.timeZone },
      },
    })
  })
}

/** Revokes keys and grants, also those of test mode, and deletes webhooks and calendars. */
async function endConnections(ctx: TxCtx, professionalId: string): Promise<void> {
  const leaver = await findLeaver(ctx, { professionalId })
  await revokeKeysOf(ctx, { accounts: [...leaver.accounts], now: ctx.clock.now() })
  for (const table of tablesDeletedAt('closing')) await deleteRowsOf(ctx, { table, leaver, limit: MAX_ROWS })
}

/**
 * Opens a closed account that is not erased yet. The pro is paused, logs in with the former password, and makes keys, webhooks and
 * calendars anew; what was cancelled stays so. Throws professional_not_found and invalid_transition.
 */
export const reopenPro = (ctx: Ctx, { professionalId, by, reason }: ByOperator & { reason: string }): Promise<void> =>
  ctx.transaction('reopenPro', async (ctx) => {
    const pro = await getProForChange(ctx, { professionalId })
    const status = transition(PRO, 'pro', pro.status, 'reopen')
    const closing = await deleteClosing(ctx, { professionalId })
    if (!closing) throw new AppError('invalid_transition', 'The data of this account is erased: it cannot be reopened.')
    await saveStatus(ctx, { professionalId, status, pausedByOperator: false })
    await enableLogins(ctx, { accountId: pro.accountId, disabledAt: closing.closedAt, by })
    await recordAction(ctx, { action: 'pro.reopened', subjectId: professionalId, professionalId, by, reason })
    const consoleUrl = `${ctx.config.baseUrl}/console/settings`
    const data = { status, pro: pro.businessName, operatorReason: reason, consoleUrl, isReopened: true }
    await planMessage(ctx, {
      kind: 'pro-status',
      to: pro.email,
      data,
      key: `pro-status:${ctx.ids.uuid()}`,
      professionalId,
    })
  })
