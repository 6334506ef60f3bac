// Links for choosing a password: shown once to their creator, valid for one use within a day.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { checkPassword, hashPassword } from '../passwords.ts'
import { findLink, findLinkOf, upsertLink } from '../queries/password-links.sql.ts'
import { lockUser, updatePassword } from '../queries/users.ts'
import { findCredentials } from '../queries/users.sql.ts'
import type { ActorId, Role } from '../schemas.ts'
import { hashToken, isToken } from '../tokens.ts'
import { noUserWithEmail, recordChange, revokeAccess } from './changes.ts'

/** The upper end of OWASP's advice on forgotten passwords: an operator passes the link on by other means. */
export const LINK_HOURS = 24
/** A link that expires sooner is replaced by a new one instead of being sent again. */
const MIN_HOURS_LEFT = 1
const HOUR_MS = 3_600_000

export interface PasswordLink {
  /** The secret part of its address. */
  token: string
  expiresAt: Date
}

/** Plans the message with a user’s link, in the transaction that creates the link. */
export type PlanLinkMessage = (ctx: TxCtx, input: { email: string; link: PasswordLink }) => Promise<unknown>

type Credentials = { id: string; passwordHash: string }

/**
 * Derives the token from the user and the time of creation. So the same link can be sent again, although the database only
 * stores its hash. A changed password changes the token.
 */
const tokenOf = (ctx: Ctx, { id, passwordHash }: Credentials, createdAt: Date): string =>
  ctx.encryption.digest('password link', `${id} ${passwordHash} ${createdAt.toISOString()}`)

/** Creates the user's link within a transaction; it replaces an earlier one. */
export async function insertLink(ctx: TxCtx, user: Credentials): Promise<PasswordLink> {
  const replaced = await findLinkOf(ctx, { userId: user.id })
  // A later time than that of the replaced link, because the time determines the token.
  const createdAt = new Date(Math.max(ctx.clock.now().getTime(), replaced ? Date.parse(replaced.createdAt) + 1 : 0))
  const token = tokenOf(ctx, user, createdAt)
  const expiresAt = new Date(createdAt.getTime() + LINK_HOURS * HOUR_MS)
  await upsertLink(ctx, { userId: user.id, tokenHash: hashToken(token), createdAt, expiresAt })
  return { token, expiresAt }
}

/** The user's link, unless it ends soon or was made with another HEARTH_SECRET. */
async function findLinkToSend(ctx: TxCtx, user: Credentials): Promise<PasswordLink | undefined> {
  const stored = await findLinkOf(ctx, { userId: user.id })
  if (!stored) return undefined
  const [token, expiresAt] = [tokenOf(ctx, user, new Date(stored.createdAt)), new Date(stored.expiresAt)]
  const isLasting = expiresAt.getTime() - ctx.clock.now().getTime() >= MIN_HOURS_LEFT * HOUR_MS
  return isLasting && hashToken(token).equals(stored.tokenHash) ? { token, expiresAt } : undefined
}

/**
 * Creates a link with which the user chooses another password; the current one works until then. Not for oneself: a
 * passer-by at an open browser could take over the user. Throws user_not_found, not_yourself, and invalid_transition for a
 * disabled user.
 */
export const createPasswordLink = (
  ctx: Ctx,
  { email, by, planMessage }: { email: string; by: ActorId; planMessage: PlanLinkMessage },
): Promise<PasswordLink> =>
  ctx.transaction('createPasswordLink', async (ctx) => {
    const userId = await lockUser(ctx, { email })
    if (userId === undefined) throw noUserWithEmail()
    if (userId === by) throw new AppError('not_yourself', 'Change your own password on the page “You”.')
    const user = await findCredentials(ctx, { email })
    if (!user) throw new AppError('invalid_transition', 'The user is disabled. Enable them first.')
    const link = await insertLink(ctx, user)
    await recordChange(ctx, { userId, action: 'link_made', by })
    await planMessage(ctx, { email, link })
    return link
  })

/**
 * Sends the user with this e-mail address a link for choosing another password. It works even while guessing keeps others
 * from logging in. A valid link is sent again, so that strangers who request one do not invalidate it. Without an enabled
 * user nothing is sent, and the response is the same.
 */
export const requestPasswordLink = (
  ctx: Ctx,
  { email, planMessage }: { email: string; planMessage: PlanLinkMessage },
): Promise<void> =>
  ctx.transaction('requestPasswordLink', async (ctx) => {
    await lockUser(ctx, { email })
    const user = await findCredentials(ctx, { email })
    if (!user) return
    const earlier = await findLinkToSend(ctx, user)
    const link = earlier ?? (await insertLink(ctx, user))
    if (!earlier) await recordChange(ctx, { userId: user.id, action: 'link_made', by: user.id })
    await planMessage(ctx, { email, link })
  })

/** The user of a link. Throws link_not_found. */
export async function readPasswordLink(ctx: Ctx, { token }: { token: string }): Promise<{ email: string; role: Role }> {
  const link = isToken(token) ? await findLink(ctx, { tokenHash: hashToken(token), now: ctx.clock.now() }) : undefined
  if (!link) throw linkNotFound()
  return { email: link.email, role: link.role }
}

/** Sets the password of a link's user, uses the link up and ends all sessions. Throws link_not_found and validation_failed. */
export async function choosePassword(
  ctx: Ctx,
  { token, password }: { token: string; password: string },
): Promise<void> {
  // Before the slow hash: a request without a valid link must stay cheap.
  const { email } = await readPasswordLink(ctx, { token })
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const tokenHash = hashToken(token)
  await ctx.transaction('choosePassword', async (ctx) => {
    // Lock the user first, as disabling does, then read the link again.
    const userId = await lockUser(ctx, { email })
    const isValid = await findLink(ctx, { tokenHash, now: ctx.clock.now() })
    if (userId === undefined || !isValid) throw linkNotFound()
    await updatePassword(ctx, { email, passwordHash })
    await revokeAccess(ctx, { userId, action: 'password_set', by: userId })
  })
}

const linkNotFound = () =>
  new AppError('link_not_found', 'This link was used or replaced, or it has expired. Ask for a new one.')
