// What can be booked online on a server without a payment provider: only what costs neither a fee nor a deposit when booking.
import { type Viewer, testAccountOf } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { takesPayments } from '../../../../payments/open-provider.ts'
import { selectDepositTakers } from '../queries/pros.ts'
import type { Professional, ProfessionalDetail, PublicProfile } from '../schemas.ts'

/** Found pros, without the bookings that this server cannot take. */
export async function asBookable(
  ctx: Ctx<Viewer>,
  { pros }: { pros: readonly Professional[] },
): Promise<readonly Professional[]> {
  if (takesPayments(ctx.config, testAccountOf(ctx.actor))) return pros
  const takers = await findDepositTakers(ctx, { ids: pros.map(({ id }) => id) })
  return pros.map((pro) => (takers.has(pro.id) ? withoutBooking(pro) : pro))
}

/** Which of the pros take a deposit for instant bookings. */
export const findDepositTakers = async (ctx: Ctx, { ids }: { ids: readonly string[] }) =>
  new Set(ids.length === 0 ? [] : await selectDepositTakers(ctx, { ids }))

const withoutBooking = (pro: Professional): Professional => ({
  ...pro,
  instantBookingEnabled: false,
  bookingUrl: null,
  matchedService: pro.matchedService && withoutBookingOf(pro.matchedService),
})

const withoutBookingOf = <T extends { booking: { instantBookEnabled: boolean } }>(service: T): T => ({
  ...service,
  booking: { ...service.booking, instantBookEnabled: false },
})

/** A pro as they can be booked here, as JSON text. SQL builds the JSON after the schemas of these types. */
export function detailAsBookable(ctx: Ctx<Viewer>, { body }: { body: string }): string {
  if (takesPayments(ctx.config, testAccountOf(ctx.actor))) return body
  const pro = JSON.parse(body) as ProfessionalDetail & Partial<PublicProfile>
  if (!pro.booking.depositRequired) return body
  return JSON.stringify({
    ...pro,
    services: pro.services.map(withoutBookingOf),
    booking: { ...pro.booking, instantBookingEnabled: false },
    ...('bookingUrl' in pro ? { bookingUrl: null } : {}),
  })
}
