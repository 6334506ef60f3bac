// The log-ins of members: given by an owner, changed and ended. Each change is in the audit log and told by e-mail.
import {
  type Login,
  MAX_LOGINS,
  changeProRole,
  endMemberLogin,
  listLogins,
} from '../../../../auth/users/verbs/member-logins.ts'
import { type PasswordLink, createPasswordLink } from '../../../../auth/users/verbs/password-links.ts'
import { inviteUser } from '../../../../auth/users/verbs/users.ts'
import type { ProRole } from '../../../../auth/users/rules/pro-roles.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import type { MessageData } from '../../../messages/messages/kinds.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { planInvitation, planPasswordLink } from '../../../messages/messages/verbs/user-links.ts'
import { recordAction } from '../../../upkeep/audit/verbs.ts'
import { findOwner } from '../queries.sql.ts'
import { lockMember } from '../queries.ts'
import type { Member } from '../schemas.ts'
import { type TeamOwner, getMember, memberNotFound } from './find-member.ts'

/** An owner who is logged in. */
type Owner = TeamOwner & { userId: string }

export type { Login }

/** Those who log in for the business, owners first. */
export const listLoginsOfTeam = (ctx: Ctx<TeamOwner>): Promise<Login[]> =>
  listLogins(ctx, { accountId: ctx.actor.accountId })

/** A member with the log-in, if there is one. Throws member_not_found. */
export async function getMemberWithLogin(
  ctx: Ctx<TeamOwner>,
  { id }: { id: string },
): Promise<{ member: Member; login: Login | undefined }> {
  const [member, logins] = await Promise.all([getMember(ctx, { id }), listLoginsOfTeam(ctx)])
  return { member, login: logins.find(({ memberId }) => memberId === id) }
}

/**
 * Gives a member a log-in, and mails the link with which they choose a password. Throws member_not_found, invalid_transition for a member who has
 * one and for a team with too many, and validation_failed for an address that has a log-in.
 */
export async function giveLogin(
  ctx: Ctx<Owner>,
  { id, email, proRole }: { id: string; email: string; proRole: ProRole },
): Promise<PasswordLink> {
  const { professionalId, userId: by } = ctx.actor
  const [member, logins] = await Promise.all([getMember(ctx, { id }), listLoginsOfTeam(ctx)])
  if (logins.some(({ memberId }) => memberId === id)) throw hasLoginAlready(member)
  if (logins.length >= MAX_LOGINS)
    throw new AppError('invalid_transition', `A business has at most ${MAX_LOGINS} log-ins. End one first.`)
  const own = logins.find((login) => login.email === email)
  if (own)
    throw invalidField(
      'email',
      `already logs in to your business, as ${own.proRole}. Use another address of ${member.name}`,
    )
  try {
    const input = { email, role: 'pro', pro: professionalId, member: { id, proRole }, by } as const
    const { link } = await inviteUser(ctx, {
      ...input,
      planMessage: async (tx, invited) => {
        // A removed member gets no log-in: the transaction is undone.
        if (!(await lockMember(tx, { professionalId, id }))) throw memberNotFound()
        await planInvitation(tx, invited)
        await recordAction(tx, {
          ...entryOf(ctx.actor, id),
          action: 'member.invited',
          details: { email, role: proRole },
        })
        await tellOwner(tx, { professionalId, change: 'invited', member: member.name, email, proRole })
      },
    })
    return link
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'user_exists') throw error
    // Another owner, or a second press of the button, gave it meanwhile.
    if ((await listLoginsOfTeam(ctx)).some(({ memberId }) => memberId === id)) throw hasLoginAlready(member)
    throw invalidField(
      'email',
      'has a log-in here already, and a log-in belongs to one business. Use another address, or let its owner ask us to end it',
    )
  }
}

