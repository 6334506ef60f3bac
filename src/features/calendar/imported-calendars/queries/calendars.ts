// A pro's imported calendars in the database. Every statement filters by the pro.
import type { TxCtx } from '../../../../ctx.ts'
import * as statements from './calendars.sql.ts'

/** Returns whether the pro has this active member, who then stays active until the transaction ends. */
export async function lockMember(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await statements.lockMemberOfCalendar(ctx, { professionalId, id })
  return rows.length > 0
}

/** Deletes calendars and their busy time: one, or all of a member. Returns how many there were. */
export async function deleteCalendars(
  ctx: TxCtx,
  { professionalId, which }: { professionalId: string; which: { id: string } | { memberId: string } },
): Promise<number> {
  const rows =
    'id' in which
      ? await statements.deleteCalendar(ctx, { professionalId, ...which })
      : await statements.deleteCalendarsOfMember(ctx, { professionalId, ...which })
  return rows.length
}

/** Makes a calendar due, unless it was read after `notAfter` or is being read. Returns undefined for an unknown one. */
export async function updateDue(
  ctx: TxCtx,
  { professionalId, id, now, notAfter }: { professionalId: string; id: string; now: Date; notAfter: Date },
): Promise<boolean | undefined> {
  const row = await statements.updateDue(ctx, { notAfter, now, professionalId, id })
  return row?.isDue
}
