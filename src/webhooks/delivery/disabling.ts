// Disables endpoints: pending deliveries of a disabled endpoint fail, and can be replayed later.
import type { Ctx, TxCtx } from '../../ctx.ts'
import { planMessage } from '../../features/messages/messages/verbs/plan-message.ts'
import { addNotice } from '../../features/messages/notices/verbs.ts'
import { updateToDisabled } from './queries.sql.ts'

/** Disables an endpoint at its owner's request. Does nothing when it is not enabled. */
export async function disableEndpoint(ctx: TxCtx, { id, now }: { id: string; now: Date }): Promise<void> {
  await updateToDisabled(ctx, { endpointId: id, reason: 'by_owner', now })
}

/** Disables an endpoint because of its responses and notifies its account. Returns whether it was enabled. */
export const disableFailingEndpoint = (
  ctx: Ctx,
  { id, reason }: { id: string; reason: 'gone' | 'failing' },
): Promise<boolean> =>
  ctx.transaction('disableFailingEndpoint', async (ctx) => {
    const disabled = await updateToDisabled(ctx, { endpointId: id, reason, now: ctx.clock.now() })
    if (!disabled) return false
    const data = { webhookId: id, name: disabled.name, reason }
    await addNotice(ctx, { kind: 'webhook_disabled', data, accountId: disabled.accountId })
    await planMessage(ctx, {
      kind: 'endpoint-disabled',
      to: disabled.email,
      data: { name: disabled.name, reason, consoleUrl: `${ctx.config.baseUrl}/console/webhooks/${id}` },
      key: `endpoint-disabled:${ctx.ids.uuid()}`,
    })
    return true
  })
