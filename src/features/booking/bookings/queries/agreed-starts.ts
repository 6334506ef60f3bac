// SQL of bookings that no longer start at the local time that was agreed; see sql/functions/agreed_starts.sql.
import type { SavedBooking } from './changes.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

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
  const rows = await ctx.write.run<{ id: string; drifted: boolean }>(
    'selectProsWithDrifted',
    (sql) => sql`
      select p.id, exists (
        select from bookings b
        where b.professional_id = p.id and b.starts_at > ${now.toISOString()} and has_drifted(b, ${now.toISOString()})
      ) as drifted
      from (select id from professionals where id > ${after} order by id limit ${limit}) p order by p.id`,
  )
  return {
    pros: rows.filter(({ drifted }) => drifted).map(({ id }) => id),
    last: rows.length < limit ? undefined : rows.at(-1)?.id,
  }
}

/** A pro's drifted bookings, ordered so that no booking is moved to the time of one that still has to move. */
export const selectDrifted = (
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<Drifted[]> =>
  ctx.write.run<Drifted>(
    'selectDrifted',
    (sql) => sql`
      select b.id, b.confirmation_code, to_char(b.local_start, 'YYYY-MM-DD HH24:MI') as local_start, b.time_zone, b.starts_at,
        agreed_start(b) as agreed_start
      from bookings b
      where b.professional_id = ${professionalId} and b.starts_at > ${now.toISOString()}
        and has_drifted(b, ${now.toISOString()})
      order by case when agreed_start(b) > b.starts_at then - extract(epoch from b.starts_at)
        else extract(epoch from b.starts_at) end`,
  )

/** Reschedules a locked booking to its agreed local time, unless another booking has it. */
export async function rescheduleToAgreedStart(
  ctx: TxCtx,
  { id, now }: { id: string; now: Date },
): Promise<({ outcome: 'rescheduled' } & SavedBooking) | { outcome: 'conflict' }> {
  const [row] = await ctx.tx.run<({ outcome: 'rescheduled' } & SavedBooking) | { outcome: 'conflict' }>(
    'reschedule_to_agreed_start',
    (sql) => sql`select outcome, booking, event_sequence from reschedule_to_agreed_start(${id}, ${now.toISOString()})`,
  )
  if (!row) throw new Error('A locked booking is missing.')
  return row
}
