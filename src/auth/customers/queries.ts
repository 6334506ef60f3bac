// Customers and their sessions in the database.
import type { CustomerCaller } from '../caller.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'
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

export async function insertCustomerSession(
  ctx: TxCtx,
  session: { tokenHash: Buffer; now: Date; expiresAt: Date; endsAt: Date } & CustomerCaller,
): Promise<void> {
  await statements.insertCustomerSession(ctx, {
    tokenHash: session.tokenHash,
    accountId: session.accountId,
    customerEmail: session.customerEmail,
    now: session.now,
    expiresAt: session.expiresAt,
    endsAt: session.endsAt,
  })
}

/** A session's customer, its expiry without further use, and its latest end. */
type CustomerSessionRow = CustomerCaller & { expiresAt: string; endsAt: string }

/** Undefined as well when the customer has another address now than the one that was proven. */
export async function findCustomerSession(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<CustomerSessionRow | undefined> {
  return await statements.findCustomerSession(ctx, { tokenHash, now })
}

export async function extendCustomerSession(
  ctx: Ctx,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await statements.extendCustomerSession(ctx, { expiresAt, tokenHash })
}

export async function deleteCustomerSession(ctx: Ctx, { tokenHash }: { tokenHash: Buffer }): Promise<void> {
  await statements.deleteCustomerSession(ctx, { tokenHash })
}
