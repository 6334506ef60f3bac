// A booking that a pro or an operator makes for a customer who calls: the reservation of every booking, and who made it.
import type { Ctx } from '../../../../ctx.ts'
import { type OperatorId, recordAction } from '../../../upkeep/audit/verbs.ts'
import { type Reservation, type ReservationRow, reserveSlot } from '../queries/bookings.ts'
import { countMadeByPro, setMadeBy } from '../queries/bookings.sql.ts'
import { BY_HAND_PER_DAY, type Maker, tooManyByHand } from '../rules/by-hand.ts'

const DAY_MS = 86_400_000

/** Who makes the booking in the place of the customer; an operator with the id of their log-in. */
export type ByHand = { maker: Extract<Maker, 'pro'> } | { maker: Extract<Maker, 'operator'>; operatorId: OperatorId }

/**
 * Books, and keeps who made the booking, in one transaction; that of an operator is in the audit log. Throws validation_failed
 * after {@link BY_HAND_PER_DAY} bookings of a pro.
 */
export const reserveByHand = (
  ctx: Ctx,
  { reservation, byHand }: { reservation: Reservation; byHand: ByHand },
): Promise<ReservationRow> =>
  ctx.transaction('reserveByHand', async (ctx) => {
    const now = ctx.clock.now()
    const { professionalId } = reservation
    const row = await reserveSlot(ctx, reservation)
    if (row.outcome !== 'reserved' || row.replayed) return row
    const { id } = row.booking
    if (byHand.maker === 'pro') {
      // The reservation holds the lock of the pro's schedule: bookings at the same moment are counted one after the other.
      const made = await countMadeByPro(ctx, { professionalId, since: new Date(now.getTime() - DAY_MS) })
      if ((made?.count ?? 0) >= BY_HAND_PER_DAY) throw tooManyByHand()
    }
    await setMadeBy(ctx, { id, maker: byHand.maker })
    if (byHand.maker === 'operator')
      await recordAction(ctx, { action: 'booking.made', subjectId: id, professionalId, by: byHand.operatorId })
    return row
  })
