// Whether this server offers packages, and which fields of requests need that.
import type { Feature } from '../../../../config.ts'
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'

const FEATURE: Feature = 'FEATURE_OFFER_PACKAGES'

/** The fields that book a package, or list its times. */
export const PACKAGE_CHOICE = { packageId: FEATURE }

/** The fields that change the package of an offer. */
export const PACKAGE_CHANGE = {
  packageKind: FEATURE,
  packageName: FEATURE,
  packagePrice: FEATURE,
  includes: FEATURE,
  cadence: FEATURE,
  bedrooms: FEATURE,
  bathrooms: FEATURE,
}

/** Throws validation_failed for the field of a request where packages are off. */
export function requirePackages(ctx: Ctx, field: string): void {
  if (!ctx.config.features.has(FEATURE))
    throw invalidField(field, 'is not accepted: this server does not offer packages')
}
