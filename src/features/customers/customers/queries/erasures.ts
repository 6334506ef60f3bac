// SQL of customers' requests to be erased.
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
