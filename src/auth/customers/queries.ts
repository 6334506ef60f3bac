// Customers and their sessions in the database.
import type { TxCtx } from '../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function findAccountOfCustomer(ctx: TxCtx, { email }: { email: string }): Promise<string | undefined> {
  const row = await statements.findAccountOfCustomer(ctx, { email })
  return row?.accountId
}

/** Inserts a customer with an account, unless the address has one. */
export async function insertCustomer(
  ctx: TxCtx,
  customer: { accountId: string; accountEmail: string; email: string; now: Date },
): Promise<void> {
  const at = customer.now.toISOString()
  await statements.insertCustomer(ctx, {
    accountId: customer.accountId,
    email: customer.email,
    at,
    accountEmail: customer.accountEmail,
  })
}
