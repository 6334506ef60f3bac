// SQL of customers' requests to be erased.
import type { OpenWork } from '../../privacy/schemas.ts'
import type { ErasureRequest } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './erasures.sql.ts'

/** Stores the request, or makes an earlier one due again. */
export async function upsertErasureRequest(
  ctx: Ctx,
  { accountId, now }: { accountId: string; now: Date },
): Promise<void> {
  const at = now.toISOString()
  await statements.upsertErasureRequest(ctx, { accountId, at })
}

export async function findErasureRequest(
  ctx: Ctx,
  { accountId }: { accountId: string },
): Promise<ErasureRequest | undefined> {
  return await statements.findErasureRequest<Pick<ErasureRequest, 'openWork'>>(ctx, { accountId })
}

/** Claims the request that is due longest until `leaseEndsAt`: after the death of its worker it is due again then. */
export async function claimErasure(
  ctx: Ctx,
  { now, leaseEndsAt }: { now: Date; leaseEndsAt: Date },
): Promise<{ accountId: string; email: string; attempts: number } | undefined> {
  return await statements.claimErasure(ctx, { leaseEndsAt, now })
}

/** Ends a request that was refused or that failed for good. */
export async function endErasureRequest(
  ctx: Ctx,
  { accountId, openWork }: { accountId: string; openWork: OpenWork | null },
): Promise<void> {
  await statements.endErasureRequest(ctx, { openWork, accountId })
}
