// Logging in to and out of the console. A session is a random token in a cookie; the database stores its hash.
import type { Ctx } from '../../../ctx.ts'
import { verifyPassword } from '../passwords.ts'
import { insertSession } from '../queries/sessions.ts'
import { deleteSession, extendSession, findSession, setTestAccount } from '../queries/sessions.sql.ts'
import { findCredentials } from '../queries/users.sql.ts'
import type { SessionUser } from '../schemas.ts'
import { hashToken, isToken, newToken } from '../tokens.ts'

const MINUTE_MS = 60_000
/** A session without a request for this long has expired. */
const IDLE_MS = 2 * 60 * MINUTE_MS
/** The longest session. */
export const SESSION_MS = 24 * 60 * MINUTE_MS
/** The expiry is extended at most this often, not per request. */
const EXTEND_EVERY_MS = MINUTE_MS

const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

/**
 * Starts a session and returns its token and its user; undefined for a wrong password, an unknown address and a disabled user, after
 * the same time, so that they cannot be told apart.
 */
export async function logIn(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<{ token: string; userId: string } | undefined> {
  const user = await findCredentials(ctx, { email })
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) return undefined
  const token = newToken()
  const now = ctx.clock.now()
  const times = { now, expiresAt: later(now, IDLE_MS), endsAt: later(now, SESSION_MS) }
  const { id: userId, passwordHash } = user
  const isStarted = await insertSession(ctx, { tokenHash: hashToken(token), userId, passwordHash, ...times })
  return isStarted ? { token, userId } : undefined
}

/** Whether the user can log in with the password. */
export async function isCorrectPassword(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<boolean> {
  return await verifyPassword(password, (await findCredentials(ctx, { email }))?.passwordHash)
}

/** The user of a session token. Reads from the primary: a replica may not have the session yet. */
export async function findSessionUser(ctx: Ctx, { token }: { token: string }): Promise<SessionUser | undefined> {
  if (!isToken(token)) return undefined
  const now = ctx.clock.now()
  const session = await findSession(ctx, { tokenHash: hashToken(token), now })
  if (!session) return undefined
  const { expiresAt, endsAt, ...user } = session
  const extendedMs = Math.min(now.getTime() + IDLE_MS, Date.parse(endsAt))
  if (extendedMs - Date.parse(expiresAt) >= EXTEND_EVERY_MS)
    await extendSession(ctx, { tokenHash: hashToken(token), expiresAt: new Date(extendedMs) })
  return user
}

/** Lets the session's pages show the data of a test account; with null, live data again. */
export const showTestAccount = (
  ctx: Ctx,
  { token, testAccountId }: { token: string; testAccountId: string | null },
): Promise<void> => setTestAccount(ctx, { tokenHash: hashToken(token), testAccountId })

/** Ends the session, if it exists. */
export async function logOut(ctx: Ctx, { token }: { token: string }): Promise<void> {
  if (isToken(token)) await deleteSession(ctx, { tokenHash: hashToken(token) })
}
