// A pro's imported calendars in the database. Every statement filters by the pro.
import type { Sql } from '../../../../platform/postgres/database.ts'
import type { Calendar } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './calendars.sql.ts'

export interface NewCalendarRow {
  id: string
  professionalId: string
  memberId: string | null
  name: string
  addressEncrypted: string
  addressDigest: string
  host: string
  now: Date
}

/** A calendar as the API shows it. */
const shown = (sql: Sql) => sql`
  c.id, c.name, 'https://' || c.host || '/…' as address, c.member_id, c.last_read_at, c.last_error, c.failing_since,
  c.next_read_at, c.event_count, c.unreadable_count as unreadable_event_count, c.created_at,
  case
    when c.failing_since is not null then 'failing'
    when c.last_read_at is null then 'waiting'
    else 'working'
  end as status`

export const selectCalendars = (ctx: Ctx, { professionalId }: { professionalId: string }): Promise<Calendar[]> =>
  ctx.read.run<Calendar>(
    'selectCalendars',
    (sql) => sql`
      select ${shown(sql)} from imported_calendars c
      where c.professional_id = ${professionalId} order by c.created_at, c.id`,
  )

/** Undefined when the pro has imported this address before. */
export async function insertCalendar(ctx: TxCtx, calendar: NewCalendarRow): Promise<Calendar | undefined> {
  const now = calendar.now.toISOString()
  const [row] = await ctx.tx.run<Calendar>(
    'insertCalendar',
    (sql) => sql`
      insert into imported_calendars as c (id, professional_id, member_id, name, address_encrypted, address_digest, host,
        created_at, next_read_at)
      values (${calendar.id}, ${calendar.professionalId}, ${calendar.memberId}, ${calendar.name},
        ${calendar.addressEncrypted}, ${calendar.addressDigest}, ${calendar.host}, ${now}, ${now})
      on conflict on constraint imported_calendars_once do nothing
      returning ${shown(sql)}`,
  )
  return row
}

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
  const rows = await ctx.tx.run(
    'deleteCalendars',
    (sql) => sql`
      delete from imported_calendars
      where professional_id = ${professionalId}
        and ${'id' in which ? sql`id = ${which.id}` : sql`member_id = ${which.memberId}`}
      returning id`,
  )
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
