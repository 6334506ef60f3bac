// Imported busy time of pros, without a server to read it from.
import { randomUUID } from 'node:crypto'

import { readBusyTime } from '../../src/platform/ics/busy-time.ts'
import type { Sql } from '../../src/platform/postgres/database.ts'
import type { Window } from './calendar-oracle.ts'

/** Inserts an imported calendar that was never read. */
export async function insertCalendar(sql: Sql, proId: string): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into imported_calendars (id, professional_id, name, address_encrypted, address_digest, host, created_at, next_read_at)
    values (${id}, ${proId}, 'Family', 'x', ${id}, 'calendars.test.example', '2020-01-01', '9999-01-01')`
  return id
}

export async function insertBusy(sql: Sql, proId: string, spans: { from: string; to: string }[]): Promise<void> {
  const calendarId = await insertCalendar(sql, proId)
  await sql`
    insert into imported_busy (professional_id, calendar_id, starts_at, ends_at)
    select ${proId}, ${calendarId}, r."from", r."to"
    from jsonb_to_recordset(${sql.json(spans)}) as r("from" timestamptz, "to" timestamptz)`
}

/** Replaces a pro's imported calendars by one with this text, if any. */
export async function importCalendarText(
  sql: Sql,
  proId: string,
  { text, timeZone, window }: { text: string | undefined; timeZone: string; window: Window },
): Promise<void> {
  await sql`delete from imported_calendars where professional_id = ${proId}`
  if (text === undefined) return
  const within = { start: window.from * 60_000, end: window.to * 60_000 }
  const result = readBusyTime(text, { timeZone, within })
  if (result.kind !== 'read') throw new Error(result.reason)
  const iso = (at: number) => new Date(at).toISOString()
  await insertBusy(
    sql,
    proId,
    result.busy.map(({ start, end }) => ({ from: iso(start), to: iso(end) })),
  )
}
