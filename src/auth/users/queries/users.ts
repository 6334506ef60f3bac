// Users in the database.
import type { ListedUser, Role, User } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './users.sql.ts'

export interface NewUserRow {
  id: string
  email: string
  passwordHash: string
  role: Role
  accountId: string | null
  now: Date
}

/** Returns undefined when the e-mail address exists. */
export async function insertUser(ctx: TxCtx, user: NewUserRow): Promise<User | undefined> {
  return await statements.insertUser(ctx, {
    id: user.id,
    email: user.email,
    passwordHash: user.passwordHash,
    role: user.role,
    accountId: user.accountId,
    now: user.now,
  })
}

/** Without `limit`, lists all. */
export interface UsersFilter {
  id?: string | undefined
  /** A part of the e-mail address or of the business name, case-insensitive. */
  q?: string | undefined
  role?: Role | undefined
  isDisabled?: boolean | undefined
  limit?: number
  offset?: number
}

/** Users by e-mail address, with the total number. */
export async function selectUsers(ctx: Ctx, filter: UsersFilter): Promise<(ListedUser & { total: number })[]> {
  const { id = null, q = '', role = null, isDisabled = null, limit = null, offset = 0 } = filter
  return await statements.selectUsers(ctx, { id, q, role, isDisabled, limit, offset })
}

/** Locks the operators who can log in, so that they cannot disable one another concurrently. */
export async function lockOperators(ctx: TxCtx): Promise<string[]> {
  const rows = await statements.lockOperators(ctx)
  return rows.map(({ id }) => id)
}

/** The user's id and password hash, unless the user is disabled. */
export async function findCredentials(
  ctx: Ctx,
  { email }: { email: string },
): Promise<{ id: string; passwordHash: string } | undefined> {
  return await statements.findCredentials(ctx, { email })
}

/** Returns the user's id. */
export async function updatePassword(
  ctx: TxCtx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<string | undefined> {
  const row = await statements.updatePassword(ctx, { passwordHash, email })
  return row?.id
}

/** Locks the user and returns their id. Rows that refer to the user can still be added, such as grants. */
export async function lockUser(ctx: TxCtx, { email }: { email: string }): Promise<string | undefined> {
  const row = await statements.lockUser(ctx, { email })
  return row?.id
}

/** Sets since when the user may not log in; null when they may. Returns their id. */
export async function updateDisabled(
  ctx: TxCtx,
  { email, disabledAt }: { email: string; disabledAt: Date | null },
): Promise<string | undefined> {
  const row = await statements.updateDisabled(ctx, { disabledAt, email })
  return row?.id
}

/** The account of the pro with this id or slug. */
export async function findAccountOfPro(
  ctx: TxCtx,
  { id, slug }: { id: string | null; slug: string | null },
): Promise<string | undefined> {
  const row = await statements.findAccountOfPro(ctx, { id, slug })
  return row?.accountId
}
