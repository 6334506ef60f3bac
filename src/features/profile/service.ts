// A pro's profile, places and offers, changed by the pro.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors.ts'
import { isWholeCents, toCents } from '../quotes/money.ts'
import { changePackage } from '../packages/offer-service.ts'
import type { Locations, Offer, OfferChange, Profile, ProfileChange } from './model.ts'
import {
  type OfferValues,
  findProfile,
  lockOffer,
  selectLocations,
  selectOffers,
  updateOffer,
  updateProfile,
} from './queries.ts'

interface Pro {
  professionalId: string
}

export async function getProfile({ read, config }: Deps, { professionalId }: Pro): Promise<Profile> {
  const profile = await findProfile(read, professionalId, config.baseUrl)
  if (!profile) throw gone()
  return profile
}

/** Changes what is given. What search shows of the pro changes in the same transaction. */
export const changeProfile = (deps: Deps, { professionalId }: Pro, change: ProfileChange): Promise<Profile> =>
  deps.write.begin('changeProfile', async (tx) => {
    await updateProfile(tx, professionalId, change, deps.clock.now())
    const profile = await findProfile(tx, professionalId, deps.config.baseUrl)
    if (!profile) throw gone()
    return profile
  })

export async function listLocations({ read }: Deps, { professionalId }: Pro): Promise<Locations> {
  const locations = await selectLocations(read, professionalId)
  return { locations, meta: { total: locations.length } }
}

export async function listOffers({ read }: Deps, { professionalId }: Pro): Promise<{ services: Offer[] }> {
  return { services: await selectOffers(read, professionalId) }
}

/**
 * Changes an offer's price, duration, description and package, as far as they are given. Throws service_not_found for a
 * service the pro does not offer, validation_failed for a minimum over the maximum and for half a package.
 */
export const changeOffer = (deps: Deps, { professionalId }: Pro, change: OfferChange): Promise<Offer> =>
  deps.write.begin('changeOffer', async (tx) => {
    const { serviceId } = change
    if (!(await lockOffer(tx, professionalId, serviceId))) throw notOffered()
    const [offer] = await selectOffers(tx, professionalId, serviceId)
    if (!offer) throw notOffered()
    const values = offerValues(offer, change)
    await updateOffer(tx, professionalId, serviceId, values)
    const { packageKind, packageName, packagePrice, includes, cadence, bedrooms, bathrooms } = change
    const basePrice = values.basePriceCents === null ? null : values.basePriceCents / 100
    await changePackage(
      deps,
      tx,
      { ...offer, ...values, basePrice, professionalId },
      { packageKind, packageName, packagePrice, includes, cadence, bedrooms, bathrooms },
    )
    const [changed] = await selectOffers(tx, professionalId, serviceId)
    if (!changed) throw notOffered()
    return changed
  })

function offerValues(offer: Offer, change: OfferChange): OfferValues {
  for (const field of ['basePrice', 'minPrice', 'maxPrice', 'packagePrice'] as const)
    if (!isWholeCents(change[field] ?? 0)) throw invalidField(`body.${field}`, 'must be dollars and whole cents')
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value)
  const cents = (amount: number | null) => (amount === null ? null : toCents(amount))
  const [min, max] = [given(change.minPrice, offer.minPrice), given(change.maxPrice, offer.maxPrice)]
  if (min !== null && max !== null && min > max) throw invalidField('body.maxPrice', 'must not be below `minPrice`')
  return {
    description: given(change.description, offer.description),
    basePriceCents: cents(given(change.basePrice, offer.basePrice)),
    minPriceCents: cents(min),
    maxPriceCents: cents(max),
    durationMinutes: given(change.durationMinutes, offer.durationMinutes),
    instantBookEnabled: given(change.instantBookEnabled, offer.instantBookEnabled),
  }
}

const gone = () => new AppError('professional_not_found', 'The pro of this key is gone.')
const notOffered = () => new AppError('service_not_found', 'You do not offer this service.')
