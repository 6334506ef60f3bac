// SQL of the record of erasures, and of what goes with the customer's account.
import { messagesOf } from './customer.ts'
import { deleteRows } from './rows.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

export interface Erasure {
  readonly id: string
  readonly pseudonym: string
  readonly emailDigest: string
  readonly requestedBy: string
}

/** `lookAgainAt`: when copies are looked for that were stored meanwhile. */
export async function insertErasure(
  ctx: TxCtx,
  { id, pseudonym, emailDigest, requestedBy, now, lookAgainAt }: { now: Date; lookAgainAt: Date } & Erasure,
): Promise<void> {
  await ctx.tx.run(
    'insertErasure',
    (sql) => sql`
      insert into customer_erasures (id, email_digest, pseudonym, requested_by, erased_at, counts, look_again_at)
      values (${id}, ${emailDigest}, ${pseudonym}, ${requestedBy}, ${now.toISOString()}, '{}', ${lookAgainAt.toISOString()})`,
  )
}

/** Adds what a transaction erased, in that transaction. Returns the rows by table so far. */
export async function addCounts(
  ctx: TxCtx,
  { id, counts, lookAgainAt }: { counts: Readonly<Record<string, number>>; lookAgainAt: Date } & Erasure,
): Promise<Record<string, number>> {
  const [row] = await ctx.tx.run<{ counts: Record<string, number> }>(
    'addCountsOfErasure',
    (sql) => sql`
      update customer_erasures e set look_again_at = ${lookAgainAt.toISOString()}, counts = (
        select coalesce(jsonb_object_agg(sum.table, sum.rows), '{}')
        from (
          select counted.key as table, sum(counted.value::bigint) as rows
          from (select * from jsonb_each_text(e.counts)
            union all select * from jsonb_each_text(${JSON.stringify(counts)}::text::jsonb)) counted
          group by counted.key having sum(counted.value::bigint) > 0
        ) sum)
      where e.id = ${id} returning e.counts`,
  )
  return row?.counts ?? {}
}

/** The latest erasure of an address. */
export async function findErasure(
  ctx: TxCtx,
  { emailDigest }: { emailDigest: string },
): Promise<{ pseudonym: string; erasedAt: string } | undefined> {
  const rows = await ctx.tx.run<{ pseudonym: string; erasedAt: string }>(
    'findErasure',
    (sql) => sql`
      select pseudonym, iso_instant(erased_at) as erased_at from customer_erasures where email_digest = ${emailDigest}
      order by erased_at desc, id desc limit 1`,
  )
  return rows[0]
}

/** Claims the erasure after which it is due to look again, until `leaseEndsAt`. */
export async function claimLookAgain(
  ctx: Ctx,
  { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
): Promise<{ id: string; pseudonym: string } | undefined> {
  const [row] = await ctx.write.run<{ id: string; pseudonym: string }>(
    'claimLookAgain',
    (sql) => sql`
      update customer_erasures set look_again_at = ${leaseEndsAt.toISOString()}
      where id = (
        select id from customer_erasures where look_again_at <= ${now.toISOString()}
        order by look_again_at limit 1 for update skip locked)
      returning id, pseudonym`,
  )
  return row
}

export async function endLookAgain(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await ctx.write.run('endLookAgain', (sql) => sql`update customer_erasures set look_again_at = null where id = ${id}`)
}

/** Deletes some of the customer's messages. Returns how many. */
export const deleteMessages = (ctx: TxCtx, { email, limit }: { email: string; limit: number }): Promise<number> =>
  deleteRows(ctx, {
    table: 'messages',
    where: (sql) => sql`t.id in (select t.id from messages t where ${messagesOf(email)(sql)} limit ${limit})`,
  })

/** Deletes what belongs to the address itself, and the account with which the customer signed in. */
export async function deleteAccount(ctx: TxCtx, { email }: { email: string }): Promise<Record<string, number>> {
  return {
    customer_blocks: await deleteRows(ctx, { table: 'customer_blocks', where: (sql) => sql`t.email = ${email}` }),
    message_suppressions: await deleteRows(ctx, {
      table: 'message_suppressions',
      where: (sql) => sql`t.email = ${email}`,
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
