// Links on which a person chooses a password: shown once to whoever makes them, good for one use and a day.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { type UserDeps, endAccess, noteChange } from './changes.ts'
import type { ActorId } from '../schemas.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { findLogin, lockUser, updatePassword } from '../queries/users.ts'
import { findLink, upsertLink } from '../queries/password-links.ts'
import { hashOf, isToken, newToken } from './sessions.ts'

/** As long as OWASP's advice on forgotten passwords bears: an operator hands the link on by other means. */
export const LINK_HOURS = 24

export interface PasswordLink {
  /** The secret part of its address. */
  token: string
  expiresAt: Date
}

/** Makes the user's link within a transaction; one made before works no more. */
export async function insertLink({ clock }: Pick<Deps, 'clock'>, tx: Runner, userId: string): Promise<PasswordLink> {
  const [token, now] = [newToken(), clock.now()]
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000)
  await upsertLink(tx, { userId, tokenHash: hashOf(token), now, expiresAt })
  return { token, expiresAt }
}

/**
 * Makes a link on which the user chooses another password; the present one works until then. Not for oneself: whoever
 * found a browser open could keep it. Throws user_not_found, not_yourself, and invalid_transition for a disabled user.
 */
export const makePasswordLink = (deps: UserDeps, email: string, by: ActorId): Promise<PasswordLink> =>
  deps.write.begin('makePasswordLink', async (tx) => {
    const userId = await lockUser(tx, email)
    if (userId === undefined) throw new AppError('user_not_found', 'Nobody logs in with this e-mail address.')
    if (userId === by) throw new AppError('not_yourself', 'Change your own password on the page “You”.')
    if (!(await findLogin(tx, email)))
      throw new AppError('invalid_transition', 'The user is disabled: enable them first.')
    const link = await insertLink(deps, tx, userId)
    await noteChange(deps, tx, { userId, action: 'link_made', by })
    return link
  })

/** Whose password a link is for: their e-mail address. Throws link_not_found. */
export async function readPasswordLink({ write, clock }: UserDeps, token: string): Promise<string> {
  const found = isToken(token) ? await findLink(write, hashOf(token), clock.now()) : undefined
  if (!found) throw linkNotFound()
  return found.email
}

/** Gives the user of a link the password they chose. The link is used up, and every session over. Throws as above, and validation_failed. */
export async function choosePassword(deps: UserDeps, token: string, password: string): Promise<void> {
  // Before the work of hashing: nobody without a link has that done.
  const email = await readPasswordLink(deps, token)
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const tokenHash = hashOf(token)
  await deps.write.begin('choosePassword', async (tx) => {
    // The user first, as whoever disables them does: the link is looked at again when they are done.
    const userId = await lockUser(tx, email)
    const isOpen = await findLink(tx, tokenHash, deps.clock.now())
    if (userId === undefined || !isOpen) throw linkNotFound()
    await updatePassword(tx, email, passwordHash)
    await endAccess(deps, tx, { userId, action: 'password_set', by: userId })
  })
}

const linkNotFound = () => new AppError('link_not_found', 'This link was used, replaced or is too old.')
