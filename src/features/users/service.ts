// People who may log in: made, listed, given another password, disabled. From a terminal; the console itself makes nobody.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import type { Runner } from '../../platform/db.ts'
import { isEmail } from '../../platform/schema.ts'
import { ensureAccount } from '../accounts/service.ts'
import { idOrSlug } from '../pros/identifier.ts'
import { PASSWORD_LENGTH, type Role, type User } from './model.ts'
import { hashPassword, makePassword } from './passwords.ts'
import {
  deleteSessionsOf,
  findAccountOfPro,
  insertUser,
  selectUsers,
  updateDisabled,
  updatePassword,
} from './queries.ts'
import { isPasswordOf } from './sessions.ts'

type UserDeps = Pick<Deps, 'write' | 'clock' | 'ids'>

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
export async function createUser(deps: UserDeps, wish: NewUser): Promise<CreatedUser> {
  const { email, role, password = makePassword() } = wish
  if (!isEmail(email)) throw invalidField('email', 'must be an e-mail address')
  checkPassword(password)
  const passwordHash = await hashPassword(password)
  return await deps.write.begin('createUser', async (tx) => {
    const accountId = await accountFor(deps, tx, wish)
    const made = await insertUser(tx, {
      id: deps.ids.uuid(),
      email,
      passwordHash,
      role,
      accountId,
      now: deps.clock.now(),
    })
    if (!made) throw new AppError('user_exists', 'Somebody logs in with this e-mail address already.')
    return { ...made, password }
  })
}

async function accountFor(deps: UserDeps, tx: Runner, { role, pro, account, email }: NewUser): Promise<string | null> {
  if (role === 'pro') {
    if (pro === undefined) throw invalidField('pro', 'is required with the role pro: an id or a slug')
    const found = await findAccountOfPro(tx, idOrSlug(pro))
    if (found === undefined) throw new AppError('professional_not_found', 'No pro has this id or slug.')
    return found
  }
  if (pro !== undefined) throw invalidField('pro', 'goes with the role pro')
  if (role === 'operator') return null
  const found = await ensureAccount(deps, tx, account ?? email)
  if (found.kind === 'pro') throw invalidField('account', 'is a pro’s: use the role pro')
  return found.id
}

/** By address, without anything secret. */
export const listUsers = ({ write }: UserDeps): Promise<(User & { account: string | null })[]> => selectUsers(write)

/**
 * Gives the user another password, one that is made unless given, and ends their sessions. Answers the password. Throws
 * validation_failed and user_not_found.
 */
export async function setPassword(deps: UserDeps, email: string, password = makePassword()): Promise<string> {
  checkPassword(password)
  const hash = await hashPassword(password)
  await changeUser(deps, 'setPassword', (tx) => updatePassword(tx, email, hash))
  return password
}

/**
 * The user gives themselves another password; their sessions end, this one too. Throws validation_failed when the present
 * one is wrong, or the new one has not the right length.
 */
export async function changePassword(
  deps: UserDeps,
  email: string,
  { current, next }: { current: string; next: string },
): Promise<void> {
  if (!(await isPasswordOf(deps, email, current))) throw invalidField('current', 'is not your password')
  await setPassword(deps, email, next)
}

/** The user is logged out everywhere and cannot log in. Throws user_not_found. */
export const disableUser = (deps: UserDeps, email: string): Promise<void> =>
  changeUser(deps, 'disableUser', (tx) => updateDisabled(tx, email, deps.clock.now()))

/** A disabled user can log in again. Throws user_not_found. */
export const enableUser = (deps: UserDeps, email: string): Promise<void> =>
  changeUser(deps, 'enableUser', (tx) => updateDisabled(tx, email, null))

/** Changes a user, whose sessions are over then. */
const changeUser = (
  { write }: UserDeps,
  name: string,
  change: (tx: Runner) => Promise<string | undefined>,
): Promise<void> =>
  write.begin(name, async (tx) => {
    const id = await change(tx)
    if (id === undefined) throw new AppError('user_not_found', 'Nobody logs in with this e-mail address.')
    await deleteSessionsOf(tx, id)
  })

function checkPassword(password: string): void {
  const { min, max } = PASSWORD_LENGTH
  if (password.length < min || password.length > max)
    throw invalidField('password', `must have ${min} to ${max} characters`)
}
