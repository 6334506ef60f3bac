// Team members in the database. Every statement reads active members only.
import type { Member } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function selectMembers(
  ctx: Ctx,
  { professionalId, limit, offset }: { professionalId: string; limit: number; offset: number },
): Promise<{ members: Member[]; total: number }> {
  const row = await statements.selectMembers<{ members: Member[] }>(ctx, { professionalId, limit, offset })
  return row ?? { members: [], total: 0 }
}

/** Returns whether the pro has this active member, and locks the row until the transaction ends. */
export async function lockMember(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await statements.lockMember(ctx, { professionalId, id })
  return rows.length === 1
}

/** Returns false when the pro has no such active member. */
export async function deactivateMember(
  ctx: TxCtx,
  { professionalId, id, now }: { professionalId: string; id: string; now: Date },
): Promise<boolean> {
  const rows = await statements.deactivateMember(ctx, { now, professionalId, id })
  return rows.length === 1
}
