// Lists and changes a pro's offers.
import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { changeOfferPackage } from '../packages/verbs/offer-package.ts'
import { unitOf } from '../../catalog/entries/rules/units.ts'
import { isWholeCents, toCents } from '../../../platform/schema/money.ts'
import { lockPro } from '../profile/verbs.ts'
import type { FurtherService, Offer, OfferChange } from './schemas.ts'
import { type OfferValues, deleteOffer, insertOffer, lockOffer, selectOffers, updateOffer } from './queries.ts'
import { selectFurtherServices } from './queries.sql.ts'

interface Pro {
  professionalId: string
}

/** The services that the pro offers, with price and package, in catalog order. */
export async function listOffers(ctx: Ctx<Pro>): Promise<{ services: Offer[] }> {
  return { services: await selectOffers(ctx, { professionalId: ctx.actor.professionalId }) }
}

/**
 * Updates the given fields of an offer: price, duration, description, package. Throws service_not_found for a service the
 * pro does not offer, and validation_failed for a minimum above the maximum, for a unit that does not match the price type,
 * and for an incomplete package.
 */
export const changeOffer = (ctx: Ctx<Pro>, change: OfferChange): Promise<Offer> =>
  ctx.transaction('changeOffer', (ctx) => changeOfferIn(ctx, change))

/** {@link changeOffer} inside an existing transaction. */
export async function changeOfferIn(ctx: TxCtx<Pro>, change: OfferChange): Promise<Offer> {
  const { professionalId } = ctx.actor
  const { serviceId } = change
  const offer = await getOfferForUpdate(ctx, { serviceId })
  const values = offerValues(offer, change)
  await updateOffer(ctx, { professionalId, serviceId, values })
  const { packageKind, packageName, packagePrice, includes, cadence, bedrooms, bathrooms } = change
  const basePrice = values.basePriceCents === null ? null : values.basePriceCents / 100
  await changeOfferPackage(ctx, {
    offer: { ...offer, ...values, basePrice, professionalId },
    change: { packageKind, packageName, packagePrice, includes, cadence, bedrooms, bathrooms },
  })
  const [changed] = await selectOffers(ctx, { professionalId, serviceId })
  if (!changed) throw notOffered()
  return changed
}

/** The services of the catalog that the pro does not offer yet. */
export const listFurtherServices = (ctx: Ctx<Pro>): Promise<FurtherService[]> =>
  selectFurtherServices(ctx, { professionalId: ctx.actor.professionalId })

/**
 * Adds a service of the catalog to the pro's offers, with the given price. Throws validation_failed for an unknown or offered
 * service, and like {@link changeOffer}.
 */
export const addOffer = (ctx: Ctx<Pro>, offer: OfferChange): Promise<Offer> =>
  ctx.transaction('addOffer', async (ctx) => {
    await lockPro(ctx)
    if (!(await insertOffer(ctx, { professionalId: ctx.actor.professionalId, serviceId: offer.serviceId })))
      throw invalidField('body.serviceId', 'is a service that you offer already, or that does not exist')
    return await changeOfferIn(ctx, offer)
  })

/** Ends an offer and its package: customers no longer find it. Bookings and quotes stay. Throws service_not_found. */
export const removeOffer = (ctx: Ctx<Pro>, { serviceId }: { serviceId: string }): Promise<void> =>
  ctx.transaction('removeOffer', async (ctx) => {
    await lockPro(ctx)
    if (!(await deleteOffer(ctx, { professionalId: ctx.actor.professionalId, serviceId }))) throw notOffered()
  })

/** One of the pro's offers, locked until the transaction ends. Throws service_not_found. */
export async function getOfferForUpdate(ctx: TxCtx<Pro>, { serviceId }: { serviceId: string }): Promise<Offer> {
  if (!(await lockOffer(ctx, { professionalId: ctx.actor.professionalId, serviceId }))) throw notOffered()
  const [offer] = await selectOffers(ctx, { professionalId: ctx.actor.professionalId, serviceId })
  if (!offer) throw notOffered()
  return offer
}

function offerValues(offer: Offer, change: OfferChange): OfferValues {
  for (const field of ['basePrice', 'minPrice', 'maxPrice', 'packagePrice'] as const)
    if (!isWholeCents(change[field] ?? 0))
      throw invalidField(`body.${field}`, 'must be a dollar amount with whole cents')
  const given = <T>(value: T | undefined, old: T): T => (value === undefined ? old : value)
  const cents = (amount: number | null) => (amount === null ? null : toCents(amount))
  const [min, max] = [given(change.minPrice, offer.minPrice), given(change.maxPrice, offer.maxPrice)]
  if (min !== null && max !== null && min > max) throw invalidField('body.maxPrice', 'must not be below `minPrice`')
  return {
    description: given(change.description, offer.description),
    ...priceKind(offer, change),
    basePriceCents: cents(given(change.basePrice, offer.basePrice)),
    minPriceCents: cents(min),
    maxPriceCents: cents(max),
    durationMinutes: given(change.durationMinutes, offer.durationMinutes),
    instantBookEnabled: given(change.instantBookEnabled, offer.instantBookEnabled),
  }
}

/** A price per unit names its unit; that of the others is {@link unitOf}. */
function priceKind(offer: Offer, change: OfferChange): Pick<OfferValues, 'priceType' | 'unit'> {
  const priceType = change.priceType ?? offer.priceType
  const kept = priceType === offer.priceType ? offer.unit : unitOf(priceType)
  const unit = change.unit === undefined ? kept : change.unit
  if (priceType === 'flat' && unit !== null) throw invalidField('body.unit', 'must be null for a flat price')
  if (priceType === 'hourly' && unit !== unitOf(priceType))
    throw invalidField('body.unit', 'must be hour for an hourly price')
  if (unit === null && priceType === 'per_unit') throw invalidField('body.unit', 'is required for a price per unit')
  return { priceType, unit }
}

const notOffered = () => new AppError('service_not_found', 'You do not offer this service.')
