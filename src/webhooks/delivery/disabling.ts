// Disables endpoints: pending deliveries of a disabled endpoint fail, and can be replayed later.
import type { Deps } from '../../deps.ts'
import { addNotice } from '../../features/notices/verbs.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { updateToDisabled } from './queries.ts'

/** Disables an endpoint at its owner's request. Does nothing when it is not enabled. */
export async function disableEndpoint(tx: Transaction, id: string, now: Date): Promise<void> {
  await updateToDisabled(tx, id, 'by_owner', now)
}

/** Disables an endpoint because of its responses and notifies its account. Returns whether it was enabled. */
export const disableFailingEndpoint = (deps: Deps, id: string, reason: 'gone' | 'failing'): Promise<boolean> =>
  deps.write.begin('disableFailingEndpoint', async (tx) => {
    const disabled = await updateToDisabled(tx, id, reason, deps.clock.now())
    if (!disabled) return false
    const data = { webhookId: id, name: disabled.name, reason }
    await addNotice(deps, tx, disabled.accountId, { kind: 'webhook_disabled', data })
    return true
  })
