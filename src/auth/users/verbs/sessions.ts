// Logging in and out of the console. A session is a random token in a cookie; the database knows its hash.
import { createHash, randomBytes } from 'node:crypto'

import type { Deps } from '../../../deps.ts'
import type { SessionUser } from '../schemas.ts'
import { isPassword } from '../passwords.ts'
import {
  deleteExpiredSessions,
  deleteSession,
  extendSession,
  findLogin,
  findSession,
  insertSession,
} from '../queries/users.ts'

const MINUTE_MS = 60_000
/** Without a request for so long, a session is over. */
const IDLE_MS = 2 * 60 * MINUTE_MS
/** After so long it is over in any case. */
export const SESSION_MS = 24 * 60 * MINUTE_MS
/** A use is written down when the last that was is so long ago: not per request. */
const NOTED_EVERY_MS = MINUTE_MS

/** 256 bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** Whether a text has the form of a token. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

const later = (time: Date, ms: number): Date => new Date(time.getTime() + ms)

/** What the database knows of a token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Begins a session with a fresh token when the password is the user's; otherwise nothing, and as late: a wrong password,
 * an unknown address and a disabled user cannot be told apart.
 */
export async function logIn({ write, clock }: Deps, email: string, password: string): Promise<string | undefined> {
  const user = await findLogin(write, email)
  if (!(await isPassword(password, user?.passwordHash)) || !user) return undefined
  const token = newToken()
  const now = clock.now()
  const times = { now, expiresAt: later(now, IDLE_MS), endsAt: later(now, SESSION_MS) }
  const began = await insertSession(write, {
    tokenHash: hashOf(token),
    userId: user.id,
    passwordHash: user.passwordHash,
    ...times,
  })
  return began ? token : undefined
}

/** Whether the user can log in with the password. */
export async function isPasswordOf({ write }: Pick<Deps, 'write'>, email: string, password: string): Promise<boolean> {
  return await isPassword(password, (await findLogin(write, email))?.passwordHash)
}

/** Who is logged in with the token. From the primary: a replica may not know of the session yet. */
export async function findUser({ write, clock }: Deps, token: string): Promise<SessionUser | undefined> {
  if (!isToken(token)) return undefined
  const now = clock.now()
  const found = await findSession(write, hashOf(token), now)
  if (!found) return undefined
  const { expiresAt, endsAt, ...user } = found
  const extendedMs = Math.min(now.getTime() + IDLE_MS, Date.parse(endsAt))
  if (extendedMs - Date.parse(expiresAt) >= NOTED_EVERY_MS)
    await extendSession(write, hashOf(token), new Date(extendedMs))
  return user
}

/** Ends the session, if there is one. */
export async function logOut({ write }: Deps, token: string): Promise<void> {
  if (isToken(token)) await deleteSession(write, hashOf(token))
}

/** Removes up to `limit` sessions that are over; gives how many. Nobody is let in by them any more. */
export const sweepSessions = ({ write, clock }: Deps, limit: number): Promise<number> =>
  deleteExpiredSessions(write, clock.now(), limit)
