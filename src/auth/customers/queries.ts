// Customers and their sessions in the database.
import type { CustomerCaller } from '../caller.ts'
import type { Ctx, TxCtx } from '../../ctx.ts'

export async function findAccountOfCustomer(ctx: TxCtx, { email }: { email: string }): Promise<string | undefined> {
  const [row] = await ctx.tx.run<{ accountId: string }>(
    'findAccountOfCustomer',
    (sql) => sql`select account_id from customers where email = ${email}`,
  )
  return row?.accountId
}

/** Inserts a customer with an account, unless the address has one. */
export async function insertCustomer(
  ctx: TxCtx,
  customer: { accountId: string; accountEmail: string; email: string; now: Date },
): Promise<void> {
  const at = customer.now.toISOString()
  await ctx.tx.run(
    'insertCustomer',
    (sql) => sql`
      with added as (
        insert into customers (account_id, email, created_at) values (${customer.accountId}, ${customer.email}, ${at})
        on conflict (email) do nothing returning account_id
      )
      insert into accounts (id, kind, email, name, created_at)
      select account_id, 'customer', ${customer.accountEmail}, 'Customer', ${at}::timestamptz from added`,
  )
}

export async function insertCustomerSession(
  ctx: TxCtx,
  session: { tokenHash: Buffer; now: Date; expiresAt: Date; endsAt: Date } & CustomerCaller,
): Promise<void> {
  await ctx.tx.run(
    'insertCustomerSession',
    (sql) => sql`
      insert into customer_sessions (token_hash, account_id, email, created_at, expires_at, ends_at)
      values (${session.tokenHash}, ${session.accountId}, ${session.customerEmail}, ${session.now.toISOString()},
        ${session.expiresAt.toISOString()}, ${session.endsAt.toISOString()})`,
  )
}

/** A session's customer, its expiry without further use, and its latest end. */
type CustomerSessionRow = CustomerCaller & { expiresAt: string; endsAt: string }

/** Undefined as well when the customer has another address now than the one that was proven. */
export async function findCustomerSession(
  ctx: Ctx,
  { tokenHash, now }: { tokenHash: Buffer; now: Date },
): Promise<CustomerSessionRow | undefined> {
  const [row] = await ctx.write.run<CustomerSessionRow>(
    'findCustomerSession',
    (sql) => sql`
      select s.account_id, c.email as customer_email, s.expires_at, s.ends_at
      from customer_sessions s join customers c on c.account_id = s.account_id and c.email = s.email
      where s.token_hash = ${tokenHash} and s.expires_at > ${now.toISOString()}`,
  )
  return row
}

export async function extendCustomerSession(
  ctx: Ctx,
  { tokenHash, expiresAt }: { tokenHash: Buffer; expiresAt: Date },
): Promise<void> {
  await ctx.write.run(
    'extendCustomerSession',
    (sql) => sql`
      update customer_sessions set expires_at = ${expiresAt.toISOString()} where token_hash = ${tokenHash}`,
  )
}

export async function deleteCustomerSession(ctx: Ctx, { tokenHash }: { tokenHash: Buffer }): Promise<void> {
  await ctx.write.run(
    'deleteCustomerSession',
    (sql) => sql`delete from customer_sessions where token_hash = ${tokenHash}`,
  )
}
