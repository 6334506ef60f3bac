// Accounts in the database.
import type { Account } from './schemas.ts'
import type { Ctx } from '../../ctx.ts'

export async function findAccountByEmail(ctx: Ctx, { email }: { email: string }): Promise<Account | undefined> {
  const rows = await ctx.write.run<Account>(
    'findAccountByEmail',
    (sql) => sql`select id, kind, email, test_of from accounts where email = ${email}`,
  )
  return rows[0]
}

/** Inserts the account unless its e-mail address exists. Returns whether it did. */
export async function insertAccount(ctx: Ctx, account: Account & { name: string; createdAt: Date }): Promise<boolean> {
  const rows = await ctx.write.run(
    'insertAccount',
    (sql) => sql`
      insert into accounts (id, kind, email, name, created_at, test_of)
      values (${account.id}, ${account.kind}, ${account.email}, ${account.name}, ${account.createdAt.toISOString()},
        ${account.testOf})
      on conflict on constraint accounts_email_key do nothing
      returning id`,
  )
  return rows.length > 0
}

/** Whether the account acts for the pro; see `sql/functions/acts_for_pro.sql`. */
export async function findActsForPro(
  ctx: Ctx,
  { accountId, professionalId }: { accountId: string; professionalId: string },
): Promise<boolean> {
  const [row] = await ctx.write.run<{ acts: boolean }>(
    'acts_for_pro',
    (sql) => sql`select acts_for_pro(${accountId}, ${professionalId}) as acts`,
  )
  return row?.acts ?? false
}
