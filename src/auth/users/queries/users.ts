// Users in the database.
import type { ListedUser, Role, User } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

const COLUMNS = ['id', 'email', 'role', 'created_at', 'last_login_at', 'disabled_at']

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
  const [row] = await ctx.tx.run<User>(
    'insertUser',
    (sql) => sql`
      insert into users (id, email, password_hash, role, account_id, created_at)
      values (${user.id}, ${user.email}, ${user.passwordHash}, ${user.role}, ${user.accountId},
        ${user.now.toISOString()})
      on conflict on constraint users_email_key do nothing
      returning ${sql(COLUMNS)}`,
  )
  return row
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
  return await ctx.write.run(
    'selectUsers',
    (sql) => sql`
      select u.id, u.email, u.role, u.created_at, u.last_login_at, u.disabled_at, a.email as account, p.business_name,
        l.expires_at as link_expires_at, count(*) over ()::int as total
      from users u
      left join accounts a on a.id = u.account_id
      left join professionals p on p.account_id = a.id and u.role = 'pro'
      left join password_links l on l.user_id = u.id
      where (${id}::uuid is null or u.id = ${id}::uuid)
        and (strpos(lower(u.email), lower(${q})) > 0 or strpos(lower(p.business_name), lower(${q})) > 0)
        and (${role}::text is null or u.role = ${role}::text)
        and (${isDisabled}::boolean is null or (u.disabled_at is not null) = ${isDisabled}::boolean)
      order by u.email limit ${limit}::int offset ${offset}::int`,
  )
}

/** Locks the operators who can log in, so that they cannot disable one another concurrently. */
export async function lockOperators(ctx: TxCtx): Promise<string[]> {
  const rows = await ctx.tx.run<{ id: string }>(
    'lockOperators',
    (sql) => sql`select id from users where role = 'operator' and disabled_at is null order by id for update`,
  )
  return rows.map(({ id }) => id)
}

/** The user's id and password hash, unless the user is disabled. */
export async function findCredentials(
  ctx: Ctx,
  { email }: { email: string },
): Promise<{ id: string; passwordHash: string } | undefined> {
  const [row] = await ctx.write.run<{ id: string; passwordHash: string }>(
    'findCredentials',
    (sql) => sql`select id, password_hash from users where email = ${email} and disabled_at is null`,
  )
  return row
}

/** Returns the user's id. */
export async function updatePassword(
  ctx: TxCtx,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ id: string }>(
    'updatePassword',
    (sql) => sql`update users set password_hash = ${passwordHash} where email = ${email} returning id`,
  )
  return row?.id
}

/** Locks the user and returns their id. Rows that refer to the user can still be added, such as grants. */
export async function lockUser(ctx: TxCtx, { email }: { email: string }): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ id: string }>(
    'lockUser',
    (sql) => sql`select id from users where email = ${email} for no key update`,
  )
  return row?.id
}

/** Sets since when the user may not log in; null when they may. Returns their id. */
export async function updateDisabled(
  ctx: TxCtx,
  { email, disabledAt }: { email: string; disabledAt: Date | null },
): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ id: string }>(
    'updateDisabled',
    (sql) => sql`
      update users set disabled_at = ${disabledAt?.toISOString() ?? null} where email = ${email} returning id`,
  )
  return row?.id
}

/** The account of the pro with this id or slug. */
export async function findAccountOfPro(
  ctx: TxCtx,
  { id, slug }: { id: string | null; slug: string | null },
): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ accountId: string }>(
    'findAccountOfPro',
    (sql) => sql`select account_id from professionals where id = ${id}::uuid or slug = ${slug}`,
  )
  return row?.accountId
}
