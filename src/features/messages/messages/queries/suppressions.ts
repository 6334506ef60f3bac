// SQL of addresses that get no messages, or only essential ones.
import type { Ctx } from '../../../../ctx.ts'

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
  await ctx.write.run(
    'insertSuppression',
    (sql) => sql`
      insert into message_suppressions (email, reason, detail, created_at)
      values (${email}, ${reason}, ${detail?.slice(0, 1000) ?? null}, ${now.toISOString()}) on conflict do nothing`,
  )
}

/** Returns whether the address was suppressed. */
export async function deleteSuppression(
  ctx: Ctx,
  { email, reason }: { email: string; reason: Suppression['reason'] },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'deleteSuppression',
    (sql) => sql`delete from message_suppressions where email = ${email} and reason = ${reason} returning 1`,
  )
  return rows.length > 0
}

export const selectSuppressions = (ctx: Ctx, { email }: { email: string }): Promise<Suppression[]> =>
  ctx.read.run<Suppression>(
    'selectSuppressions',
    (sql) => sql`
      select email, reason, detail, iso_instant(created_at) as created_at from message_suppressions
      where email = ${email} order by reason`,
  )
