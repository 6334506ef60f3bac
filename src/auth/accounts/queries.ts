// Accounts: who owns keys.
import type { Runner } from '../../platform/postgres/database.ts'
import type { AccountKind } from './schemas.ts'

export interface AccountRow {
  id: string
  kind: AccountKind
  email: string
}

export async function findAccountByEmail(db: Runner, email: string): Promise<AccountRow | undefined> {
  const rows = await db.run<AccountRow>(
    'findAccountByEmail',
    (sql) => sql`select id, kind, email from accounts where email = lower(${email})`,
  )
  return rows[0]
}

/** Inserts the account unless its e-mail address is taken; answers whether it did. */
export async function insertAccount(
  db: Runner,
  account: AccountRow & { name: string; createdAt: Date },
): Promise<boolean> {
  const rows = await db.run(
    'insertAccount',
    (sql) => sql`
      insert into accounts (id, kind, email, name, created_at)
      values (${account.id}, ${account.kind}, lower(${account.email}), ${account.name}, ${account.createdAt.toISOString()})
      on conflict on constraint accounts_email_key do nothing
      returning id`,
  )
  return rows.length > 0
}
