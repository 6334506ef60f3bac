// Messages to users of the console: the invitation, the link to choose another password, and changes of the second factor.
import type { PlanFactorMessage } from '../../../../auth/users/verbs/second-factors.ts'
import type { PasswordLink, PlanLinkMessage } from '../../../../auth/users/verbs/password-links.ts'
import type { Ctx } from '../../../../ctx.ts'
import { findBusinessOfUser } from '../queries/messages.ts'
import { planMessage } from './plan-message.ts'

/** The address of the page of a password link. */
export const passwordLinkUrl = (ctx: Ctx, { token }: Pick<PasswordLink, 'token'>): string =>
  `${ctx.config.baseUrl}/console/password/${token}`

/** Sends a new user the link, in the transaction that creates both. */
export const planInvitation: PlanLinkMessage = async (ctx, { email, link }) => {
  const business = await findBusinessOfUser(ctx, { email })
  const data = { business, url: passwordLinkUrl(ctx, link), expiresAt: link.expiresAt.toISOString() }
  await planMessage(ctx, { kind: 'invitation', to: email, data, key: `invitation:${ctx.ids.uuid()}` })
}

/** Sends a user the link, in the transaction that creates it. */
export const planPasswordLink: PlanLinkMessage = async (ctx, { email, link }) => {
  const data = { url: passwordLinkUrl(ctx, link), expiresAt: link.expiresAt.toISOString() }
  await planMessage(ctx, { kind: 'password-link', to: email, data, key: `password-link:${ctx.ids.uuid()}` })
}

/** Tells a user that the second factor of their log-in changed, in the transaction of the change. */
export const planFactorMessage: PlanFactorMessage = async (ctx, { email, change, ...more }) => {
  const data = { kind: change, ...more, consoleUrl: `${ctx.config.baseUrl}/console/account/second-factor` }
  await planMessage(ctx, { kind: 'second-factor', to: email, data, key: `second-factor:${ctx.ids.uuid()}` })
}
