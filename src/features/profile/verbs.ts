// A pro's profile and locations, changed by the pro.
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
  if (!profile) throw gone()
  return profile
}

/** Changes what is given. What search shows of the pro changes in the same transaction. */
export const changeProfile = (deps: Deps, pro: Pro, change: ProfileChange): Promise<Profile> =>
  deps.write.begin('changeProfile', (tx) => changeProfileIn(deps, tx, pro, change))

/** {@link changeProfile} in a transaction that is under way. */
export async function changeProfileIn(deps: Deps, tx: Transaction, pro: Pro, change: ProfileChange): Promise<Profile> {
  await updateProfile(tx, pro.professionalId, change, deps.clock.now())
  return await getProfileForUpdate(deps, tx, pro)
}

/** Holds what is the pro's own (profile, texts, business, site) until the transaction ends. */
export const lockPro = (tx: Transaction, { professionalId }: Pro): Promise<void> => lockProfile(tx, professionalId)

/** The profile, held until the transaction ends. */
export async function getProfileForUpdate(deps: Deps, tx: Transaction, { professionalId }: Pro): Promise<Profile> {
  await lockProfile(tx, professionalId)
  const profile = await findProfile(tx, professionalId, deps.config.baseUrl)
  if (!profile) throw gone()
  return profile
}

export async function listLocations({ read }: Deps, { professionalId }: Pro): Promise<Locations> {
  const locations = await selectLocations(read, professionalId)
  return { locations, meta: { total: locations.length } }
}

const gone = () => new AppError('professional_not_found', 'The pro of this key is gone.')
