// Sessions of users in the database.
import type { SessionUser, UserAccess } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface SessionTimes {
  now: Date
  expiresAt: Date
  endsAt: Date
}

/** Starts a session, unless the password was changed or the user disabled meanwhile. Returns whether it did. */
export async function insertSession(
  ctx: Ctx,
  session: { tokenHash: Buffer; userId: string; passwordHash: string } & SessionTimes,
): Promise<boolean> {
  const rows = await ctx.write.run(
    'insertSession',
    (sql) => sql`
      with login as (
        update users set last_login_at = ${session.now.toISOString()}
        where id = ${session.userId} and password_hash = ${session.passwordHash} and disabled_at is null
        returning id
      )
      insert into sessions (token_hash, user_id, created_at, expires_at, ends_at)
      select ${session.tokenHash}::bytea, id, ${session.now.toISOString()}::timestamptz,
        ${session.expiresAt.toISOString()}::timestamptz, ${session.endsAt.toISOString()}::timestamptz
      from login
      returning 1`,
  )
  return rows.length > 0
}

/** A session's user, its expiry without further use, and its latest end. */
export type SessionRow = SessionUser & { expiresAt: string; endsAt: string }

export async function findSession(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<SessionRow | undefined> {
  const [row] = await ctx.write.run<SessionRow>(
    'findSession',
    (sql) => sql`
      select u.id as user_id, u.email, u.role, u.account_id, a.email as account_email, s.test_account_id, p.id as professional_id,
        p.business_name, s.expires_at, s.ends_at
      from sessions s
      join users u on u.id = s.user_id
      left join accounts a on a.id = u.account_id
      left join professionals p on p.account_id = a.id and u.role = 'pro'
      where s.token_hash = ${tokenHash} and s.expires_at > ${now.toISOString()} and u.disabled_at is null`,
  )
  return row
}

export async function extendSession(
  ctx: Ctx,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await ctx.write.run(
    'extendSession',
    (sql) => sql`
      update sessions set expires_at = ${expiresAt.toISOString()} where token_hash = ${tokenHash}`,
  )
}

/** Sets the test account whose data the session's pages show; null for the live one. */
export async function setTestAccount(
  ctx: Ctx,
  { tokenHash, testAccountId }: { tokenHash: Buffer; testAccountId: string | null },
): Promise<void> {
  await ctx.write.run(
    'setTestAccount',
    (sql) => sql`update sessions set test_account_id = ${testAccountId} where token_hash = ${tokenHash}`,
  )
}

export async function deleteSession(ctx: Ctx, { tokenHash }: { tokenHash: Buffer }): Promise<void> {
  await ctx.write.run('deleteSession', (sql) => sql`delete from sessions where token_hash = ${tokenHash}`)
}

/** Counts the user's active sessions and connected apps. */
export async function countAccess(ctx: Ctx, { userId, now }: { userId: string; now: Date }): Promise<UserAccess> {
  const at = now.toISOString()
  const [row] = await ctx.write.run<UserAccess>(
    'countAccess',
    (sql) => sql`
      select (select count(*)::int from sessions where user_id = ${userId} and expires_at > ${at}) as sessions,
        (select count(distinct g.client_id)::int from oauth_grants g join api_keys k on k.id = g.key_id
          where g.user_id = ${userId} and k.revoked_at is null and k.expires_at > ${at}) as apps`,
  )
  return row ?? { sessions: 0, apps: 0 }
}

/** Ends all sessions of the user. Run it after the change itself, so that it sees a login which the change waited for. */
export async function deleteSessionsOf(ctx: TxCtx, { userId }: { userId: string }): Promise<void> {
  await ctx.tx.run('deleteSessionsOf', (sql) => sql`delete from sessions where user_id = ${userId}`)
}
