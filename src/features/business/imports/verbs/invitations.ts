// Sends imported pros the link to their page, at the pace that the operator chose.
import { inviteUser } from '../../../../auth/users/verbs/users.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { planInvitation } from '../../../messages/messages/verbs/user-links.ts'
import { claimInvitation, deleteInvitation, refuseInvitation } from '../queries.sql.ts'

/**
 * Creates the log-ins of pros whose invitation is due, with a message that has the link, and at most `limit`. Each is a transaction:
 * a worker that dies loses none and sends none twice. Returns how many were due.
 */
export async function sendInvitations(ctx: Ctx, { limit }: { limit: number }): Promise<number> {
  for (let sent = 0; sent < limit; sent++) if (!(await sendNext(ctx))) return sent
  return limit
}

/** Returns false when no invitation is due. */
const sendNext = (ctx: Ctx): Promise<boolean> =>
  ctx.transaction('sendInvitation', async (ctx) => {
    const due = await claimInvitation(ctx, { now: ctx.clock.now() })
    if (!due) return false
    const { professionalId, by, email, hasLogin } = due
    try {
      // An operator may have invited the owner meanwhile.
      if (!hasLogin)
        await ctx.savepoint((ctx) =>
          inviteUser(ctx, { email, role: 'pro', pro: professionalId, by, planMessage: planInvitation }),
        )
      await deleteInvitation(ctx, { professionalId })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await refuseInvitation(ctx, { professionalId, outcome: error.detail })
    }
    return true
  })
