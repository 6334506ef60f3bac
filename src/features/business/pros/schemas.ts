// A pro as an operator creates one.
import type { PlanId } from '../plans/schemas.ts'

/** What a pro begins with. They set everything else themselves. */
export interface NewPro {
  businessName: string
  /** Of the owner's account, which has no other pro. */
  email: string
  /** A city or a ZIP code, with or without a street, or a point of a map: "Columbus, OH", "43215" or "39.96, -83.00". */
  place: string
  /** How far they come, in miles. */
  radius: number
  phone?: string | undefined
  /** By which another system of the operator knows the pro. No two pros have the same. */
  externalId?: string | undefined
  plan: PlanId
}

export const MAX_RADIUS_MILES = 500
export const MAX_EXTERNAL_ID = 200

export interface CreatedPro {
  id: string
  slug: string
  /** "Columbus, OH". */
  city: string
  timeZone: string
  /** Whether the pro comes to no place of the marketplace's area. */
  isOutsideArea: boolean
}
