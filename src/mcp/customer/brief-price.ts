// A price as the tools of customers show it: without what is null, and with the sentence to tell the person.
import { type Static, Type } from '@sinclair/typebox'

import { testAccountOf } from '../../auth/caller.ts'
import type { Viewer } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { getDefaults } from '../../features/upkeep/marketplace/verbs.ts'
import { takesPayments } from '../../payments/open-provider.ts'
import { fromCents } from '../../platform/schema/money.ts'
import { Price, withFee } from '../../platform/schema/price.ts'
import { priceOf } from '../../platform/text/format.ts'
import { known } from '../server/results.ts'

const { type, base, min, max, unit, total } = Price.properties

export const BriefPrice = Type.Object({
  type,
  ...Type.Partial(Type.Object({ base, min, max, unit, total })).properties,
  text: Type.String(),
})

/** How agents book here. */
export interface HowBooked {
  /** Agents book with the fee, which needs a payment provider. */
  isPayable: boolean
  /** In dollars. */
  bookingFee: number
}

export async function howBooked(ctx: Ctx<Viewer>): Promise<HowBooked> {
  const { feeCents } = await getDefaults(ctx)
  return {
    isPayable: feeCents === 0 || takesPayments(ctx.config, testAccountOf(ctx.actor)),
    bookingFee: fromCents(feeCents),
  }
}

/** What booking an offer takes: its price with the fee where it can be booked at once, length and deposit. */
export function termsOf(
  {
    pricing,
    booking,
  }: {
    pricing: Price
    booking: { durationMinutes: number | null; instantBookEnabled: boolean; deposit?: number }
  },
  { isPayable, bookingFee }: HowBooked,
) {
  const { durationMinutes: minutes, deposit } = booking
  const bookable = isPayable && booking.instantBookEnabled
  return known({ price: briefPrice(withFee(pricing, bookable ? bookingFee : 0)), minutes, deposit, bookable })
}

function briefPrice(price: Price): Static<typeof BriefPrice> {
  // `from` is the least of these.
  const { type, base, min, max, unit, total } = price
  return { type, ...known({ base, min, max, unit, total }), text: priceOf(price) }
}
