// Links for choosing a password: shown once to their creator, valid for one use within a day.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { findLink, upsertLink } from '../queries/password-links.ts'
import { findCredentials, lockUser, updatePassword } from '../queries/users.ts'
import type { ActorId } from '../schemas.ts'
import { hashToken, isToken, newToken } from '../tokens.ts'
import { type UserDeps, noUserWithEmail, recordChange, revokeAccess } from './changes.ts'

/** The upper end of OWASP's advice on forgotten passwords: an operator passes the link on by other means. */
export const LINK_HOURS = 24

export interface PasswordLink {
  /** The secret part of its address. */
  token: string
  expiresAt: Date
}

/** Creates the user's link within a transaction; it replaces an earlier one. */
export async function insertLink({ clock }: Pick<Deps, 'clock'>, tx: Runner, userId: string): Promise<PasswordLink> {
  const [token, now] = [newToken(), clock.now()]
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000)
  await upsertLink(tx, { userId, tokenHash: hashToken(token), now, expiresAt })
  return { token, expiresAt }
}

/**
 * Creates a link with which the user chooses another password; the current one works until then. Not for oneself: a
 * passer-by at an open browser could take over the user. Throws user_not_found, not_yourself, and invalid_transition for a
 * disabled user.
 */
export const createPasswordLink = (
  deps: UserDeps,
  email: string,
  { by, tell }: { by: ActorId; tell: (tx: Runner, email: string, link: PasswordLink) => Promise<unknown> },
): Promise<PasswordLink> =>
  deps.write.begin('createPasswordLink', async (tx) => {
    const userId = await lockUser(tx, email)
    if (userId === undefined) throw noUserWithEmail()
    if (userId === by) throw new AppError('not_yourself', 'Change your own password on the page “You”.')
    if (!(await findCredentials(tx, email)))
      throw new AppError('invalid_transition', 'The user is disabled. Enable them first.')
    const link = await insertLink(deps, tx, userId)
    await recordChange(deps, tx, { userId, action: 'link_made', by })
    await tell(tx, email, link)
    return link
  })

/**
 * Sends the user with this address a link with which they choose another password, also while guesses keep others from logging in.
 * Without an enabled user nothing is sent, and the caller is not told.
 */
export const mailPasswordLink = (
  deps: UserDeps,
  email: string,
  tell: (tx: Runner, email: string, link: PasswordLink) => Promise<unknown>,
): Promise<void> =>
  deps.write.begin('mailPasswordLink', async (tx) => {
    const userId = await lockUser(tx, email)
    if (userId === undefined || !(await findCredentials(tx, email))) return
    const link = await insertLink(deps, tx, userId)
    await recordChange(deps, tx, { userId, action: 'link_made', by: userId })
    await tell(tx, email, link)
  })

/** The e-mail address of a link's user. Throws link_not_found. */
export async function readPasswordLink({ write, clock }: UserDeps, token: string): Promise<string> {
  const link = isToken(token) ? await findLink(write, hashToken(token), clock.now()) : undefined
  if (!link) throw linkNotFound()
  return link.email
}

/** Sets the password of a link's user, uses the link up and ends all sessions. Throws link_not_found and validation_failed. */
export async function choosePassword(deps: UserDeps, token: string, password: string): Promise<void> {
  // Before the slow hash: a request without a valid link must stay cheap.
  const email = await readPasswordLink(deps, token)
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const tokenHash = hashToken(token)
  await deps.write.begin('choosePassword', async (tx) => {
    // Lock the user first, as disabling does, then read the link again.
    const userId = await lockUser(tx, email)
    const isValid = await findLink(tx, tokenHash, deps.clock.now())
    if (userId === undefined || !isValid) throw linkNotFound()
    await updatePassword(tx, email, passwordHash)
    await revokeAccess(deps, tx, { userId, action: 'password_set', by: userId })
  })
}

const linkNotFound = () =>
  new AppError('link_not_found', 'This link was used or replaced, or it has expired. Ask for a new one.')
