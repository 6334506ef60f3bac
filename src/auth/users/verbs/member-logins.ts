// The log-ins of a pro's business: who has one, in which role, and its end.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { revokeAppAccess } from '../../oauth/verbs/connected-apps.ts'
import { endLogin, lockLogins, selectLogins, updateProRole } from '../queries/member-logins.sql.ts'
import type { ProRole } from '../rules/pro-roles.ts'
import type { ActorId } from '../schemas.ts'
import { revokeAccess } from './changes.ts'

/** Log-ins of one business, ended ones left out. */
export const MAX_LOGINS = 100

/** A person who logs in for a business. */
export interface Login {
  id: string
  email: string
  proRole: ProRole | null
  /** The member of the team who it is; null for the first owner. */
  memberId: string | null
  lastLoginAt: string | null
  disabledAt: string | null
  linkExpiresAt: string | null
}

interface OfMember {
  accountId: string
  memberId: string
  by: ActorId
}

/** Those who log in for the account, owners first. */
export const listLogins = (ctx: Ctx, { accountId }: { accountId: string }): Promise<Login[]> =>
  selectLogins(ctx, { accountId, limit: 2 * MAX_LOGINS })

/**
 * Gives the member's log-in another role, which counts at the next request of each of their sessions. What the former role let apps do
 * ends. Returns the former role, and undefined without a log-in. Throws not_yourself, and invalid_transition for the last owner.
 */
export async function changeProRole(
  ctx: TxCtx,
  { proRole, ...of }: OfMember & { proRole: ProRole },
): Promise<{ email: string; former: ProRole | null } | undefined> {
  const login = await lockLogin(ctx, of)
  if (!login) return undefined
  if (login.proRole !== proRole) {
    checkChange(login, of.by)
    await updateProRole(ctx, { id: login.id, proRole })
    await revokeAppAccess(ctx, { userId: login.id })
  }
  return { email: login.email, former: login.proRole }
}

/**
 * Ends the member's log-in with its sessions and apps, and frees its address. Returns the address, and undefined without a log-in. Throws
 * not_yourself, and invalid_transition for the last owner.
 */
export async function endMemberLogin(ctx: TxCtx, of: OfMember): Promise<string | undefined> {
  const login = await lockLogin(ctx, of)
  if (!login) return undefined
  checkChange(login, of.by)
  await endLogin(ctx, { id: login.id, now: ctx.clock.now() })
  await revokeAccess(ctx, { userId: login.id, action: 'disabled', by: of.by })
  return login.email
}

/** The member's log-in, with whether another owner can log in. All of the account stay locked until the transaction ends. */
async function lockLogin(ctx: TxCtx, { accountId, memberId }: OfMember) {
  const logins = await lockLogins(ctx, { accountId })
  const login = logins.find((it) => it.memberId === memberId)
  const isOtherOwner = (it: (typeof logins)[number]) => it.proRole === 'owner' && it.disabledAt === null && it !== login
  return login && { ...login, hasOtherOwner: logins.some(isOtherOwner) }
}

function checkChange(login: { id: string; proRole: ProRole | null; hasOtherOwner: boolean }, by: ActorId): void {
  if (login.id === by)
    throw new AppError('not_yourself', 'You cannot change or end your own log-in. Ask another owner to do it.')
  if (login.proRole === 'owner' && !login.hasOtherOwner)
    throw new AppError(
      'invalid_transition',
      'This is the last owner who can log in. Make another member an owner first.',
    )
}
