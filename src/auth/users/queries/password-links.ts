// Links for choosing a password, in the database.
import type { Runner } from '../../../platform/postgres/database.ts'

export interface LinkRow {
  userId: string
  tokenHash: Buffer
  createdAt: Date
  expiresAt: Date
}

/** Creates the user's link, which replaces the previous one. */
export async function upsertLink(tx: Runner, { userId, tokenHash, createdAt, expiresAt }: LinkRow): Promise<void> {
  await tx.run(
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
  tx: Runner,
  userId: string,
): Promise<{ tokenHash: Buffer; createdAt: string; expiresAt: string } | undefined> {
  const [row] = await tx.run<{ tokenHash: Buffer; createdAt: string; expiresAt: string }>(
    'findLinkOf',
    (sql) => sql`select token_hash, created_at, expires_at from password_links where user_id = ${userId}`,
  )
  return row
}

/** The user of a link; undefined when the link has expired or the user is disabled. */
export async function findLink(
  db: Runner,
  tokenHash: Buffer,
  now: Date,
): Promise<{ userId: string; email: string } | undefined> {
  const [row] = await db.run<{ userId: string; email: string }>(
    'findLink',
    (sql) => sql`
      select u.id as user_id, u.email
      from password_links l join users u on u.id = l.user_id
      where l.token_hash = ${tokenHash}::bytea and l.expires_at > ${now.toISOString()} and u.disabled_at is null`,
  )
  return row
}

export async function deleteLinkOf(tx: Runner, userId: string): Promise<void> {
  await tx.run('deleteLinkOf', (sql) => sql`delete from password_links where user_id = ${userId}`)
}
