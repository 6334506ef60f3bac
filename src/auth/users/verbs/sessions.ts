// Logging in to and out of the console. A session is a random token in a cookie; the database stores its hash.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { verifyPassword } from '../passwords.ts'
import { insertSession } from '../queries/sessions.ts'
import { findSecondFactor } from '../queries/second-factors.sql.ts'
import { deleteSession, extendSession, findSession, setTestAccount } from '../queries/sessions.sql.ts'
import { lockUser } from '../queries/users.ts'
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

/** A session that was started. */
export interface StartedSession {
  token: string
  userId: string
}

/** A person who gave the right password, and has not proven their second factor yet. */
export interface PasswordCheck {
  userId: string
  email: string
  /** Of the password's hash: another password ends the check. */
  passwordDigest: string
}

/**
 * Starts a session, or returns the check of the password where the user has a second factor: {@link startCheckedSession} goes on with it.
 * Undefined for a wrong password, an unknown address and a disabled user, after the same time, so that they cannot be told apart.
 */
export async function logIn(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<StartedSession | { check: PasswordCheck } | undefined> {
  const user = await findByPassword(ctx, { email, password })
  if (!user) return undefined
  const { id: userId, passwordHash } = user
  if (await findSecondFactor(ctx, { userId }))
    return { check: { userId, email, passwordDigest: passwordDigestOf(ctx, passwordHash) } }
  return await startSession(ctx, { userId, email, passwordHash, hasProvenFactor: false })
}

const passwordDigestOf = (ctx: Ctx, passwordHash: string): string =>
  ctx.encryption.digest('password check', passwordHash)

/** Starts the session of a person who has proven their second factor; undefined when their password was changed meanwhile. */
export async function startCheckedSession(
  ctx: TxCtx,
  { userId, email, passwordDigest }: PasswordCheck,
): Promise<StartedSession | undefined> {
  const user = await findCredentials(ctx, { email })
  if (user?.id !== userId || passwordDigestOf(ctx, user.passwordHash) !== passwordDigest) return undefined
  return await startSession(ctx, { userId, email, passwordHash: user.passwordHash, hasProvenFactor: true })
}

/** Starts another session of a person who is logged in, with their new password: their second factor is proven. */
export async function logInAgain(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<StartedSession | undefined> {
  const user = await findByPassword(ctx, { email, password })
  if (!user) return undefined
  return await startSession(ctx, { userId: user.id, email, passwordHash: user.passwordHash, hasProvenFactor: true })
}

interface NewSession {
  userId: string
  email: string
  passwordHash: string
  hasProvenFactor: boolean
}

const startSession = (ctx: Ctx, { email, ...session }: NewSession): Promise<StartedSession | undefined> =>
  ctx.transaction('startSession', async (ctx) => {
    await lockUser(ctx, { email })
    const token = newToken()
    const now = ctx.clock.now()
    const times = { now, expiresAt: later(now, IDLE_MS), endsAt: later(now, SESSION_MS) }
    const isStarted = await insertSession(ctx, { ...session, tokenHash: hashToken(token), ...times })
    return isStarted ? { token, userId: session.userId } : undefined
  })

/** The user who can log in with the password; undefined, after the same time, for another address or password. */
async function findByPassword(
  ctx: Ctx,
  { email, password }: { email: string; password: string },
): Promise<{ id: string; passwordHash: string } | undefined> {
  const user = await findCredentials(ctx, { email })
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) return undefined
  return user
}

/** Whether the user can log in with the password. */
export const isCorrectPassword = async (ctx: Ctx, input: { email: string; password: string }): Promise<boolean> =>
  (await findByPassword(ctx, input)) !== undefined

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
