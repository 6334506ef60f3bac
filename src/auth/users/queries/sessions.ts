// Sessions of users in the database.
import type { UserAccess } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './sessions.sql.ts'

export interface SessionTimes {
  now: Date
  expiresAt: Date
  endsAt: Date
}

/**
 * Starts a session, unless the password was changed, the user disabled, or a second factor set up that was not proven. Returns
 * whether it did.
 */
export async function insertSession(
  ctx: TxCtx,
  session: { tokenHash: Buffer; userId: string; passwordHash: string; hasProvenFactor: boolean } & SessionTimes,
): Promise<boolean> {
  const rows = await statements.insertSession(ctx, {
    now: session.now,
    userId: session.userId,
    passwordHash: session.passwordHash,
    hasProvenFactor: session.hasProvenFactor,
    tokenHash: session.tokenHash,
    expiresAt: session.expiresAt,
    endsAt: session.endsAt,
  })
  return rows.length > 0
}

/** Counts the user's active sessions and connected apps. */
export async function countAccess(ctx: Ctx, { userId, now }: { userId: string; now: Date }): Promise<UserAccess> {
  const at = now.toISOString()
  const row = await statements.countAccess(ctx, { userId, at })
  return row ?? { sessions: 0, apps: 0 }
}
