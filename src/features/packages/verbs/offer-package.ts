// The package of an offer, made and changed with the offer.
import type { Deps } from '../../../deps.ts'
import { invalidField } from '../../../errors/app-error.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { toCents } from '../../quotes/money.ts'
import type { Package } from '../schemas.ts'
import { type PackageValues, retirePackage, upsertPackage } from '../queries.ts'

/** What a change of an offer may say of its package. `packageKind` null takes the package away. */
export interface PackageChange {
  packageKind?: string | null | undefined
  packageName?: string | undefined
  packagePrice?: number | undefined
  includes?: string[] | undefined
  cadence?: Package['cadence'] | undefined
  bedrooms?: number | null | undefined
  bathrooms?: number | null | undefined
}

/** The offer as it is after its own change. */
export interface ChangedOffer {
  professionalId: string
  serviceId: string
  slug: string
  name: string
  description: string | null
  basePrice: number | null
  durationMinutes: number
  package: Package | null
}

/**
 * Makes, changes or takes away the offer's package, as the change says. Throws validation_failed where package fields
 * come without a kind, or no price is known.
 */
export async function changePackage(
  { clock, ids }: Deps,
  tx: Transaction,
  offer: ChangedOffer,
  change: PackageChange,
): Promise<void> {
  const touched = Object.values(change).some((value) => value !== undefined)
  if (!touched) return
  if (change.packageKind === null) return await retirePackage(tx, offer.professionalId, offer.serviceId, clock.now())
  const id = ids.uuid()
  // Readable, and unique by the last digits of a fresh id.
  const sku = `${offer.slug.toUpperCase().slice(0, 40)}-${id.slice(-12).toUpperCase()}`
  await upsertPackage(tx, offer, { id, sku, now: clock.now() }, packageValues(offer, change))
}

function packageValues(offer: ChangedOffer, change: PackageChange): PackageValues {
  const old = offer.package
  const kind = change.packageKind ?? old?.kind
  if (kind === undefined) throw invalidField('body.packageKind', 'is required to make the offer a package')
  const price = change.packagePrice ?? old?.price ?? offer.basePrice
  if (!price) throw invalidField('body.packagePrice', 'is required where the offer has no base price')
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
