// Users of the console: created, listed, given another password, disabled; from the console and from a terminal.
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { ensureAccount } from '../../accounts/verbs.ts'
import { announceKeyChange } from '../../keys/verbs/keys.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { changeUser, recordChange } from './changes.ts'
import { type PasswordLink, type PlanLinkMessage, insertLink } from './password-links.ts'
import type { ActorId, ListedUser, Role, User, UserAccess, UsersQuery } from '../schemas.ts'
import type { OperatorRole } from '../rules/operator-roles.ts'
import type { ProRole } from '../rules/pro-roles.ts'
import { checkPassword, generatePassword, hashPassword } from '../passwords.ts'
import { countAccess } from '../queries/sessions.ts'
import {
  findAccountOfPro,
  lockAdministrators,
  lockUser,
  selectUsers,
  updateDisabled,
  updatePassword,
} from '../queries/users.ts'
import { insertUser } from '../queries/users.sql.ts'
import { keepAdministrator } from './operator-roles.ts'
import { isCorrectPassword } from './sessions.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

export interface NewUser {
  email: string
  role: Role
  /** What an operator may do: everything by default. */
  operatorRole?: OperatorRole
  /** What a member of a pro's team may do, and who it is: an owner by default. */
  member?: { readonly id: string; readonly proRole: ProRole }
  /** Generated if absent. */
  password?: string
  /** Id or slug; required with the role `pro`. */
  pro?: string
  /** The e-mail address of a developer's account, created if necessary; the user's own address by default. */
  account?: string
}

/** The password is shown only in this response. */
export type CreatedUser = User & { password: string }

/**
 * Creates a user. Throws validation_failed for an invalid e-mail address, a password of the wrong length, and an account
 * that does not fit the role; professional_not_found; user_exists.
 */
export async function createUser(ctx: Ctx, { by = null, ...input }: { by?: ActorId } & NewUser): Promise<CreatedUser> {
  const { password = generatePassword() } = input
  checkInput(input)
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const user = await ctx.transaction('createUser', (ctx) => insertNewUser(ctx, { input, passwordHash, by }))
  return { ...user, password }
}

/** Creates a user with a random password, and a link to choose another one. Throws as {@link createUser}. */
export async function inviteUser(
  ctx: Ctx,
  { by, planMessage, ...input }: { by: ActorId; planMessage: PlanLinkMessage } & Omit<NewUser, 'password'>,
): Promise<{ user: User; link: PasswordLink }> {
  checkInput(input)
  const passwordHash = await hashPassword(generatePassword())
  return await ctx.transaction('inviteUser', async (ctx) => {
    const user = await insertNewUser(ctx, { input, passwordHash, by })
    const link = await insertLink(ctx, { id: user.id, passwordHash })
    await planMessage(ctx, { email: user.email, link })
    return { user, link }
  })
}

function checkInput({ email, role, operatorRole, pro, account }: NewUser): void {
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address')
  if (role !== 'operator' && operatorRole !== undefined)
    throw invalidField('operatorRole', 'is allowed only with the role operator')
  if (role === 'pro' && pro === undefined) throw invalidField('pro', 'is required with the role pro: an id or a slug')
  if (role !== 'pro' && pro !== undefined) throw invalidField('pro', 'is allowed only with the role pro')
  if (account === undefined) return
  if (role !== 'developer') throw invalidField('account', 'is allowed only with the role developer')
  if (!isEmail(account)) throw invalidField('account', 'must be an e-mail address')
}

async function insertNewUser(
  ctx: TxCtx,
  { input, passwordHash, by }: { input: NewUser; passwordHash: string; by: ActorId },
): Promise<User> {
  const user = await insertUser(ctx, {
    id: ctx.ids.uuid(),
    email: input.email,
    passwordHash,
    role: input.role,
    operatorRole: input.operatorRole ?? 'administrator',
    proRole: input.member?.proRole ?? 'owner',
    memberId: input.member?.id ?? null,
    accountId: await accountFor(ctx, input),
    now: ctx.clock.now(),
  })
  if (!user) throw new AppError('user_exists', 'A user with this e-mail address exists already.')
  await recordChange(ctx, { userId: user.id, action: 'created', operatorRole: user.operatorRole, by })
  return user
}

