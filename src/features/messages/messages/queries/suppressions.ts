// SQL of addresses that get no messages, or only essential ones.
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './suppressions.sql.ts'

export interface Suppression {
  email: string
  reason: 'bounced' | 'unsubscribed'
  detail: string | null
  createdAt: string
}

export async function insertSuppression(
  ctx: Ctx,
  { email, reason, detail, now }: { now: Date } & Pick<Suppression, 'email' | 'reason' | 'detail'>,
): Promise<void> {
  await statements.insertSuppression(ctx, { email, reason, detail: detail?.slice(0, 1000) ?? null, now })
}

/** Returns whether the address was suppressed. */
export async function deleteSuppression(
  ctx: Ctx,
  { email, reason }: { email: string; reason: Suppression['reason'] },
): Promise<boolean> {
  const rows = await statements.deleteSuppression(ctx, { email, reason })
  return rows.length > 0
}
