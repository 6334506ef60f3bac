// SQL of changes to bookings: lock, save, assign, move, lapse.
import type { Balance } from '../../../../payments/schemas.ts'
import type { Sql } from '../../../../platform/postgres/database.ts'
import type { Booking } from '../schemas.ts'
import type { BookingState } from '../states.ts'
import type { NextAvailable, Start } from './bookings.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { BOOKING } from '../states.ts'
import { JOB, type JobState } from '../../jobs/states.ts'
import { boolean, composed, keyOf, nullable, text } from '../../../../platform/postgres/composed.ts'
import * as statements from './changes.sql.ts'

/**
 * Access to a booking: its pro, the account that created it, its customer by the proven address, the holder of its manage link
 * with their account, or Hearth itself.
 */
export type BookingAccess =
  | { professionalId: string }
  | { accountId: string }
  | { customerEmail: string }
  | { linkHolderId: string | null }
  | 'system'

export interface LockedBooking {
  id: string
  professionalId: string
  /** The current state: a booking with an expired hold is cancelled, even if the row does not say so yet. */
  status: BookingState
  startsAt: string
  /** The payment deadline; null when no payment is due. */
  holdExpiresAt: string | null
  requiresApproval: boolean
  /** The job whose visit it is, and its quote; null for other bookings. */
  jobId: string | null
  quoteId: string | null
  jobStatus: JobState | null
  /** Cancelling keeps the payment from then on; null: always, after rescheduling too late. */
  freeCancellationUntil: string | null
  /** The one with access as a customer acts for the pro. */
  isByPro: boolean
}

const isAllowed = (sql: Sql, access: BookingAccess) => {
  if (access === 'system' || 'linkHolderId' in access) return sql`true`
  if ('customerEmail' in access)
    return sql`(b.customer_email = ${access.customerEmail} and b.disowned_at is null and not is_test_pro(b.professional_id))`
  return 'professionalId' in access
    ? sql`b.professional_id = ${access.professionalId}`
    : sql`b.account_id = ${access.accountId}`
}

/** The account that acts as the customer. */
function actorOf(access: BookingAccess): string | null {
  if (access === 'system' || 'professionalId' in access || 'customerEmail' in access) return null
  return 'linkHolderId' in access ? access.linkHolderId : access.accountId
}

/** The booking, locked until the transaction ends; undefined without access. */
export async function lockBooking(
  ctx: TxCtx,
  { access, id, now }: { access: BookingAccess; id: string; now: Date },
): Promise<LockedBooking | undefined> {
  const rows = await composed<LockedBooking>(
    ctx.tx,
    'lockBooking',
    {
      id: text,
      professionalId: text,
      status: keyOf(BOOKING),
      startsAt: text,
      holdExpiresAt: nullable(text),
      requiresApproval: boolean,
      freeCancellationUntil: nullable(text),
      jobId: nullable(text),
      quoteId: nullable(text),
      jobStatus: nullable(keyOf(JOB)),
      isByPro: boolean,
    },
    (sql) => sql`
      select b.id, b.professional_id, (booking_as_of(b, ${now.toISOString()})).status, b.starts_at, b.hold_expires_at,
        p.requires_approval or b.in_service_area is false as requires_approval, free_cancellation_until(b), j.id as job_id, j.quote_id,
        j.status as job_status,
        acts_for_pro(${actorOf(access)}, b.professional_id) as is_by_pro
      from bookings b join professionals p on p.id = b.professional_id
        left join jobs j on j.professional_id = b.professional_id and j.id = b.job_id
      where b.id = ${id} and ${isAllowed(sql, access)}
      for update of b`,
  )
  return rows[0]
}

export interface SavedBooking {
  booking: Booking
  /** The sequence of the event to emit. */
  eventSequence: number
}

/** Saves the state of a locked booking with its timestamps and who changed it, and ends its hold. */
export async function saveBookingState(
  ctx: TxCtx,
  {
    id,
    status,
    by,
    reason,
    now,
  }: { id: string; status: BookingState; by: 'customer' | 'pro' | 'hearth'; reason: string | null; now: Date },
): Promise<SavedBooking> {
  const at = now.toISOString()
  const rows = await statements.saveBookingState<Pick<SavedBooking, 'booking'>>(ctx, { status, at, by, reason, id })
  return only(rows)
}

