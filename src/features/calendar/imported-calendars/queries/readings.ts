// What the readers of calendars claim and save. A claim's number tells whether it is still the latest.
import type { MessageBooking } from '../../../messages/messages/kinds.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'

/** A calendar that this process may read until its claim ends. */
export interface ClaimedCalendar {
  id: string
  professionalId: string
  accountId: string
  /** The pro's e-mail address. */
  email: string
  memberId: string | null
  claim: number
  name: string
  addressEncrypted: string
  etag: string | null
  lastModified: string | null
  bodyDigest: string | null
  expandedFrom: string | null
  expandedZone: string | null
  failures: number
  /** When its busy time last changed, or when it was added. */
  changedAt: string
  timeZone: string
}

/** Claims the calendar that has been due for the longest time; see sql/functions/claim_calendar.sql. */
export async function claimCalendar(
  ctx: Ctx,
  { now, until }: { now: Date; until: Date },
): Promise<ClaimedCalendar | undefined> {
  const [row] = await ctx.write.run<ClaimedCalendar>(
    'claimCalendar',
    (sql) => sql`
      select c.id, c.professional_id, p.account_id, a.email, c.member_id, c.claims as claim, c.name, c.address_encrypted, c.etag,
        c.last_modified, c.body_digest, c.expanded_from, c.expanded_zone, c.failures, p.time_zone,
        iso_instant(coalesce(c.changed_at, c.created_at)) as changed_at
      from claim_calendar(${now.toISOString()}, ${until.toISOString()}) c
      join professionals p on p.id = c.professional_id join accounts a on a.id = p.account_id`,
  )
  return row
}

/** Ends a claim's turn: the pro's other calendars that are due go to the end of the queue. */
export async function endTurn(ctx: Ctx, { id, professionalId, claim, now }: { now: Date } & Claim): Promise<void> {
  await ctx.write.run(
    'endTurn',
    (sql) => sql`
      update imported_calendars c set
        reading_until = case when c.id = ${id} and c.claims = ${claim} then null else c.reading_until end,
        next_read_at = case when c.next_read_at < ${now.toISOString()} then ${now.toISOString()} else c.next_read_at end
      where c.professional_id = ${professionalId}
        and ((c.id = ${id} and c.claims = ${claim}) or c.next_read_at < ${now.toISOString()})`,
  )
}

export interface Reading {
  etag: string | null
  lastModified: string | null
  bodyDigest: string | null
}

/** What a new expansion adds to a reading. */
export interface Expansion {
  from: string
  zone: string
  events: number
  unreadable: number
}

type Claim = Pick<ClaimedCalendar, 'id' | 'professionalId' | 'claim'>

/** Returns false when the claim is no longer the latest, or the calendar was removed. */
export async function updateRead(
  ctx: Ctx,
  {
    id,
    claim,
    reading,
    expansion,
    now,
    next,
  }: { reading?: Reading; expansion?: Expansion; now: Date; next: Date } & Claim,
): Promise<boolean> {
  const rows = await ctx.write.run(
    'updateRead',
    (sql) => sql`
      update imported_calendars set last_read_at = ${now.toISOString()}, next_read_at = ${next.toISOString()},
        failing_since = null, failures = 0, last_error = null, failure_told_at = null
        ${
          reading
            ? sql`, etag = ${reading.etag}, last_modified = ${reading.lastModified}, body_digest = ${reading.bodyDigest}`
            : sql``
        }
        ${
          expansion
            ? sql`, expanded_from = ${expansion.from}, expanded_zone = ${expansion.zone},
              event_count = ${expansion.events}, unreadable_count = ${expansion.unreadable}`
            : sql``
        }
      where id = ${id} and claims = ${claim} returning id`,
  )
  return rows.length > 0
}

/** Records that a reading changed the busy time. */
export async function updateChanged(ctx: TxCtx, { id, now, next }: { now: Date; next: Date } & Claim): Promise<void> {
  await ctx.tx.run(
    'updateChanged',
    (sql) => sql`
      update imported_calendars set changed_at = ${now.toISOString()}, next_read_at = ${next.toISOString()} where id = ${id}`,
  )
}

/**
 * Records a failed reading. Returns the calendar when it has failed for longer than since `toldBefore` and its pro was not told
 * yet, and records that they are.
 */
