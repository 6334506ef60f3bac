// The webhook endpoints of all accounts that fail, for operators, and what an operator does about one.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { type OperatorId, recordAction } from '../../../features/upkeep/audit/verbs.ts'
import { notifyDispatcher } from '../../delivery/planning.ts'
import * as statements from '../queries/endpoints.sql.ts'
import { webhookNotFound } from './endpoints.ts'

/** A larger backlog is sent by pressing the button again. */
const MAX_AGAIN = 5000

/** An endpoint whose deliveries fail. Its URL may hold a secret of its owner, its host does not. */
export interface FailingEndpoint {
  id: string
  name: string
  host: string
  /** The e-mail address of its account. */
  owner: string
  /** A log-in of its account, if there is one. */
  userId: string | null
  /** Why it was disabled; null while it is retried. */
  disabledReason: 'gone' | 'failing' | null
  failingSince: string
  /** The status of the last attempt, or the error without one; both null when its attempts are no longer kept. */
  lastStatus: number | null
  lastError: string | null
  /** Its pending deliveries, counted to 1,000. */
  waiting: number
  /** Its deliveries that were given up since it fails, among the latest 1,000. */
  missed: number
}

/** The endpoints of all accounts that failed last, without those that their owners turned off. */
export async function listFailingEndpoints(
  ctx: Ctx,
  { limit, offset = 0 }: { limit: number; offset?: number },
): Promise<FailingEndpoint[]> {
  const rows = await statements.selectFailingEndpoints(ctx, { limit, offset })
  return rows.map(({ url, disabledReason, ...row }) => ({
    ...row,
    host: new URL(url).host,
    disabledReason: disabledReason === 'by_owner' ? null : disabledReason,
  }))
}

/**
 * Enables an endpoint again that was disabled for its failures, and sends what it missed since they began and what waits for its next
 * attempt. Returns how many deliveries that are. Throws webhook_not_found, and invalid_transition for an endpoint that does not fail.
 */
export async function resumeEndpoint(ctx: Ctx, { id, by }: { id: string; by: OperatorId }): Promise<{ again: number }> {
  const resumed = await ctx.transaction('resumeEndpoint', async (ctx) => {
    const endpoint = await statements.lockFailingEndpoint(ctx, { id })
    if (!endpoint) throw webhookNotFound()
    const { name, disabledReason, failingSince, professionalId } = endpoint
    if (disabledReason === 'by_owner')
      throw new AppError('invalid_transition', 'Its owner turned this endpoint off, and turns it on again.')
    if (failingSince === null)
      throw new AppError(
        'invalid_transition',
        'This endpoint does not fail any more: it was resumed or it works again.',
      )
    const now = ctx.clock.now()
    if (disabledReason !== null) await statements.enableEndpoint(ctx, { id, now })
    const replayed = await statements.replayMissed(ctx, { endpointId: id, since: failingSince, limit: MAX_AGAIN, now })
    const again = replayed?.again ?? 0
    await recordAction(ctx, { action: 'endpoint.resumed', subjectId: id, professionalId, by, details: { name, again } })
    return { again, now }
  })
  await notifyDispatcher(ctx, id, `${id}-${resumed.now.getTime()}`)
  return { again: resumed.again }
}
