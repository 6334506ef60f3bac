// SQL of bookings that no longer start at the local time that was agreed; see sql/functions/agreed_starts.sql.
import type { SavedBooking } from './changes.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './agreed-starts.sql.ts'

export interface Drifted {
  id: string
  confirmationCode: string
  /** The local time that was agreed, such as `2027-06-01 09:00`, and its zone. */
  localStart: string
  timeZone: string
  startsAt: string
  agreedStart: string
}

/** Of the `limit` pros after `after` those with drifted bookings; `last` is undefined when no further pros follow. */
export async function selectProsWithDrifted(
  ctx: Ctx,
  { after, limit, now }: { after: string; limit: number; now: Date },
): Promise<{ pros: string[]; last: string | undefined }> {
  const rows = await statements.selectProsWithDrifted(ctx, { now, after, limit })
  return {
    pros: rows.filter(({ drifted }) => drifted).map(({ id }) => id),
    last: rows.length < limit ? undefined : rows.at(-1)?.id,
  }
}

/** Reschedules a locked booking to its agreed local time, unless another booking has it. */
export async function rescheduleToAgreedStart(
  ctx: TxCtx,
  { id, now }: { id: string; now: Date },
): Promise<({ outcome: 'rescheduled' } & SavedBooking) | { outcome: 'conflict' }> {
  const row = await statements.rescheduleToAgreedStart<
    ({ outcome: 'rescheduled' } & SavedBooking) | { outcome: 'conflict' }
  >(ctx, { id, now })
  if (!row) throw new Error('A locked booking is missing.')
  return row
}
