// SQL of the record of erasures, and of what goes with the customer's account.
import { ERASED_TEXT } from '../erased-row.ts'
import { messagesOf } from './customer.ts'
import { deleteRows } from './rows.ts'
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './erasures.sql.ts'

export interface Erasure {
  readonly id: string
  readonly pseudonym: string
  readonly emailDigest: string
  readonly requestedBy: string
}

/** Adds what a transaction erased, in that transaction. Returns the rows by table so far. */
export async function addCounts(
  ctx: TxCtx,
  { id, counts, lookAgainAt }: { counts: Readonly<Record<string, number>>; lookAgainAt: Date } & Erasure,
): Promise<Record<string, number>> {
  const row = await statements.addCountsOfErasure<{ counts: Record<string, number> }>(ctx, {
    lookAgainAt,
    counts: JSON.stringify(counts),
    id,
  })
  return row?.counts ?? {}
}

/** Deletes some of the customer's messages. Returns how many. */
export const deleteMessages = (ctx: TxCtx, { email, limit }: { email: string; limit: number }): Promise<number> =>
  deleteRows(ctx, {
    table: 'messages',
    where: (sql) => sql`t.id in (select t.id from messages t where ${messagesOf(email)(sql)} limit ${limit})`,
  })

/** Deletes what belongs to the address itself except a block, and the account with which the customer signed in. */
export async function deleteAccount(ctx: TxCtx, { email }: { email: string }): Promise<Record<string, number>> {
  const about = { email, placeholder: ERASED_TEXT }
  return {
    operator_actions: (await statements.eraseNotes(ctx, about)).length,
    customer_profiles: (await statements.eraseProfile(ctx, about)).length,
    customer_blocks: await deleteRows(ctx, { table: 'customer_blocks', where: (sql) => sql`t.email = ${email}` }),
    // Where others booked for the customer: the booking is theirs.
    booking_guests: await deleteRows(ctx, { table: 'booking_guests', where: (sql) => sql`t.email = ${email}` }),
    pro_applications: await deleteRows(ctx, { table: 'pro_applications', where: (sql) => sql`t.email = ${email}` }),
    message_suppressions: await deleteRows(ctx, {
      table: 'message_suppressions',
      where: (sql) => sql`t.email = ${email}`,
    }),
    // What the customer uploaded by an app, and used for nothing.
    files: await deleteRows(ctx, {
      table: 'files',
      where: (sql) => sql`t.account_id in (select c.account_id from customers c where c.email = ${email})`,
    }),
    // With their tokens.
    oauth_grants: await deleteRows(ctx, {
      table: 'oauth_grants',
      where: (sql) => sql`
        t.key_id in (select k.id from api_keys k where k.account_id in (select c.account_id from customers c where c.email = ${email}))`,
    }),
    oauth_requests: await deleteRows(ctx, {
      table: 'oauth_requests',
      where: (sql) => sql`t.account_id in (select c.account_id from customers c where c.email = ${email})`,
    }),
    // With their sessions. The account stays, and does not name the customer.
    customers: await deleteRows(ctx, { table: 'customers', where: (sql) => sql`t.email = ${email}` }),
    sign_in_codes: await deleteRows(ctx, { table: 'sign_in_codes', where: (sql) => sql`t.email = ${email}` }),
  }
}
