// Sessions of users in the database.
import type { SessionUser, UserAccess } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './sessions.sql.ts'

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
  const rows = await statements.insertSession(ctx, {
    now: session.now,
    userId: session.userId,
    passwordHash: session.passwordHash,
    tokenHash: session.tokenHash,
    expiresAt: session.expiresAt,
    endsAt: session.endsAt,
  })
  return rows.length > 0
}

/** A session's user, its expiry without further use, and its latest end. */
export type SessionRow = SessionUser & { expiresAt: string; endsAt: string }

export async function findSession(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<SessionRow | undefined> {
  return await statements.findSession(ctx, { tokenHash, now })
}

export async function extendSession(
  ctx: Ctx,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await statements.extendSession(ctx, { expiresAt, tokenHash })
}

/** Sets the test account whose data the session's pages show; null for the live one. */
export async function setTestAccount(
  ctx: Ctx,
  { tokenHash, testAccountId }: { tokenHash: Buffer; testAccountId: string | null },
): Promise<void> {
  await statements.setTestAccount(ctx, { testAccountId, tokenHash })
}

export async function deleteSession(ctx: Ctx, { tokenHash }: { tokenHash: Buffer }): Promise<void> {
  await statements.deleteSession(ctx, { tokenHash })
}

/** Counts the user's active sessions and connected apps. */
export async function countAccess(ctx: Ctx, { userId, now }: { userId: string; now: Date }): Promise<UserAccess> {
  const at = now.toISOString()
  const row = await statements.countAccess(ctx, { userId, at })
  return row ?? { sessions: 0, apps: 0 }
}

/** Ends all sessions of the user. Run it after the change itself, so that it sees a login which the change waited for. */
export async function deleteSessionsOf(ctx: TxCtx, { userId }: { userId: string }): Promise<void> {
  await statements.deleteSessionsOf(ctx, { userId })
}