export async function updateFailed(
  ctx: TxCtx,
  { id, claim, error, now, next, toldBefore }: { error: string; now: Date; next: Date; toldBefore: Date } & Claim,
): Promise<{ lastReadAt: string | null } | undefined> {
  const [row] = await ctx.tx.run<{ lastReadAt: string | null; isToTell: boolean }>(
    'updateFailed',
    (sql) => sql`
      update imported_calendars c set failing_since = coalesce(c.failing_since, ${now.toISOString()}),
        failures = c.failures + 1, last_error = ${error}, next_read_at = ${next.toISOString()},
        failure_told_at = coalesce(c.failure_told_at,
          case when c.failing_since <= ${toldBefore.toISOString()} then ${now.toISOString()}::timestamptz end)
      from imported_calendars before
      where c.id = ${id} and c.claims = ${claim} and before.id = c.id
      returning c.last_read_at, c.failure_told_at is not null and before.failure_told_at is null as is_to_tell`,
  )
  return row?.isToTell ? { lastReadAt: row.lastReadAt } : undefined
}

/**
 * Replaces the busy time of a calendar. Returns how many times of the span [`now`, `until`) changed: outside of it, days only
 * pass or come into view.
 */
export async function replaceBusy(
  ctx: TxCtx,
  {
    id,
    professionalId,
    busy,
    now,
    until,
  }: { busy: readonly { startsAt: string; endsAt: string }[]; now: Date; until: Date } & Claim,
): Promise<number> {
  const [row] = await ctx.tx.run<{ changes: number }>(
    'replaceBusy',
    (sql) => sql`
      with wanted as materialized (
        select w."startsAt" as starts_at, w."endsAt" as ends_at
        from jsonb_to_recordset(${JSON.stringify(busy)}::text::jsonb) as w ("startsAt" timestamptz, "endsAt" timestamptz)
      ), removed as (
        delete from imported_busy b
        where b.professional_id = ${professionalId} and b.calendar_id = ${id}
          and not exists (select from wanted w where w.starts_at = b.starts_at)
        returning b.starts_at, b.ends_at
      ), added as (
        insert into imported_busy as b (professional_id, calendar_id, starts_at, ends_at)
        select ${professionalId}, ${id}, w.starts_at, w.ends_at from wanted w
        on conflict (professional_id, starts_at, calendar_id) do update set ends_at = excluded.ends_at
          where b.ends_at <> excluded.ends_at
        returning b.starts_at, b.ends_at
      )
      select count(*)::int as changes from (select * from removed union all select * from added) changed
      where ends_at > ${now.toISOString()} and starts_at < ${until.toISOString()}`,
  )
  return row?.changes ?? 0
}

export interface Conflict {
  bookingId: string
  /** The overlapping busy time. */
  startsAt: string
  endsAt: string
  booking: MessageBooking
}

/** Records the bookings that overlap a calendar's busy time, and returns those of which the pro was not told. */
export const insertConflicts = (
  ctx: TxCtx,
  { id, professionalId, memberId, now }: { now: Date } & ClaimedCalendar,
): Promise<Conflict[]> =>
  ctx.tx.run<Conflict>(
    'insertConflicts',
    (sql) => sql`
      with overlapping as materialized (
        select b.id, min(i.starts_at) as starts_at, max(i.ends_at) as ends_at
        from bookings b
        join imported_busy i on i.professional_id = b.professional_id and i.calendar_id = ${id}
          and i.starts_at > b.starts_at - interval '24 hours' and i.starts_at < b.ends_at and i.ends_at > b.starts_at
        where b.professional_id = ${professionalId} and b.status in ('pending', 'confirmed')
          and (b.hold_expires_at is null or b.hold_expires_at > ${now.toISOString()}) and b.ends_at > ${now.toISOString()}
          -- A visit of another member is no conflict with this member's calendar.
          and (${memberId}::uuid is null or b.assigned_member_id is null or b.assigned_member_id = ${memberId})
        group by b.id
      ), told as (
        insert into imported_conflicts (calendar_id, booking_id, told_at)
        select ${id}, o.id, ${now.toISOString()} from overlapping o
        on conflict do nothing
        returning booking_id
      )
      select told.booking_id, o.starts_at, o.ends_at, current_message_booking(o.id, ${now.toISOString()}) as booking
      from told join overlapping o on o.id = told.booking_id
      order by o.starts_at, told.booking_id`,
  )

/** The numbers of calendars and of failing ones, and for how long the first has been due. */
export async function findReadingBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ calendars: number; failing: number; overdueSeconds: number }> {
  const [row] = await ctx.read.run<{ calendars: number; failing: number; overdueSeconds: number }>(
    'findReadingBacklog',
    (sql) => sql`
      select count(*)::int as calendars, (count(*) filter (where failing_since is not null))::int as failing,
        greatest(0, coalesce(extract(epoch from ${now.toISOString()}::timestamptz - min(next_read_at)), 0))::float8
          as overdue_seconds
      from imported_calendars`,
  )
  return row ?? { calendars: 0, failing: 0, overdueSeconds: 0 }
}
