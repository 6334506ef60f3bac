// Changes the package of an offer together with the offer.
import type { TxCtx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { toCents } from '../../../../platform/schema/money.ts'
import { requirePackages } from '../rules/offered.ts'
import type { Package } from '../schemas.ts'
import { type PackageValues, upsertPackage } from '../queries.ts'
import { deactivatePackage } from '../queries.sql.ts'

/** The package fields of an offer change. A `packageKind` of null removes the package. */
export interface OfferPackageChange {
  packageKind?: string | null | undefined
  packageName?: string | undefined
  packagePrice?: number | undefined
  includes?: string[] | undefined
  cadence?: Package['cadence'] | undefined
  bedrooms?: number | null | undefined
  bathrooms?: number | null | undefined
}

/** The offer after its own change. */
export interface ChangedOffer {
  professionalId: string
  serviceId: string
  slug: string
  name: string
  description: string | null
  priceType: string
  basePrice: number | null
  durationMinutes: number
  package: Package | null
}

/**
 * Creates, changes or removes the offer's package. Throws validation_failed when package fields come without a kind or
 * without a price, or where packages are off.
 */
export async function changeOfferPackage(
  ctx: TxCtx,
  { offer, change }: { offer: ChangedOffer; change: OfferPackageChange },
): Promise<void> {
  const changed = Object.entries(change).find(([, value]) => value !== undefined)
  if (!changed) return
  requirePackages(ctx, `body.${changed[0]}`)
  if (change.packageKind === null)
    return await deactivatePackage(ctx, {
      professionalId: offer.professionalId,
      serviceId: offer.serviceId,
      now: ctx.clock.now(),
    })
  const id = ctx.ids.uuid()
  // The slug makes the sku readable, the end of a new id makes it unique.
  const sku = `${offer.slug.toUpperCase().slice(0, 40)}-${id.slice(-12).toUpperCase()}`
  await upsertPackage(ctx, { offer, created: { id, sku, now: ctx.clock.now() }, values: packageValues(offer, change) })
}

function packageValues(offer: ChangedOffer, change: OfferPackageChange): PackageValues {
  const old = offer.package
  const kind = change.packageKind ?? old?.kind
  if (kind === undefined) throw invalidField('body.packageKind', 'is required to make the offer a package')
  // The price of an hour or of a square foot is not the price of the work.
  const price = change.packagePrice ?? old?.price ?? (offer.priceType === 'flat' ? offer.basePrice : null)
  if (!price) throw invalidField('body.packagePrice', 'is required where the offer has no base price for a visit')
  return {
    kind,
    name: change.packageName ?? old?.name ?? offer.name,
    description: offer.description,
    priceCents: toCents(price),
    includes: change.includes ?? old?.includes ?? [],
    cadence: change.cadence ?? old?.cadence ?? 'once',
    durationMinutes: offer.durationMinutes,
    bedrooms: change.bedrooms === undefined ? (old?.bedrooms ?? null) : change.bedrooms,
    bathrooms: change.bathrooms === undefined ? (old?.bathrooms ?? null) : change.bathrooms,
  }
}
