// Users of the console: created, listed, given another password, disabled; from the console and from a terminal.
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { ensureAccount } from '../../accounts/verbs.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { type UserDeps, changeUser, recordChange } from './changes.ts'
import { type LinkDeps, type PasswordLink, insertLink } from './password-links.ts'
import type { ActorId, ListedUser, Role, User, UserAccess, UsersQuery } from '../schemas.ts'
import { checkPassword, generatePassword, hashPassword } from '../passwords.ts'
import { countAccess } from '../queries/sessions.ts'
import {
  findAccountOfPro,
  insertUser,
  lockOperators,
  lockUser,
  selectUsers,
  updateDisabled,
  updatePassword,
} from '../queries/users.ts'
import { isCorrectPassword } from './sessions.ts'

export interface NewUser {
  email: string
  role: Role
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
export async function createUser(deps: UserDeps, input: NewUser, by: ActorId = null): Promise<CreatedUser> {
  const { password = generatePassword() } = input
  checkInput(input)
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const user = await deps.write.begin('createUser', (tx) => insertNewUser(deps, tx, { input, passwordHash, by }))
  return { ...user, password }
}

/** Tells a user of a link, in the transaction that creates it. */
export type TellUser = (tx: Runner, email: string, link: PasswordLink) => Promise<unknown>

/** Creates a user with a random password, and a link to choose another one. Throws as {@link createUser}. */
export async function inviteUser(
  deps: LinkDeps,
  input: Omit<NewUser, 'password'>,
  { by, tell }: { by: ActorId; tell: TellUser },
): Promise<{ user: User; link: PasswordLink }> {
  checkInput(input)
  const passwordHash = await hashPassword(generatePassword())
  return await deps.write.begin('inviteUser', async (tx) => {
    const user = await insertNewUser(deps, tx, { input, passwordHash, by })
    const link = await insertLink(deps, tx, { id: user.id, passwordHash })
    await tell(tx, user.email, link)
    return { user, link }
  })
}

function checkInput({ email, role, pro, account }: NewUser): void {
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address')
  if (role === 'pro' && pro === undefined) throw invalidField('pro', 'is required with the role pro: an id or a slug')
  if (role !== 'pro' && pro !== undefined) throw invalidField('pro', 'is allowed only with the role pro')
  if (account === undefined) return
  if (role !== 'developer') throw invalidField('account', 'is allowed only with the role developer')
  if (!isEmail(account)) throw invalidField('account', 'must be an e-mail address')
}

async function insertNewUser(
  deps: UserDeps,
  tx: Runner,
  { input, passwordHash, by }: { input: NewUser; passwordHash: string; by: ActorId },
): Promise<User> {
  const user = await insertUser(tx, {
    id: deps.ids.uuid(),
    email: input.email,
    passwordHash,
    role: input.role,
    accountId: await accountFor(deps, tx, input),
    now: deps.clock.now(),
  })
  if (!user) throw new AppError('user_exists', 'A user with this e-mail address exists already.')
  await recordChange(deps, tx, { userId: user.id, action: 'created', by })
  return user
}

async function accountFor(deps: UserDeps, tx: Runner, { role, pro, account, email }: NewUser): Promise<string | null> {
  if (role === 'operator') return null
  if (role === 'pro') {
    const accountId = await findAccountOfPro(tx, idOrSlug(pro ?? ''))
    if (accountId === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
    return accountId
  }
  const owner = await ensureAccount(deps, tx, account ?? email)
  if (owner.kind === 'pro') throw invalidField('account', 'belongs to a pro: use the role pro')
  return owner.id
}

/** All users, by e-mail address. */
export const listUsers = ({ write }: UserDeps): Promise<ListedUser[]> => selectUsers(write, {})

/** A page of the matching users, by e-mail address. */
export async function findUsers(
  { write }: UserDeps,
  { q, role, state, ...query }: UsersQuery,
): Promise<{ users: ListedUser[]; total: number }> {
  const isDisabled = state ? state === 'disabled' : undefined
  const users = await selectUsers(write, { q, role: role || undefined, isDisabled, ...pageOf(query) })
  return { users, total: users[0]?.total ?? 0 }
}

/** One user, and what they have open. Throws user_not_found. */
export async function getUser({ write, clock }: UserDeps, id: string): Promise<ListedUser & UserAccess> {
  const [user] = await selectUsers(write, { id })
  if (!user) throw new AppError('user_not_found', 'No user has this id.')
  return { ...user, ...(await countAccess(write, id, clock.now())) }
}

/**
 * Sets the user's password, generated by default, and ends their sessions and the access of their apps. Returns the password. Throws validation_failed
 * and user_not_found.
 */
export async function setPassword(
  deps: UserDeps,
  email: string,
  password = generatePassword(),
  by: ActorId = null,
): Promise<string> {
  checkPassword(password)
  const hash = await hashPassword(password)
  await changeUser(deps, { action: 'password_set', by, change: (tx) => updatePassword(tx, email, hash) })
  return password
}

/**
 * Sets the caller's own password and ends all their sessions, the current one included. Throws validation_failed when
 * `current` is wrong or `next` has the wrong length.
 */
export async function changePassword(
  deps: UserDeps,
  { userId, email }: { userId: string; email: string },
  { current, next }: { current: string; next: string },
): Promise<void> {
  if (!(await isCorrectPassword(deps, email, current))) throw invalidField('current', 'is not your password')
  await setPassword(deps, email, next, userId)
}

/**
 * Logs the user out everywhere and prevents further logins. At least one operator must remain: throws last_operator,
 * not_yourself and user_not_found.
 */
export const disableUser = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, {
    action: 'disabled',
    by,
    change: async (tx) => {
      const operators = await lockOperators(tx)
      const id = await updateDisabled(tx, email, deps.clock.now())
      if (id !== undefined && id === by)
        throw new AppError('not_yourself', 'You cannot disable yourself. Ask another operator to do it.')
      if (operators.length === 1 && operators[0] === id)
        throw new AppError(
          'last_operator',
          'This is the last operator who can log in. Create or enable another one first.',
        )
      return id
    },
  })

/** Lets a disabled user log in again. Throws user_not_found. */
export const enableUser = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, { action: 'enabled', by, change: (tx) => updateDisabled(tx, email, null) })

/** Logs the user out everywhere, ends the access of their apps, and deletes their password link. Throws user_not_found. */
export const endSessions = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, { action: 'logged_out', by, change: (tx) => lockUser(tx, email) })
