// Bookings in the database: the reservation (one call, one transaction) and the lookups.
import type { Runner } from '../../../platform/postgres/database.ts'
import type { Booking, BookingReceipt, NewBooking, ProBooking } from '../schemas.ts'
import type { Start } from '../start.ts'
import type { BookingState } from '../states.ts'

export interface Reservation {
  professionalId: string
  serviceId: string
  start: Start
  /** Null for the pro's default slot. */
  durationMinutes: number | null
  customer: NewBooking['customer']
  address: NewBooking['address'] | null
  description: string | null
  source: string
  sourceAgentId: string | null
  /** The account whose key asks. */
  accountId: string | null
  bookingId: string
  confirmationCode: string
  /** Two fresh ids: a reservation emits one or two events. */
  eventIds: [string, string]
  traceparent: string | null
  now: Date
  baseUrl: string
  /** Under which key this is done once, and what identifies the request. */
  idempotency: { operation: string; key: string; requestHash: Buffer } | null
  /** To be paid besides the pro's deposit. With anything to pay, the booking holds its time for `holdSeconds`. */
  feeCents: number
  holdSeconds: number
  /** For the payment, should there be one. */
  paymentId: string
  paymentProvider: 'sandbox' | 'stripe'
  /** The package that is booked, of this pro and service. */
  packageId?: string | undefined
}

/** A payment as its booking made it. */
export interface StartedPayment {
  id: string
  amountCents: number
  currency: string
  expiresAt: string
}

export interface NextAvailable {
  date: string
  time: string
  bookingUrl: string
}

export type ReservationRow = { replayed: boolean } & (
  | {
      outcome:
        | 'pro_not_found'
        | 'service_not_found'
        | 'package_not_found'
        | 'instant_booking_off'
        | 'service_unpriced'
        | 'date_out_of_range'
        | 'idempotency_mismatch'
    }
  | { outcome: 'slot_unavailable'; nextAvailable: NextAvailable | null }
  | {
      outcome: 'reserved'
      booking: BookingReceipt
      depositRequired: boolean
      depositPercentage: number | null
      /** Null when there is nothing to pay. */
      payment: StartedPayment | null
    }
)

/**
 * Books the time or says why not; see `sql/functions/reserve_slot.sql`. A confirmation code that is taken is thrown as
 * the unique violation of `bookings_confirmation_code_key`.
 */
export async function reserveSlot(db: Runner, wish: Reservation): Promise<ReservationRow> {
  const local = 'date' in wish.start ? wish.start : null
  const instant = 'instant' in wish.start ? wish.start.instant : null
  // A function with OUT parameters answers one row, always.
  const [row] = await db.run<ReservationRow>(
    'reserve_slot',
    (sql) => sql<ReservationRow[]>`
      select outcome, booking, deposit_required, deposit_percentage, payment, next_available, replayed
      from reserve_slot(
        pro_id => ${wish.professionalId}, wanted_service_id => ${wish.serviceId},
        on_day => ${local?.date ?? null}, at_minute => ${local?.minute ?? null}, at_instant => ${instant},
        duration => ${wish.durationMinutes},
        name => ${wish.customer.name}, email => ${wish.customer.email}, phone => ${wish.customer.phone ?? null},
        address => ${wish.address ? sql.json(wish.address) : null}, description => ${wish.description},
        source => ${wish.source}, source_agent_id => ${wish.sourceAgentId},
        caller_id => ${wish.accountId}, booking_id => ${wish.bookingId}, code => ${wish.confirmationCode},
        event_ids => array[${wish.eventIds[0]}, ${wish.eventIds[1]}]::uuid[], traceparent => ${wish.traceparent},
        as_of => ${wish.now.toISOString()}, base_url => ${wish.baseUrl},
        operation => ${wish.idempotency?.operation ?? null}, idempotency_key => ${wish.idempotency?.key ?? null},
        request_hash => ${wish.idempotency?.requestHash ?? null},
        fee_cents => ${wish.feeCents}, hold_seconds => ${wish.holdSeconds}, payment_id => ${wish.paymentId},
        provider => ${wish.paymentProvider}, wanted_package_id => ${wish.packageId ?? null})`,
  )
  return row as ReservationRow
}

/** The booking with this confirmation code. Who knows the code may see it. */
export async function findBookingByCode(db: Runner, code: string, now: Date): Promise<Booking | undefined> {
  const rows = await db.run<{ booking: Booking }>(
    'findBookingByCode',
    (sql) => sql`
      select booking_object(booking_as_of(b, ${now.toISOString()})) as booking
      from bookings b where b.confirmation_code = ${code}`,
  )
  return rows[0]?.booking
}

/** The booking with this id, if the account made it or the pro is the one it is with. Null matches nobody. */
export async function findBookingById(
  db: Runner,
  caller: { accountId: string | null; professionalId: string | null },
  id: string,
  now: Date,
): Promise<Booking | undefined> {
  const rows = await db.run<{ booking: Booking }>(
    'findBookingById',
    (sql) => sql`
      select booking_object(booking_as_of(b, ${now.toISOString()})) as booking from bookings b
      where b.id = ${id} and (b.account_id = ${caller.accountId} or b.professional_id = ${caller.professionalId})`,
  )
  return rows[0]?.booking
}

/** A booking of the pro, with who of the team has it. */
export async function findProBooking(
  db: Runner,
  professionalId: string,
  id: string,
  now: Date,
): Promise<ProBooking | undefined> {
  const rows = await db.run<{ booking: ProBooking }>(
    'findProBooking',
    (sql) => sql`
      select pro_booking_object(booking_as_of(b, ${now.toISOString()})) as booking from bookings b
      where b.id = ${id} and b.professional_id = ${professionalId}`,
  )
  return rows[0]?.booking
}

/** A page of the pro's bookings, the latest made first, or of one date in its order; and how many there are. */
export async function listProBookings(
  db: Runner,
  professionalId: string,
  {
    status,
    date,
    limit,
    offset,
    now,
  }: { status: BookingState | null; date: string | null; limit: number; offset: number; now: Date },
): Promise<{ bookings: ProBooking[]; total: number }> {
  const rows = await db.run<{ bookings: ProBooking[]; total: number }>(
    'listProBookings',
    (sql) => sql`
      with mine as (
        select b as booking, case when ${date}::date is not null then b.starts_at end as starts_at
        from bookings b join professionals p on p.id = b.professional_id
        where b.professional_id = ${professionalId}
          and (${status}::text is null or (booking_as_of(b, ${now.toISOString()})).status = ${status})
          and (${date}::date is null or (b.starts_at >= clock_reaches(${date}::date, 0, p.time_zone)
            and b.starts_at < clock_reaches(${date}::date + 1, 0, p.time_zone)))
      )
      select (select count(*)::int from mine) as total, (
        select coalesce(json_agg(pro_booking_object(booking_as_of(page.booking, ${now.toISOString()}))
          order by starts_at, (page.booking).created_at desc, (page.booking).id desc), '[]')
        from (
          select booking, starts_at from mine
          order by starts_at, (booking).created_at desc, (booking).id desc
          limit ${limit} offset ${offset}
        ) page) as bookings`,
  )
  return rows[0] ?? { bookings: [], total: 0 }
}
