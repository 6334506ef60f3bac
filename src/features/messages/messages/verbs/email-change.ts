// Messages about another address of a log-in: the link to the new one, and word to the former one.
import type { AskedChange } from '../../../../auth/users/verbs/email-change.ts'
import type { TxCtx } from '../../../../ctx.ts'
import { planMessage } from './plan-message.ts'

/** Sends the new address its link, and tells the former one who asked and how to object. */
export async function planAskedChange(
  ctx: TxCtx,
  { from, to, token, expiresAt, isByOperator }: AskedChange,
): Promise<void> {
  const id = ctx.ids.uuid()
  const url = token === null ? null : `${ctx.config.baseUrl}/console/email/${token}`
  const link = { url, expiresAt: expiresAt.toISOString() }
  await planMessage(ctx, { kind: 'address-link', to, data: link, key: `address-link:${id}` })
  const data = { newEmail: to, isDone: false, isByOperator, consoleUrl: `${ctx.config.baseUrl}/console/account` }
  await planMessage(ctx, { kind: 'address-changed', to: from, data, key: `address-changed:${id}` })
}

/** Tells the former address that it logs in no more. */
export async function planDoneChange(ctx: TxCtx, { from, to }: { from: string; to: string }): Promise<void> {
  const data = { newEmail: to, isDone: true, isByOperator: false, consoleUrl: `${ctx.config.baseUrl}/console` }
  await planMessage(ctx, { kind: 'address-changed', to: from, data, key: `address-changed:${ctx.ids.uuid()}` })
}
