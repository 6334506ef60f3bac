// What the readers of calendars claim and save. A claim's number tells whether it is still the latest.
import type { MessageBooking } from '../../../messages/messages/kinds.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import * as statements from './readings.sql.ts'

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

/**
 * Records a failed reading. Returns the calendar when it has failed for longer than since `toldBefore` and its pro was not told
 * yet, and records that they are.
 */
export async function updateFailed(
  ctx: TxCtx,
  { id, claim, error, now, next, toldBefore }: { error: string; now: Date; next: Date; toldBefore: Date } & Claim,
): Promise<{ lastReadAt: string | null } | undefined> {
  const row = await statements.updateFailed(ctx, { now, error, next, toldBefore, id, claim })
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
  const row = await statements.replaceBusy(ctx, { busy: JSON.stringify(busy), professionalId, id, now, until })
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
  statements.insertConflicts<Pick<Conflict, 'booking'>>(ctx, { id, professionalId, now, memberId })

/** The numbers of calendars and of failing ones, and for how long the first has been due. */
export async function findReadingBacklog(
  ctx: Ctx,
  { now }: { now: Date },
): Promise<{ calendars: number; failing: number; overdueSeconds: number }> {
  const row = await statements.findReadingBacklog(ctx, { now })
  return row ?? { calendars: 0, failing: 0, overdueSeconds: 0 }
}