/** Sends the member the link again: to accept the invitation, or to choose another password. Throws member_not_found and user_not_found. */
export async function sendLinkAgain(
  ctx: Ctx<Owner>,
  { id }: { id: string },
): Promise<{ email: string; link: PasswordLink }> {
  const { login } = await getMemberWithLogin(ctx, { id })
  if (!login) throw noLogin()
  const { email, lastLoginAt } = login
  const planMessage = lastLoginAt === null ? planInvitation : planPasswordLink
  return { email, link: await createPasswordLink(ctx, { email, by: ctx.actor.userId, planMessage }) }
}

/** Gives the member's log-in another role. Returns false when it had it. Throws as {@link changeProRole}, member_not_found and user_not_found. */
export async function changeLoginRole(
  ctx: Ctx<Owner>,
  { id, proRole }: { id: string; proRole: ProRole },
): Promise<boolean> {
  const { accountId, professionalId, userId: by } = ctx.actor
  const member = await getMember(ctx, { id })
  return await ctx.transaction('changeLoginRole', async (ctx) => {
    const changed = await changeProRole(ctx, { accountId, memberId: id, proRole, by })
    if (!changed) throw noLogin()
    const { email, former } = changed
    if (former === proRole) return false
    const details = { email, from: former, to: proRole }
    await recordAction(ctx, { ...entryOf(ctx.actor, id), action: 'member.changed', details })
    await tellBoth(ctx, { professionalId, change: 'role', member: member.name, email, proRole })
    return true
  })
}

/** Ends the member's log-in at once. Returns false without one. Throws as {@link endMemberLogin}, and member_not_found. */
export async function endLogin(ctx: Ctx<Owner>, { id }: { id: string }): Promise<boolean> {
  const { professionalId, userId: by } = ctx.actor
  await getMember(ctx, { id })
  return await ctx.transaction('endLogin', (ctx) => endLoginOfMember(ctx, { professionalId, memberId: id, by }))
}

/** Ends the log-in of a member, also of one who is removed. Returns false without one. Throws as {@link endMemberLogin}. */
export async function endLoginOfMember(
  ctx: TxCtx,
  { professionalId, memberId, by }: { professionalId: string; memberId: string; by: string | null },
): Promise<boolean> {
  const owner = await ownerOf(ctx, professionalId)
  const email = await endMemberLogin(ctx, { accountId: owner.accountId, memberId, by })
  if (email === undefined) return false
  await recordAction(ctx, { action: 'member.ended', subjectId: memberId, professionalId, by, details: { email } })
  await tellBoth(ctx, { professionalId, change: 'ended', member: null, email, proRole: null })
  return true
}

const hasLoginAlready = ({ name }: Member) => new AppError('invalid_transition', `${name} has a log-in already.`)
const noLogin = () => new AppError('user_not_found', 'This member has no log-in.')

const entryOf = ({ professionalId, userId: by }: Owner, subjectId: string) => ({ subjectId, professionalId, by })

async function ownerOf(ctx: TxCtx, professionalId: string) {
  const owner = await findOwner(ctx, { professionalId })
  if (!owner) throw new AppError('professional_not_found', 'No pro has this id.')
  return owner
}

type Told = Pick<MessageData['login-changed'], 'change' | 'member' | 'email' | 'proRole'> & { professionalId: string }

/** Tells the business, at the address of its account. */
async function tellOwner(ctx: TxCtx, { professionalId, ...told }: Told): Promise<void> {
  const { businessName: pro, email: to } = await ownerOf(ctx, professionalId)
  const data = { ...told, pro, isOwn: false, consoleUrl: `${ctx.config.baseUrl}/console/team` }
  await planMessage(ctx, { kind: 'login-changed', to, data, key: `login-changed:${ctx.ids.uuid()}`, professionalId })
}

/** Tells the business and the member. */
async function tellBoth(ctx: TxCtx, { professionalId, ...told }: Told): Promise<void> {
  await tellOwner(ctx, { professionalId, ...told })
  const { businessName: pro } = await ownerOf(ctx, professionalId)
  const data = { ...told, pro, isOwn: true, consoleUrl: `${ctx.config.baseUrl}/console` }
  const key = `login-changed:${ctx.ids.uuid()}`
  await planMessage(ctx, { kind: 'login-changed', to: told.email, data, key, professionalId })
}
