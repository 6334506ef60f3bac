// A pro's profile and locations in the database. Every statement filters by the pro.
import type { Profile, ProfileChange } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function findProfile(
  ctx: Ctx,
  { professionalId, baseUrl }: { professionalId: string; baseUrl: string },
): Promise<Profile | undefined> {
  const row = await statements.findProfile<{ profile: Profile }>(ctx, { baseUrl, professionalId })
  return row?.profile
}

/** Updates the given fields. Null removes a value; an omitted field keeps it. */
export async function updateProfile(
  ctx: TxCtx,
  { professionalId, change, now }: { professionalId: string; change: ProfileChange; now: Date },
): Promise<void> {
  await statements.updateProfile(ctx, {
    businessName: change.businessName,
    setsDescription: change.description !== undefined,
    description: change.description,
    serviceRadiusMiles: change.serviceRadiusMiles,
    acceptsEmergency: change.acceptsEmergency,
    setsYearsOfExperience: change.yearsOfExperience !== undefined,
    yearsOfExperience: change.yearsOfExperience,
    now,
    professionalId,
  })
}
