// Links for choosing a password: shown once to their creator, valid for one use within a day.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { findLink, findLinkOf, upsertLink } from '../queries/password-links.ts'
import { findCredentials, lockUser, updatePassword } from '../queries/users.ts'
import type { ActorId } from '../schemas.ts'
import { hashToken, isToken } from '../tokens.ts'
import { type UserDeps, noUserWithEmail, recordChange, revokeAccess } from './changes.ts'

/** The upper end of OWASP's advice on forgotten passwords: an operator passes the link on by other means. */
export const LINK_HOURS = 24
/** A link that ends sooner is not sent again. */
const MIN_HOURS_LEFT = 1
const HOUR_MS = 3_600_000

export interface PasswordLink {
  /** The secret part of its address. */
  token: string
  expiresAt: Date
}

export type LinkDeps = UserDeps & Pick<Deps, 'encryption'>

type Credentials = { id: string; passwordHash: string }

/**
 * The token can be computed again, so that a link can be sent again although the database stores its hash only. Another password makes
 * another token.
 */
const tokenOf = ({ encryption }: LinkDeps, { id, passwordHash }: Credentials, createdAt: Date): string =>
  encryption.digest('password link', `${id} ${passwordHash} ${createdAt.toISOString()}`)

/** Creates the user's link within a transaction; it replaces an earlier one. */
export async function insertLink(deps: LinkDeps, tx: Runner, user: Credentials): Promise<PasswordLink> {
  const replaced = await findLinkOf(tx, user.id)
  // Two links never have the same moment, and so the same token.
  const createdAt = new Date(Math.max(deps.clock.now().getTime(), replaced ? Date.parse(replaced.createdAt) + 1 : 0))
  const token = tokenOf(deps, user, createdAt)
  const expiresAt = new Date(createdAt.getTime() + LINK_HOURS * HOUR_MS)
  await upsertLink(tx, { userId: user.id, tokenHash: hashToken(token), createdAt, expiresAt })
  return { token, expiresAt }
}

/** The user's link, unless it ends soon or was made with another HEARTH_SECRET. */
async function findLinkToSend(deps: LinkDeps, tx: Runner, user: Credentials): Promise<PasswordLink | undefined> {
  const stored = await findLinkOf(tx, user.id)
  if (!stored) return undefined
  const [token, expiresAt] = [tokenOf(deps, user, new Date(stored.createdAt)), new Date(stored.expiresAt)]
  const isLasting = expiresAt.getTime() - deps.clock.now().getTime() >= MIN_HOURS_LEFT * HOUR_MS
  return isLasting && hashToken(token).equals(stored.tokenHash) ? { token, expiresAt } : undefined
}

/**
 * Creates a link with which the user chooses another password; the current one works until then. Not for oneself: a
 * passer-by at an open browser could take over the user. Throws user_not_found, not_yourself, and invalid_transition for a
 * disabled user.
 */
export const createPasswordLink = (
  deps: LinkDeps,
  email: string,
  { by, tell }: { by: ActorId; tell: (tx: Runner, email: string, link: PasswordLink) => Promise<unknown> },
): Promise<PasswordLink> =>
  deps.write.begin('createPasswordLink', async (tx) => {
    const userId = await lockUser(tx, email)
    if (userId === undefined) throw noUserWithEmail()
    if (userId === by) throw new AppError('not_yourself', 'Change your own password on the page “You”.')
    const user = await findCredentials(tx, email)
    if (!user) throw new AppError('invalid_transition', 'The user is disabled. Enable them first.')
    const link = await insertLink(deps, tx, user)
    await recordChange(deps, tx, { userId, action: 'link_made', by })
    await tell(tx, email, link)
    return link
  })

/**
 * Sends the user with this address a link with which they choose another password, also while guesses keep others from logging in.
 * A link that they have is sent again: strangers who ask for one do not end the one that the user was sent. Without an enabled user
 * nothing is sent, and the caller is not told.
 */
export const mailPasswordLink = (
  deps: LinkDeps,
  email: string,
  tell: (tx: Runner, email: string, link: PasswordLink) => Promise<unknown>,
): Promise<void> =>
  deps.write.begin('mailPasswordLink', async (tx) => {
    await lockUser(tx, email)
    const user = await findCredentials(tx, email)
    if (!user) return
    const earlier = await findLinkToSend(deps, tx, user)
    const link = earlier ?? (await insertLink(deps, tx, user))
    if (!earlier) await recordChange(deps, tx, { userId: user.id, action: 'link_made', by: user.id })
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
