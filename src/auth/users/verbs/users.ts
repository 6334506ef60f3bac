// People who may log in: made, listed, given another password, disabled. From the console and from a terminal.
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { Runner } from '../../../platform/postgres/database.ts'
import { isEmail } from '../../../platform/schema/types.ts'
import { ensureAccount } from '../../accounts/verbs.ts'
import { pageOf } from '../../../platform/schema/paging.ts'
import { idOrSlug } from '../../../platform/schema/id-or-slug.ts'
import { type UserDeps, changeUser, noteChange } from './changes.ts'
import { type PasswordLink, insertLink } from './password-links.ts'
import type { ActorId, ListedUser, Role, User, UsersQuery } from '../schemas.ts'
import { checkPassword, hashPassword, makePassword } from '../passwords.ts'
import {
  countSessions,
  findAccountOfPro,
  insertUser,
  lockOperators,
  lockUser,
  selectUsers,
  updateDisabled,
  updatePassword,
} from '../queries/users.ts'
import { isPasswordOf } from './sessions.ts'

export interface NewUser {
  email: string
  role: Role
  /** One is made when none is given. */
  password?: string
  /** Id or slug: needed with the role `pro`. */
  pro?: string
  /** Of a developer's account, made if there is none; the user's own address unless given. */
  account?: string
}

/** The user, and the password: shown in this answer only. */
export type CreatedUser = User & { password: string }

/**
 * Makes a user. Throws validation_failed for an address that is none, a password of the wrong length, and an account that
 * does not fit the role; professional_not_found; user_exists.
 */
export async function createUser(deps: UserDeps, wish: NewUser, by: ActorId = null): Promise<CreatedUser> {
  const { password = makePassword() } = wish
  checkWish(wish)
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  const made = await deps.write.begin('createUser', (tx) => insertNew(deps, tx, { wish, passwordHash, by }))
  return { ...made, password }
}

/** Makes a user who chooses a password by the link: until then nobody knows one. Throws as {@link createUser}. */
export async function inviteUser(
  deps: UserDeps,
  wish: Omit<NewUser, 'password'>,
  by: ActorId,
): Promise<{ user: User; link: PasswordLink }> {
  checkWish(wish)
  const passwordHash = await hashPassword(makePassword())
  return await deps.write.begin('inviteUser', async (tx) => {
    const user = await insertNew(deps, tx, { wish, passwordHash, by })
    return { user, link: await insertLink(deps, tx, user.id) }
  })
}

function checkWish({ email, role, pro, account }: NewUser): void {
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address')
  if (role === 'pro' && pro === undefined) throw invalidField('pro', 'is required with the role pro: an id or a slug')
  if (role !== 'pro' && pro !== undefined) throw invalidField('pro', 'goes with the role pro')
  if (account === undefined) return
  if (role !== 'developer') throw invalidField('account', 'goes with the role developer')
  if (!isEmail(account)) throw invalidField('account', 'must be an e-mail address')
}

async function insertNew(
  deps: UserDeps,
  tx: Runner,
  { wish, passwordHash, by }: { wish: NewUser; passwordHash: string; by: ActorId },
): Promise<User> {
  const made = await insertUser(tx, {
    id: deps.ids.uuid(),
    email: wish.email,
    passwordHash,
    role: wish.role,
    accountId: await accountFor(deps, tx, wish),
    now: deps.clock.now(),
  })
  if (!made) throw new AppError('user_exists', 'Somebody logs in with this e-mail address already.')
  await noteChange(deps, tx, { userId: made.id, action: 'created', by })
  return made
}

async function accountFor(deps: UserDeps, tx: Runner, { role, pro, account, email }: NewUser): Promise<string | null> {
  if (role === 'operator') return null
  if (role === 'pro') {
    const found = await findAccountOfPro(tx, idOrSlug(pro ?? ''))
    if (found === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
    return found
  }
  const found = await ensureAccount(deps, tx, account ?? email)
  if (found.kind === 'pro') throw invalidField('account', 'is a pro’s: use the role pro')
  return found.id
}

/** Everyone, by address, without anything secret. */
export const listUsers = ({ write }: UserDeps): Promise<ListedUser[]> => selectUsers(write, {})

/** A page of those who are looked for, by address. */
export async function findUsers(
  { write }: UserDeps,
  { q, role, state, ...query }: UsersQuery,
): Promise<{ users: ListedUser[]; total: number }> {
  const isDisabled = state ? state === 'disabled' : undefined
  const users = await selectUsers(write, { q, role: role || undefined, isDisabled, ...pageOf(query) })
  return { users, total: users[0]?.total ?? 0 }
}

/** One user, and how many sessions of theirs are under way. Throws user_not_found. */
export async function getUser({ write, clock }: UserDeps, id: string): Promise<ListedUser & { sessions: number }> {
  const [user] = await selectUsers(write, { id })
  if (!user) throw new AppError('user_not_found', 'No user has this id.')
  return { ...user, sessions: await countSessions(write, id, clock.now()) }
}

/**
 * Gives the user another password, one that is made unless given, and ends their sessions. Answers the password. Throws
 * validation_failed and user_not_found.
 */
export async function setPassword(
  deps: UserDeps,
  email: string,
  password = makePassword(),
  by: ActorId = null,
): Promise<string> {
  checkPassword(password)
  const hash = await hashPassword(password)
  await changeUser(deps, { action: 'password_set', by, change: (tx) => updatePassword(tx, email, hash) })
  return password
}

/**
 * The user gives themselves another password; their sessions end, this one too. Throws validation_failed when the present
 * one is wrong, or the new one has not the right length.
 */
export async function changePassword(
  deps: UserDeps,
  { userId, email }: { userId: string; email: string },
  { current, next }: { current: string; next: string },
): Promise<void> {
  if (!(await isPasswordOf(deps, email, current))) throw invalidField('current', 'is not your password')
  await setPassword(deps, email, next, userId)
}

/**
 * The user is logged out everywhere and cannot log in. Somebody must be left who can let others in: throws last_operator,
 * not_yourself and user_not_found.
 */
export const disableUser = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, {
    action: 'disabled',
    by,
    change: async (tx) => {
      const operators = await lockOperators(tx)
      const id = await updateDisabled(tx, email, deps.clock.now())
      if (id !== undefined && id === by) throw new AppError('not_yourself', 'Another operator can disable you.')
      if (operators.length === 1 && operators[0] === id)
        throw new AppError('last_operator', 'No other operator could log in: make or enable one first.')
      return id
    },
  })

/** A disabled user can log in again. Throws user_not_found. */
export const enableUser = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, { action: 'enabled', by, change: (tx) => updateDisabled(tx, email, null) })

/** The user is logged out everywhere; their link, if there is one, works no more. Throws user_not_found. */
export const endSessions = (deps: UserDeps, email: string, by: ActorId = null): Promise<void> =>
  changeUser(deps, { action: 'logged_out', by, change: (tx) => lockUser(tx, email) })
