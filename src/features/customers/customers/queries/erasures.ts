// SQL of customers' requests to be erased.
import type { OpenWork } from '../../privacy/schemas.ts'
import type { ErasureRequest } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'

/** Stores the request, or makes an earlier one due again. */
export async function upsertErasureRequest(
  ctx: Ctx,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await ctx.write.run(
    'upsertErasureRequest',
    (sql) => sql`
      insert into erasure_requests (account_id, requested_at, next_attempt_at) values (${accountId}, ${at}, ${at})
      on conflict (account_id) do update
        set requested_at = excluded.requested_at, next_attempt_at = excluded.next_attempt_at, attempts = 0, open_work = null
        where erasure_requests.next_attempt_at is null`,
  )
}

export async function findErasureRequest(
  ctx: Ctx,
  { accountId }: { accountId: string },
): Promise<ErasureRequest | undefined> {
  const [row] = await ctx.write.run<ErasureRequest>(
    'findErasureRequest',
    (sql) => sql`
      select requested_at, next_attempt_at is not null as is_due, open_work
      from erasure_requests where account_id = ${accountId}`,
  )
  return row
}

/** Claims the request that is due longest until `leaseEndsAt`: after the death of its worker it is due again then. */
export async function claimErasure(
  ctx: Ctx,
  { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
): Promise<{ accountId: string; email: string; attempts: number } | undefined> {
  const [row] = await ctx.write.run<{ accountId: string; email: string; attempts: number }>(
    'claimErasure',
    (sql) => sql`
      update erasure_requests r set next_attempt_at = ${leaseEndsAt.toISOString()}, attempts = attempts + 1
      from customers c
      where c.account_id = r.account_id and r.account_id = (
        select account_id from erasure_requests where next_attempt_at <= ${now.toISOString()}
        order by next_attempt_at limit 1 for update skip locked)
      returning r.account_id, c.email, r.attempts`,
  )
  return row
}

/** Ends a request that was refused or that failed for good. */
export async function endErasureRequest(
  ctx: Ctx,
  { accountId, openWork }: { accountId: string; openWork: OpenWork | null },
): Promise<void> {
  await ctx.write.run(
    'endErasureRequest',
    (sql) => sql`
      update erasure_requests set next_attempt_at = null, open_work = ${openWork && sql.json({ ...openWork })}
      where account_id = ${accountId}`,
  )
}
