// Bookings that change: locked, moved, given to someone, rescheduled, lapsed.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { Booking } from '../schemas.ts'
import type { NextAvailable } from './bookings.ts'
import type { Start } from '../start.ts'
import type { BookingState } from '../states.ts'

/** Who may change a booking: the pro it is with; whoever made it or knows its code; ourselves. */
export type Changer = { professionalId: string } | { accountId: string; code: string | null } | 'hearth'

export interface LockedBooking {
  id: string
  professionalId: string
  /** As it is now: one whose hold is over is cancelled, though the row may not say so yet. */
  status: BookingState
  startsAt: string
  /** Until when it waits for its payment; null when it does not. */
  holdExpiresAt: string | null
  requiresApproval: boolean
  /** Moved when cancelling it cost what was paid. */
  movedLate: boolean
}

/** The booking, locked until the transaction ends; undefined when it is not the changer's. */
export async function lockBooking(
  tx: Runner,
  changer: Changer,
  id: string,
  now: Date,
): Promise<LockedBooking | undefined> {
  const rows = await tx.run<LockedBooking>(
    'lockBooking',
    (sql) => sql`
      select b.id, b.professional_id, (booking_as_of(b, ${now.toISOString()})).status, b.starts_at, b.hold_expires_at,
        p.requires_approval, b.moved_late
      from bookings b join professionals p on p.id = b.professional_id
      where b.id = ${id} and ${
        changer === 'hearth'
          ? sql`true`
          : 'professionalId' in changer
            ? sql`b.professional_id = ${changer.professionalId}`
            : sql`(b.account_id = ${changer.accountId} or b.confirmation_code = ${changer.code})`
      }
      for update of b`,
  )
  return rows[0]
}

export interface Saved {
  booking: Booking
  /** Of the event to emit. */
  eventSequence: number
}

/** Moves a locked booking to a state, with what that state implies. It waits for no payment any more. */
export async function saveBookingState(
  tx: Runner,
  id: string,
  { status, reason, now }: { status: BookingState; reason: string | null; now: Date },
): Promise<Saved> {
  const at = now.toISOString()
  const rows = await tx.run<Saved>(
    'saveBookingState',
    (sql) => sql`
      update bookings b set
        status = ${status},
        confirmed_at = case when ${status} = 'confirmed' then coalesce(b.confirmed_at, ${at}) else b.confirmed_at end,
        completed_at = case when ${status} = 'completed' then ${at}::timestamptz end,
        cancelled_at = case when ${status} = 'cancelled' then ${at}::timestamptz end,
        cancellation_reason = case when ${status} = 'cancelled' then ${reason} end,
        hold_expires_at = null, lapse_event_id = null,
        event_sequence = b.event_sequence + 1
      where b.id = ${id}
      returning booking_object(b) as booking, b.event_sequence`,
  )
  return only(rows)
}

/** Writes down that a locked booking's hold is over, with its event. */
export async function lapseHold(tx: Runner, id: string, now: Date): Promise<void> {
  await tx.run(
    'lapse_hold',
    (sql) => sql`select lapse_hold(b, ${now.toISOString()}) from bookings b where b.id = ${id}`,
  )
}

/** How many of up to `limit` holds that were over were written down. */
export async function lapseDueHolds(db: Runner, now: Date, limit: number): Promise<number> {
  const rows = await db.run<{ lapsed: number }>(
    'lapse_holds',
    (sql) => sql`select lapse_holds(${now.toISOString()}, ${limit}) as lapsed`,
  )
  return rows[0]?.lapsed ?? 0
}

/** Up to `limit` bookings that still wait for their pro though they should have begun, the oldest first. */
export async function selectUnanswered(db: Runner, now: Date, limit: number): Promise<string[]> {
  const rows = await db.run<{ id: string }>(
    'selectUnanswered',
    (sql) => sql`
      select id from bookings
      where status = 'pending' and hold_expires_at is null and starts_at <= ${now.toISOString()}
      order by starts_at limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Gives a locked booking to a member. */
export async function saveAssignment(tx: Runner, id: string, memberId: string): Promise<void> {
  await tx.run('saveAssignment', (sql) => sql`update bookings set assigned_member_id = ${memberId} where id = ${id}`)
}

/** Takes what is still to come from a member who leaves. */
export async function releaseAssignments(tx: Runner, professionalId: string, memberId: string): Promise<void> {
  await tx.run(
    'releaseAssignments',
    (sql) => sql`
      update bookings set assigned_member_id = null
      where professional_id = ${professionalId} and assigned_member_id = ${memberId}
        and status in ('pending', 'confirmed')`,
  )
}

export type MoveRow =
  | { outcome: 'moved'; booking: Booking; eventSequence: number }
  | { outcome: 'unchanged'; booking: Booking }
  | { outcome: 'date_out_of_range' | 'pro_not_found' }
  | { outcome: 'slot_unavailable'; nextAvailable: NextAvailable | null }

/** Waits for others who change the pro's time. Before any row is locked. */
export async function lockSchedule(tx: Runner, professionalId: string): Promise<void> {
  await tx.run('lock_schedule', (sql) => sql`select lock_schedule(${professionalId})`)
}

/** Moves a locked booking to another time, or says why not: see `sql/functions/move_booking.sql`. */
export async function moveBookingTime(
  tx: Runner,
  id: string,
  { start, isLate, now, baseUrl }: { start: Start; isLate: boolean; now: Date; baseUrl: string },
): Promise<MoveRow> {
  const local = 'date' in start ? start : null
  const instant = 'instant' in start ? start.instant : null
  const rows = await tx.run<MoveRow>(
    'move_booking',
    (sql) => sql`
      select outcome, booking, event_sequence, next_available
      from move_booking(${id}, ${local?.date ?? null}, ${local?.minute ?? null}, ${instant}, ${isLate},
        ${now.toISOString()}, ${baseUrl})`,
  )
  return only(rows)
}

export interface ProspectsRow {
  status: BookingState
  startsAt: string
  movedLate: boolean
  /** What was paid for it, and is with us. */
  paidCents: number
  isProActive: boolean
}

/** What decides whether a booking can be moved, and whether cancelling it costs anything. */
export async function findProspects(db: Runner, id: string, now: Date): Promise<ProspectsRow | undefined> {
  const rows = await db.run<ProspectsRow>(
    'findProspects',
    (sql) => sql`
      select (booking_as_of(b, ${now.toISOString()})).status, b.starts_at, b.moved_late,
        coalesce((select y.amount_cents from payments y where y.booking_id = b.id and y.status = 'succeeded'), 0)
          as paid_cents,
        p.active as is_pro_active
      from bookings b join professionals p on p.id = b.professional_id where b.id = ${id}`,
  )
  return rows[0]
}

/** Which pro a booking is with, for the changer. */
export async function findProfessionalOf(db: Runner, changer: Exclude<Changer, 'hearth'>, id: string) {
  const rows = await db.run<{ professionalId: string }>(
    'findProfessionalOf',
    (sql) => sql`
      select b.professional_id from bookings b where b.id = ${id} and ${
        'professionalId' in changer
          ? sql`b.professional_id = ${changer.professionalId}`
          : sql`(b.account_id = ${changer.accountId} or b.confirmation_code = ${changer.code})`
      }`,
  )
  return rows[0]?.professionalId
}

function only<Row>(rows: readonly Row[]): Row {
  const [row] = rows
  if (row === undefined) throw new Error('A locked row is gone.')
  return row
}
