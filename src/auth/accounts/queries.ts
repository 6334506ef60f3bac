// Accounts in the database.
import type { Account } from './schemas.ts'
import type { Ctx } from '../../ctx.ts'
import * as statements from './queries.sql.ts'

/** Inserts the account unless its e-mail address exists. Returns whether it did. */
export async function insertAccount(ctx: Ctx, account: Account & { name: string; createdAt: Date }): Promise<boolean> {
  const rows = await statements.insertAccount(ctx, {
    id: account.id,
    kind: account.kind,
    email: account.email,
    name: account.name,
    createdAt: account.createdAt,
    testOf: account.testOf,
  })
  return rows.length > 0
}

/** Whether the account acts for the pro; see `sql/functions/acts_for_pro.sql`. */
export async function findActsForPro(
  ctx: Ctx,
  { accountId, professionalId }: { accountId: string; professionalId: string },
): Promise<boolean> {
  const row = await statements.actsForPro(ctx, { accountId, professionalId })
  return row?.acts ?? false
}
