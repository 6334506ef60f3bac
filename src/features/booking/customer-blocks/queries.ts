// Blocked customers in the database. The SQL function reserve_slot refuses their bookings.
import type { CustomerBlock } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

/** A page of the pro's blocks, newest first, and their total. */
export async function selectBlocks(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ customers: CustomerBlock[]; total: number }> {
  const row = await statements.selectCustomerBlocks<{ customers: CustomerBlock[] }>(ctx, {
    professionalId,
    limit,
    offset,
  })
  return row ?? { customers: [], total: 0 }
}

/** The e-mail address of the customer of a booking of the pro. */
export async function findBookedEmail(
  ctx: TxCtx,
  { professionalId, bookingId }: { professionalId: string; bookingId: string },
) {
  const row = await statements.findBookedEmail(ctx, { bookingId, professionalId })
  return row?.email
}

/** Blocks an e-mail address, or replaces the reason of an earlier block. */
export async function insertBlock(
  ctx: TxCtx,
  block: { id: string; professionalId: string; email: string; reason: string | null; now: Date },
): Promise<CustomerBlock> {
  const rows = await statements.insertCustomerBlock(ctx, {
    id: block.id,
    professionalId: block.professionalId,
    email: block.email,
    reason: block.reason,
    now: block.now,
  })
  const [stored] = rows
  if (!stored) throw new Error('The block was not stored.')
  return stored
}

/** Returns false when the pro has no such block. */
export async function deleteBlock(
  ctx: Ctx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await statements.deleteCustomerBlock(ctx, { id, professionalId })
  return rows.length === 1
}
