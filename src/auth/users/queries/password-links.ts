// Links for choosing a password, in the database.
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface LinkRow {
  userId: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

/** Creates the user's link, which replaces the previous one. */
export async function upsertLink(ctx: TxCtx, { userId, tokenHash, createdAt, expiresAt }: LinkRow): Promise<void> {
  await ctx.tx.run(
    'upsertLink',
    (sql) => sql`
      insert into password_links (user_id, token_hash, created_at, expires_at)
      values (${userId}, ${tokenHash}::bytea, ${createdAt.toISOString()}, ${expiresAt.toISOString()})
      on conflict (user_id) do update
      set token_hash = excluded.token_hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
  )
}

/** The user's link, which may have expired. */
export async function findLinkOf(
  ctx: TxCtx,
  { userId }: { userId: string },
): Promise<{ tokenHash: Buffer; createdAt: string; expiresAt: string } | undefined> {
  const [row] = await ctx.tx.run<{ tokenHash: Buffer; createdAt: string; expiresAt: string }>(
    'findLinkOf',
    (sql) => sql`select token_hash, created_at, expires_at from password_links where user_id = ${userId}`,
  )
  return row
}

/** The user of a link; undefined when the link has expired or the user is disabled. */
export async function findLink(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<{ userId: string; email: string } | undefined> {
  const [row] = await ctx.write.run<{ userId: string; email: string }>(
    'findLink',
    (sql) => sql`
      select u.id as user_id, u.email
      from password_links l join users u on u.id = l.user_id
      where l.token_hash = ${tokenHash}::bytea and l.expires_at > ${now.toISOString()} and u.disabled_at is null`,
  )
  return row
}

export async function deleteLinkOf(ctx: TxCtx, { userId }: { userId: string }): Promise<void> {
  await ctx.tx.run('deleteLinkOf', (sql) => sql`delete from password_links where user_id = ${userId}`)
}
