// A pro's work day by day, and the lists in which a pro finds bookings and customers.
import type { Ctx } from '../../../../ctx.ts'
import { type PageMeta, type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { searchProBookings, selectBookingsBetween, selectCustomers, sumBalancesDue } from '../queries/pro-lists.ts'
import type { BookingView, ProBooking, ProCustomer } from '../schemas.ts'
import { normalizeCode } from '../rules/confirmation-codes.ts'

interface Pro {
  professionalId: string
  /** A worker sees the visits of this member alone. */
  onlyMemberId?: string | null
}

const of = ({ professionalId, onlyMemberId = null }: Pro) => ({ professionalId, onlyMemberId })

/** The visits of `days` days from `from` on the pro's calendar, in order of start. Cancelled ones are left out. */
export const listVisits = (ctx: Ctx<Pro>, { from, days }: { from: string; days: number }): Promise<ProBooking[]> =>
  selectBookingsBetween(ctx, { from, days, now: ctx.clock.now(), ...of(ctx.actor) })

/** A page of the pro's bookings in one view, of those that contain `text`: a name, an e-mail address, a phone number or a code. */
export async function searchBookings(
  ctx: Ctx<Pro>,
  { view, text, ...query }: PageQuery & { view: BookingView; text?: string | undefined },
): Promise<{ bookings: ProBooking[]; meta: PageMeta }> {
  const search = { view, text: searchText(text), ...pageOf(query), now: ctx.clock.now() }
  const { bookings, total } = await searchProBookings(ctx, { ...search, ...of(ctx.actor) })
  return { bookings, meta: pageMeta(total, query) }
}

/** What customers have to pay now for bookings that wait for it, in dollars. */
export const sumDueNow = (ctx: Ctx<Pro>): Promise<number> =>
  sumBalancesDue(ctx, { professionalId: ctx.actor.professionalId, now: ctx.clock.now() })

const MAX_CUSTOMERS = 20

/** The pro's customers, by a part of their name, e-mail address or phone number, or by a code of theirs. */
export async function searchCustomers(ctx: Ctx<Pro>, { text }: { text: string }): Promise<ProCustomer[]> {
  const search = searchText(text)
  return search === null
    ? []
    : await selectCustomers(ctx, { text: search, limit: MAX_CUSTOMERS, professionalId: ctx.actor.professionalId })
}

/** A code is typed in any case and spacing. */
function searchText(text = ''): string | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^hth/i.test(trimmed) ? normalizeCode(trimmed) : trimmed
}