/** Records the end of up to `limit` expired holds. Returns how many. */
export async function lapseDueHolds(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<number> {
  const row = await statements.lapseHolds(ctx, { now, limit })
  return row?.lapsed ?? 0
}

/** Up to `limit` bookings that are still pending at their start without a hold, oldest first. */
export async function selectUnanswered(ctx: Ctx, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const rows = await statements.selectUnanswered(ctx, { now, limit })
  return rows.map(({ id }) => id)
}

/** The open visit of a job. */
export async function findOpenVisit(
  ctx: TxCtx,
  { professionalId, jobId }: { professionalId: string; jobId: string },
): Promise<string | undefined> {
  const row = await statements.findOpenVisit(ctx, { professionalId, jobId })
  return row?.id
}

export type RescheduleRow =
  | { outcome: 'rescheduled'; booking: Booking; eventSequence: number }
  | { outcome: 'unchanged'; booking: Booking }
  | { outcome: 'date_out_of_range' | 'pro_not_found' }
  | { outcome: 'slot_unavailable'; nextAvailable: NextAvailable | null }

/** Reschedules a locked booking to another time or returns why not; see `sql/functions/reschedule_booking.sql`. */
export async function rescheduleTo(
  ctx: TxCtx,
  { id, start, isLate, now, baseUrl }: { id: string; start: Start; isLate: boolean; now: Date; baseUrl: string },
): Promise<RescheduleRow> {
  const local = 'date' in start ? start : null
  const instant = 'instant' in start ? start.instant : null
  const rows = await statements.rescheduleBooking<RescheduleRow>(ctx, {
    id,
    date: local?.date ?? null,
    minute: local?.minute ?? null,
    instant,
    isLate,
    now,
    baseUrl,
  })
  return only(rows)
}

export type ProposeRow =
  | { outcome: 'proposed' }
  | { outcome: 'unchanged' }
  | { outcome: 'date_out_of_range' | 'pro_not_found' }
  | { outcome: 'slot_unavailable'; nextAvailable: NextAvailable | null }

/** Stores another time for a locked booking or returns why not; see `sql/functions/propose_time.sql`. */
export async function proposeBookingTime(
  ctx: TxCtx,
  {
    id,
    start,
    message,
    now,
    baseUrl,
  }: { id: string; start: Start; message: string | null; now: Date; baseUrl: string },
): Promise<ProposeRow> {
  const local = 'date' in start ? start : null
  const instant = 'instant' in start ? start.instant : null
  const rows = await statements.proposeTime<ProposeRow>(ctx, {
    id,
    date: local?.date ?? null,
    minute: local?.minute ?? null,
    instant,
    message,
    now,
    baseUrl,
  })
  return only(rows)
}

/** The start that the pro proposes for a locked booking; undefined without a proposal that waits for an answer. */
export async function findProposedStart(ctx: TxCtx, { id }: { id: string }): Promise<string | undefined> {
  const row = await statements.findProposedStart(ctx, { id })
  return row?.startsAt
}

/** Records that the customer declines the proposed time. Returns the booking. */
export async function declineProposedTime(ctx: TxCtx, { id, now }: { id: string; now: Date }): Promise<Booking> {
  await statements.declineProposedTime(ctx, { now, id })
  const rows = await statements.findDeclinedBooking<{ booking: Booking }>(ctx, { id })
  return only(rows).booking
}

export interface CancellationTermsRow {
  status: BookingState
  startsAt: string
  freeCancellationUntil: string | null
  balance: Balance
  /** It is a visit of a job that is no longer scheduled. */
  hasWorkBegun: boolean
  timeZone: string
  /** The quote whose work it is; null for a booking without one. */
  quoteId: string | null
  quoteValidUntil: string | null
}

/** The facts that decide whether a booking can be rescheduled and what cancelling costs. */
export async function findCancellationTerms(
  ctx: Ctx,
  { id, now }: { id: string; now: Date },
): Promise<CancellationTermsRow | undefined> {
  return await statements.findCancellationTerms<Pick<CancellationTermsRow, 'balance'>>(ctx, { now, id })
}

/** The pro of a booking; undefined without access. */
export async function findProfessionalOf(ctx: TxCtx, { access, id }: { access: BookingAccess; id: string }) {
  const rows = await composed(
    ctx.tx,
    'findProfessionalOf',
    { professionalId: text },
    (sql) => sql`
      select b.professional_id from bookings b where b.id = ${id} and ${isAllowed(sql, access)}`,
  )
  return rows[0]?.professionalId
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A locked booking is missing.')
  return row
}
