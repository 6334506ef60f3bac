// Users and their sessions in the database.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { ListedUser, Role, SessionUser, User } from '../schemas.ts'

const COLUMNS = ['id', 'email', 'role', 'created_at', 'last_login_at', 'disabled_at']

export interface NewUserRow {
  id: string
  email: string
  passwordHash: string
  role: Role
  accountId: string | null
  now: Date
}

/** Nothing when the e-mail address is taken. */
export async function insertUser(db: Runner, user: NewUserRow): Promise<User | undefined> {
  const [row] = await db.run<User>(
    'insertUser',
    (sql) => sql`
      insert into users (id, email, password_hash, role, account_id, created_at)
      values (${user.id}, lower(${user.email}), ${user.passwordHash}, ${user.role}, ${user.accountId},
        ${user.now.toISOString()})
      on conflict on constraint users_email_key do nothing
      returning ${sql(COLUMNS)}`,
  )
  return row
}

/** What a list is of; without `limit`, all of it. */
export interface UsersFilter {
  id?: string | undefined
  /** A part of the e-mail address, or of the business's name, in any case. */
  q?: string | undefined
  role?: Role | undefined
  isDisabled?: boolean | undefined
  limit?: number
  offset?: number
}

/** By e-mail address, with how many there are in all. */
export async function selectUsers(db: Runner, filter: UsersFilter): Promise<(ListedUser & { total: number })[]> {
  const { id = null, q = '', role = null, isDisabled = null, limit = null, offset = 0 } = filter
  return await db.run(
    'selectUsers',
    (sql) => sql`
      select u.id, u.email, u.role, u.created_at, u.last_login_at, u.disabled_at, a.email as account, p.business_name,
        l.expires_at as link_expires_at, count(*) over ()::int as total
      from users u
      left join accounts a on a.id = u.account_id
      left join professionals p on p.account_id = a.id and u.role = 'pro'
      left join password_links l on l.user_id = u.id
      where (${id}::uuid is null or u.id = ${id}::uuid)
        and (strpos(u.email, lower(${q})) > 0 or strpos(lower(p.business_name), lower(${q})) > 0)
        and (${role}::text is null or u.role = ${role}::text)
        and (${isDisabled}::boolean is null or (u.disabled_at is not null) = ${isDisabled}::boolean)
      order by u.email limit ${limit}::int offset ${offset}::int`,
  )
}

/** How many sessions of the user are under way. */
export async function countSessions(db: Runner, userId: string, now: Date): Promise<number> {
  const [row] = await db.run<{ sessions: number }>(
    'countSessions',
    (sql) => sql`
      select count(*)::int as sessions from sessions where user_id = ${userId} and expires_at > ${now.toISOString()}`,
  )
  return row?.sessions ?? 0
}

/** The operators who can log in. Locked, so that they are not disabled by one another at once. */
export async function lockOperators(tx: Runner): Promise<string[]> {
  const rows = await tx.run<{ id: string }>(
    'lockOperators',
    (sql) => sql`select id from users where role = 'operator' and disabled_at is null order by id for update`,
  )
  return rows.map(({ id }) => id)
}

/** The user with what their password is compared with; not one who is disabled. */
export async function findLogin(db: Runner, email: string): Promise<{ id: string; passwordHash: string } | undefined> {
  const [row] = await db.run<{ id: string; passwordHash: string }>(
    'findLogin',
    (sql) => sql`select id, password_hash from users where email = lower(${email}) and disabled_at is null`,
  )
  return row
}

/** Gives the user another password. Answers their id. */
export async function updatePassword(tx: Runner, email: string, passwordHash: string): Promise<string | undefined> {
  const [row] = await tx.run<{ id: string }>(
    'updatePassword',
    (sql) => sql`update users set password_hash = ${passwordHash} where email = lower(${email}) returning id`,
  )
  return row?.id
}

/** The id of the user with the address. */
export async function lockUser(tx: Runner, email: string): Promise<string | undefined> {
  const [row] = await tx.run<{ id: string }>(
    'lockUser',
    (sql) => sql`select id from users where email = lower(${email}) for update`,
  )
  return row?.id
}

