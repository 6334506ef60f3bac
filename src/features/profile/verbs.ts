// Reads and changes a pro's profile and locations.
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { Locations, Profile, ProfileChange } from './schemas.ts'
import { findProfile, lockProfile, selectLocations, updateProfile } from './queries.ts'

interface Pro {
  professionalId: string
}

export async function getProfile({ read, config }: Deps, { professionalId }: Pro): Promise<Profile> {
  const profile = await findProfile(read, professionalId, config.baseUrl)
  if (!profile) throw professionalNotFound()
  return profile
}

/** Updates the given fields. Search results change in the same transaction. */
export const changeProfile = (deps: Deps, pro: Pro, change: ProfileChange): Promise<Profile> =>
  deps.write.begin('changeProfile', (tx) => changeProfileIn(deps, tx, pro, change))

/** {@link changeProfile} inside an existing transaction. */
export async function changeProfileIn(deps: Deps, tx: Transaction, pro: Pro, change: ProfileChange): Promise<Profile> {
  await updateProfile(tx, pro.professionalId, change, deps.clock.now())
  return await getProfileForUpdate(deps, tx, pro)
}

/** Locks the pro's own data (profile, texts, business, site) until the transaction ends. */
export const lockPro = (tx: Transaction, { professionalId }: Pro): Promise<void> => lockProfile(tx, professionalId)

/** The profile, locked until the transaction ends. */
export async function getProfileForUpdate(deps: Deps, tx: Transaction, { professionalId }: Pro): Promise<Profile> {
  await lockProfile(tx, professionalId)
  const profile = await findProfile(tx, professionalId, deps.config.baseUrl)
  if (!profile) throw professionalNotFound()
  return profile
}

export async function listLocations({ read }: Deps, { professionalId }: Pro): Promise<Locations> {
  const locations = await selectLocations(read, professionalId)
  return { locations, meta: { total: locations.length } }
}

const professionalNotFound = () => new AppError('professional_not_found', 'The pro of this key no longer exists.')
