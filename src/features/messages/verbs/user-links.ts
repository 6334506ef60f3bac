// Messages to users of the console: the invitation, and the link to choose another password.
import type { PasswordLink } from '../../../auth/users/verbs/password-links.ts'
import type { Deps } from '../../../deps.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { findBusinessOfUser } from '../queries/messages.ts'
import { planMessage } from './plan-message.ts'

type Tell = (tx: Runner, email: string, link: PasswordLink) => Promise<void>

/** The address of the page of a password link. */
export const passwordLinkUrl = ({ config }: Pick<Deps, 'config'>, { token }: Pick<PasswordLink, 'token'>): string =>
  `${config.baseUrl}/console/password/${token}`

/** Sends a new user the link, in the transaction that creates both. */
export const tellInvitation =
  (deps: Deps): Tell =>
  async (tx, email, link) => {
    const business = await findBusinessOfUser(tx, email)
    const data = { business, url: passwordLinkUrl(deps, link), expiresAt: link.expiresAt.toISOString() }
    await planMessage(deps, tx, { kind: 'invitation', to: email, data, key: `invitation:${deps.ids.uuid()}` })
  }

/** Sends a user the link, in the transaction that creates it. */
export const tellPasswordLink =
  (deps: Deps): Tell =>
  async (tx, email, link) => {
    const data = { url: passwordLinkUrl(deps, link), expiresAt: link.expiresAt.toISOString() }
    await planMessage(deps, tx, { kind: 'password-link', to: email, data, key: `password-link:${deps.ids.uuid()}` })
  }