/** Says since when the user may not log in; null when they may. Answers their id. */
export async function updateDisabled(tx: Runner, email: string, disabledAt: Date | null): Promise<string | undefined> {
  const [row] = await tx.run<{ id: string }>(
    'updateDisabled',
    (sql) => sql`
      update users set disabled_at = ${disabledAt?.toISOString() ?? null} where email = lower(${email}) returning id`,
  )
  return row?.id
}

/** Ends all sessions of the user: a statement after the change, so that it sees a log-in which the change waited for. */
export async function deleteSessionsOf(tx: Runner, userId: string): Promise<void> {
  await tx.run('deleteSessionsOf', (sql) => sql`delete from sessions where user_id = ${userId}`)
}

/** The account of the pro that is named by id or slug. */
export async function findAccountOfPro(
  db: Runner,
  { id, slug }: { id: string | null; slug: string | null },
): Promise<string | undefined> {
  const [row] = await db.run<{ accountId: string }>(
    'findAccountOfPro',
    (sql) => sql`select account_id from professionals where id = ${id}::uuid or slug = ${slug}`,
  )
  return row?.accountId
}

export interface SessionTimes {
  now: Date
  expiresAt: Date
  endsAt: Date
}

/** Begins a session, unless the password was changed or the user disabled meanwhile. Answers whether it did. */
export async function insertSession(
  db: Runner,
  session: { tokenHash: Buffer; userId: string; passwordHash: string } & SessionTimes,
): Promise<boolean> {
  const rows = await db.run(
    'insertSession',
    (sql) => sql`
      with entered as (
        update users set last_login_at = ${session.now.toISOString()}
        where id = ${session.userId} and password_hash = ${session.passwordHash} and disabled_at is null
        returning id
      )
      insert into sessions (token_hash, user_id, created_at, expires_at, ends_at)
      select ${session.tokenHash}::bytea, id, ${session.now.toISOString()}::timestamptz,
        ${session.expiresAt.toISOString()}::timestamptz, ${session.endsAt.toISOString()}::timestamptz
      from entered
      returning 1`,
  )
  return rows.length > 0
}

/** A session under way, and when it ends: unless it is used, and at the latest. */
export type FoundSession = SessionUser & { expiresAt: string; endsAt: string }

export async function findSession(db: Runner, tokenHash: Buffer, now: Date): Promise<FoundSession | undefined> {
  const [row] = await db.run<FoundSession>(
    'findSession',
    (sql) => sql`
      select u.id as user_id, u.email, u.role, u.account_id, a.email as account_email, p.id as professional_id,
        p.business_name, s.expires_at, s.ends_at
      from sessions s
      join users u on u.id = s.user_id
      left join accounts a on a.id = u.account_id
      left join professionals p on p.account_id = a.id and u.role = 'pro'
      where s.token_hash = ${tokenHash} and s.expires_at > ${now.toISOString()} and u.disabled_at is null`,
  )
  return row
}

export async function extendSession(db: Runner, tokenHash: Buffer, expiresAt: Date): Promise<void> {
  await db.run(
    'extendSession',
    (sql) => sql`
      update sessions set expires_at = ${expiresAt.toISOString()} where token_hash = ${tokenHash}`,
  )
}

export async function deleteSession(db: Runner, tokenHash: Buffer): Promise<void> {
  await db.run('deleteSession', (sql) => sql`delete from sessions where token_hash = ${tokenHash}`)
}

/** Removes sessions that are over, `limit` at most. How many. */
export async function deleteExpiredSessions(db: Runner, now: Date, limit: number): Promise<number> {
  const rows = await db.run(
    'deleteExpiredSessions',
    (sql) => sql`
      with due as materialized (
        select token_hash from sessions where expires_at <= ${now.toISOString()}
        order by expires_at limit ${limit} for update skip locked)
      delete from sessions where token_hash in (select token_hash from due)
      returning 1`,
  )
  return rows.length
}
