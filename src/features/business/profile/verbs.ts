// Reads and changes a pro's profile and locations.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Locations, Profile, ProfileChange } from './schemas.ts'
import { findProfile, updateProfile } from './queries.ts'
import { lockProfile, selectLocations } from './queries.sql.ts'

interface Pro {
  professionalId: string
}

export async function getProfile(ctx: Ctx<Pro>): Promise<Profile> {
  const profile = await findProfile(ctx, { professionalId: ctx.actor.professionalId, baseUrl: ctx.config.baseUrl })
  if (!profile) throw professionalNotFound()
  return profile
}

/** Updates the given fields. Search results change in the same transaction. */
export const changeProfile = (ctx: Ctx<Pro>, change: ProfileChange): Promise<Profile> =>
  ctx.transaction('changeProfile', (ctx) => changeProfileIn(ctx, change))

/** {@link changeProfile} inside an existing transaction. */
export async function changeProfileIn(ctx: TxCtx<Pro>, change: ProfileChange): Promise<Profile> {
  await updateProfile(ctx, { professionalId: ctx.actor.professionalId, change, now: ctx.clock.now() })
  return await getProfileForUpdate(ctx)
}

/** Locks the pro's own data (profile, texts, business, site) until the transaction ends. */
export const lockPro = (ctx: TxCtx<Pro>): Promise<void> =>
  lockProfile(ctx, { professionalId: ctx.actor.professionalId })

/** The profile, locked until the transaction ends. */
export async function getProfileForUpdate(ctx: TxCtx<Pro>): Promise<Profile> {
  await lockProfile(ctx, { professionalId: ctx.actor.professionalId })
  const profile = await findProfile(ctx, { professionalId: ctx.actor.professionalId, baseUrl: ctx.config.baseUrl })
  if (!profile) throw professionalNotFound()
  return profile
}

export async function listLocations(ctx: Ctx<Pro>): Promise<Locations> {
  const locations = await selectLocations(ctx, { professionalId: ctx.actor.professionalId })
  return { locations, meta: { total: locations.length } }
}

const professionalNotFound = () => new AppError('professional_not_found', 'The pro of this key no longer exists.')
