// The person whom a signed-in customer books for: told of the visit, if the customer names an address.
import type { Caller } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { invalidField } from '../../../../errors/app-error.ts'
import { type Reservation, type ReservationRow, reserveSlot } from '../queries/bookings.ts'
import { countGuests, insertGuest } from '../queries/bookings.sql.ts'
import { GUESTS_PER_DAY, tooManyGuests } from '../rules/guests.ts'

const DAY_MS = 86_400_000

/**
 * The address to tell of the visit; undefined where the customer names their own. Throws validation_failed for a caller who is no
 * signed-in customer: the message names a proven address, whose owner answers for it.
 */
export function guestToTell(caller: Caller, email: string | undefined): string | undefined {
  if (email === undefined) return undefined
  if (!caller.customer) throw invalidField('body.notifyEmail', 'works only for a customer who signed in')
  return email === caller.customer.customerEmail ? undefined : email
}

/** Books and keeps the guest's address in one transaction. Throws validation_failed after {@link GUESTS_PER_DAY} guests. */
export const reserveForGuest = (
  ctx: Ctx<{ accountId: string }>,
  { reservation, email }: { reservation: Reservation; email: string },
): Promise<ReservationRow> =>
  ctx.transaction('reserveForGuest', async (ctx) => {
    const { accountId } = ctx.actor
    const now = ctx.clock.now()
    const row = await reserveSlot(ctx, reservation)
    if (row.outcome !== 'reserved' || row.replayed) return row
    // The lock of the schedule is the pro's. A customer who books with several at once gets one or two more.
    const named = await countGuests(ctx, { accountId, since: new Date(now.getTime() - DAY_MS) })
    if ((named?.count ?? 0) >= GUESTS_PER_DAY) throw tooManyGuests()
    await insertGuest(ctx, { bookingId: row.booking.id, accountId, email, now })
    return row
  })
