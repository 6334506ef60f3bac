// The change of the address with which a user logs in: asked for, then proven by a link that the new address gets.
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { findLogin, lockLoginById, moveLogin, moveOperatorKeys } from '../queries/email-change.sql.ts'
import type { ActorId } from '../schemas.ts'
import { revokeAccess } from './changes.ts'
import { isCorrectPassword } from './sessions.ts'

const PURPOSE = 'address of a log-in'
const DAY_MS = 86_400_000

/** What the link holds. It works once, and no more after another password: `state` is of the address and the password. */
const LinkContent = Type.Object({
  userId: Type.String(),
  email: Type.String(),
  state: Type.String(),
  by: Type.Union([Type.String(), Type.Null()]),
})

/** A change that waits for its proof. */
export interface AskedChange {
  userId: string
  /** Of a pro's person. */
  professionalId: string | null
  from: string
  to: string
  /** The secret part of the link; null when the new address has a log-in already. Only its reader learns that. */
  token: string | null
  expiresAt: Date
  /** An operator asked for it. */
  isByOperator: boolean
}

type PlanMessages = (ctx: TxCtx, change: AskedChange) => Promise<unknown>

const stateOf = (ctx: Ctx, { email, passwordHash }: { email: string; passwordHash: string }): string =>
  ctx.encryption.digest(PURPOSE, `${email} ${passwordHash}`)

/** Asks for another address, in the transaction that plans its messages. Nothing changes yet. Throws user_not_found and validation_failed. */
export const askForEmail = (
  ctx: Ctx,
  { userId, email, by, planMessages }: { userId: string; email: string; by: ActorId; planMessages: PlanMessages },
): Promise<void> =>
  ctx.transaction('askForEmail', async (ctx) => {
    const user = await lockLoginById(ctx, { id: userId })
    if (!user) throw new AppError('user_not_found', 'No user who can log in has this id.')
    if (user.email === email) throw invalidField('email', 'is the address with which you log in now')
    const expiresAt = new Date(ctx.clock.now().getTime() + DAY_MS)
    const content: Static<typeof LinkContent> = { userId, email, state: stateOf(ctx, user), by }
    const isFree = (await findLogin(ctx, { email })) === undefined
    const token = isFree ? ctx.encryption.encrypt(PURPOSE, content, expiresAt) : null
    const { professionalId, email: from } = user
    await planMessages(ctx, { userId, professionalId, from, to: email, token, expiresAt, isByOperator: by !== userId })
  })

/** The same for one's own address, with the password. Throws validation_failed. */
export async function askForOwnEmail(
  ctx: Ctx,
  {
    current,
    ...change
  }: { userId: string; ownEmail: string; email: string; current: string; planMessages: PlanMessages },
): Promise<void> {
  const { ownEmail, ...asked } = change
  if (!(await isCorrectPassword(ctx, { email: ownEmail, password: current })))
    throw invalidField('current', 'is not your password')
  await askForEmail(ctx, { ...asked, by: asked.userId })
}

/** The change of a link. Throws link_not_found. */
export const readEmailChange = (ctx: Ctx, { token }: { token: string }): Promise<{ from: string; to: string }> =>
  ctx.transaction('readEmailChange', async (ctx) => {
    const { from, to } = await lockedChange(ctx, token)
    return { from, to }
  })

/** Changes the address, ends all sessions and the access of apps, and tells the former address. Throws link_not_found. */
export const confirmEmail = (
  ctx: Ctx,
  {
    token,
    planMessage,
  }: { token: string; planMessage: (ctx: TxCtx, change: { from: string; to: string }) => Promise<unknown> },
): Promise<{ to: string }> =>
  ctx.transaction('confirmEmail', async (ctx) => {
    const { userId, from, to, by } = await lockedChange(ctx, token)
    if (!(await moveLogin(ctx, { id: userId, email: to }))) throw linkNotFound()
    await moveOperatorKeys(ctx, { from, to, now: ctx.clock.now() })
    await revokeAccess(ctx, { userId, action: 'email_changed', by })
    await planMessage(ctx, { from, to })
    return { to }
  })

async function lockedChange(ctx: TxCtx, token: string) {
  const content = ctx.encryption.decrypt(PURPOSE, token, ctx.clock.now())
  if (!Value.Check(LinkContent, content)) throw linkNotFound()
  const user = await lockLoginById(ctx, { id: content.userId })
  if (!user || stateOf(ctx, user) !== content.state) throw linkNotFound()
  return { userId: content.userId, from: user.email, to: content.email, by: content.by }
}

const linkNotFound = () =>
  new AppError(
    'link_not_found',
    'This link was used, or it has expired, or your password or address was changed since.',
  )
