// Blocked customers in the database. The SQL function reserve_slot refuses their bookings.
import type { CustomerBlock } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** A page of the pro's blocks, newest first, and their total. */
export async function selectBlocks(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ customers: CustomerBlock[]; total: number }> {
  const rows = await ctx.read.run<{ customers: CustomerBlock[]; total: number }>(
    'selectCustomerBlocks',
    (sql) => sql`
      select
        (select count(*)::int from customer_blocks where professional_id = ${professionalId}) as total,
        (select coalesce(json_agg(json_build_object('id', k.id, 'email', k.email, 'reason', k.reason,
            'createdAt', iso_instant(k.created_at)) order by k.created_at desc, k.id desc), '[]')
          from (
            select * from customer_blocks where professional_id = ${professionalId}
            order by created_at desc, id desc limit ${limit} offset ${offset}
          ) k) as customers`,
  )
  return rows[0] ?? { customers: [], total: 0 }
}

/** The e-mail address of the customer of a booking of the pro. */
export async function findBookedEmail(
  ctx: TxCtx,
  { professionalId, bookingId }: { professionalId: string; bookingId: string },
) {
  const rows = await ctx.tx.run<{ email: string }>(
    'findBookedEmail',
    (sql) => sql`
      select customer_email as email from bookings where id = ${bookingId} and professional_id = ${professionalId}`,
  )
  return rows[0]?.email
}

/** Blocks an e-mail address, or replaces the reason of an earlier block. */
export async function insertBlock(
  ctx: TxCtx,
  block: { id: string; professionalId: string; email: string; reason: string | null; now: Date },
): Promise<CustomerBlock> {
  const rows = await ctx.tx.run<CustomerBlock>(
    'insertCustomerBlock',
    (sql) => sql`
      insert into customer_blocks as k (id, professional_id, email, reason, created_at)
      values (${block.id}, ${block.professionalId}, ${block.email}, ${block.reason}, ${block.now.toISOString()})
      on conflict (professional_id, email) do update set reason = coalesce(excluded.reason, k.reason)
      returning id, email, reason, created_at`,
  )
  const [stored] = rows
  if (!stored) throw new Error('The block was not stored.')
  return stored
}

/** Returns false when the pro has no such block. */
export async function deleteBlock(
  ctx: Ctx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await ctx.write.run(
    'deleteCustomerBlock',
    (sql) => sql`
      delete from customer_blocks where id = ${id} and professional_id = ${professionalId} returning id`,
  )
  return rows.length === 1
}