async function accountFor(ctx: TxCtx, { role, pro, account, email }: NewUser): Promise<string | null> {
  if (role === 'operator') return null
  if (role === 'pro') {
    const accountId = await findAccountOfPro(ctx, idOrSlug(pro ?? ''))
    if (accountId === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
    return accountId
  }
  const owner = await ensureAccount(ctx, { email: account ?? email })
  if (owner.kind === 'pro') throw invalidField('account', 'belongs to a pro: use the role pro')
  return owner.id
}

/** All users, by e-mail address. */
export const listUsers = (ctx: Ctx): Promise<ListedUser[]> => selectUsers(ctx, {})

/** A page of the matching users, by e-mail address. */
export async function findUsers(
  ctx: Ctx,
  { q, role, state, ...query }: UsersQuery,
): Promise<{ users: ListedUser[]; total: number }> {
  const isDisabled = state ? state === 'disabled' : undefined
  const users = await selectUsers(ctx, { q, role: role || undefined, isDisabled, ...pageOf(query) })
  return { users, total: users[0]?.total ?? 0 }
}

/** One user, and what they have open. Throws user_not_found. */
export async function getUser(ctx: Ctx, { id }: { id: string }): Promise<ListedUser & UserAccess> {
  const [user] = await selectUsers(ctx, { id })
  if (!user) throw new AppError('user_not_found', 'No user has this id.')
  return { ...user, ...(await countAccess(ctx, { userId: id, now: ctx.clock.now() })) }
}

/**
 * Sets the user's password, generated by default, and ends their sessions and the access of their apps. Returns the password. Throws validation_failed
 * and user_not_found.
 */
export async function setPassword(
  ctx: Ctx,
  { email, password = generatePassword(), by = null }: { email: string; password?: string; by?: ActorId },
): Promise<string> {
  checkPassword(password)
  const hash = await hashPassword(password)
  await changeUser(ctx, {
    action: 'password_set',
    by,
    change: (ctx) => updatePassword(ctx, { email, passwordHash: hash }),
  })
  return password
}

/**
 * Sets the caller's own password and ends all their sessions, the current one included. Throws validation_failed when
 * `current` is wrong or `next` has the wrong length.
 */
export async function changePassword(
  ctx: Ctx,
  { userId, email, current, next }: { userId: string; email: string; current: string; next: string },
): Promise<void> {
  if (!(await isCorrectPassword(ctx, { email, password: current })))
    throw invalidField('current', 'is not your password')
  await setPassword(ctx, { email, password: next, by: userId })
}

/**
 * Logs the user out everywhere and prevents further logins. At least one administrator must remain: throws last_operator,
 * not_yourself and user_not_found.
 */
export const disableUser = (ctx: Ctx, { email, by = null }: { email: string; by?: ActorId }): Promise<void> =>
  changeUser(ctx, {
    action: 'disabled',
    by,
    change: async (ctx) => {
      const administrators = await lockAdministrators(ctx)
      const id = await updateDisabled(ctx, { email, disabledAt: ctx.clock.now() })
      // An operator's keys end with their log-in, in every process.
      await announceKeyChange(ctx)
      if (id !== undefined && id === by)
        throw new AppError('not_yourself', 'You cannot disable yourself. Ask another operator to do it.')
      keepAdministrator(administrators, id)
      return id
    },
  })

/** Lets a disabled user log in again. Throws user_not_found. */
export const enableUser = (ctx: Ctx, { email, by = null }: { email: string; by?: ActorId }): Promise<void> =>
  changeUser(ctx, { action: 'enabled', by, change: (ctx) => updateDisabled(ctx, { email, disabledAt: null }) })

/** Logs the user out everywhere, ends the access of their apps, and deletes their password link. Throws user_not_found. */
export const endSessions = (ctx: Ctx, { email, by = null }: { email: string; by?: ActorId }): Promise<void> =>
  changeUser(ctx, { action: 'logged_out', by, change: (ctx) => lockUser(ctx, { email }) })
