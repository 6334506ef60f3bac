// Users in the database.
import type { ListedUser, Role } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './users.sql.ts'

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

/** Locks the administrators who can log in, so that they cannot end one another's rights concurrently. */
export async function lockAdministrators(ctx: TxCtx): Promise<string[]> {
  const rows = await statements.lockAdministrators(ctx)
  return rows.map(({ id }) => id)
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
