// SQL of bookings: the reservation, which is one call and one transaction, and look-ups.
import type { AddressProof } from '../../../../auth/address-proof.ts'
import type { Sql } from '../../../../platform/postgres/database.ts'
import type { Booking, BookingReceipt, NewBooking, PresentReceipt, ProBooking } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import { composed, json } from '../../../../platform/postgres/composed.ts'
import * as statements from './bookings.sql.ts'

/** When a booking starts: minutes past midnight of a date on the pro's clock, or an instant. */
export type Start = { date: string; minute: number } | { instant: string }

export interface Reservation {
  professionalId: string
  serviceId: string
  start: Start
  /** Null: the package's length, else the service's or the pro's default slot, by `defaultLength`. */
  durationMinutes: number | null
  defaultLength: 'service' | 'slot'
  customer: NewBooking['customer']
  address: NewBooking['address'] | null
  /** Where the address is; null for one that is not known. */
  place?: { latitude: number; longitude: number } | null
  description: string | null
  source: string
  sourceAgentId: string | null
  /** The account of the calling key. */
  accountId: string | null
  bookingId: string
  confirmationCode: string
  /** A reservation emits one or two events. */
  eventIds: [string, string]
  traceparent: string | null
  now: Date
  baseUrl: string
  idempotency: { operation: string; key: string; requestHash: Buffer } | null
  /** Paid in addition to the pro's deposit. A booking with anything to pay holds its time for `holdSeconds`. */
  feeCents: number
  holdSeconds: number
  /** For the payment, if any. */
  paymentId: string
  /** Null: real pros take no payments, so that what costs money is refused. */
  paymentProvider: 'sandbox' | 'stripe' | null
  /** A package of this pro and service. */
  packageId?: string | undefined
  /** Future bookings of one customer with the pro that are neither paid nor approved. */
  maxUnpaid: number
  freeCancellationHours: number
  addressProof: AddressProof
  /** A digest of the client's network, if free bookings are counted by it. */
  network: string | null
}

/** The payment that a reservation created. */
export interface StartedPayment {
  /** Missing in what the former release stored for replays. */
  startedAt?: string
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
        | 'package_not_found'
        | 'instant_booking_disabled'
        | 'service_unpriced'
        | 'service_too_long'
        | 'duration_fixed'
        | 'customer_blocked'
        | 'too_many_unpaid'
        | 'date_out_of_range'
        | 'payments_not_configured'
        | 'idempotency_mismatch'
    }
  | { outcome: 'address_unproven' }
  | { outcome: 'service_not_found' }
  | { outcome: 'slot_unavailable'; nextAvailable: NextAvailable | null }
  | {
      outcome: 'reserved'
      booking: BookingReceipt
      depositRequired: boolean
      depositPercentage: number | null
      /** The length that the service is listed with, where the pro's default slot made it another one. */
      listedMinutes: number | null
      /** Null: nothing to pay. */
      payment: StartedPayment | null
      /** The account acts for the pro. */
      isByPro: boolean
    }
)

/**
 * Books the time or returns why not; see `sql/functions/reserve_slot.sql`. A duplicate confirmation code throws the unique
 * violation of `bookings_confirmation_code_key`.
 */
export async function reserveSlot(ctx: Ctx, reservation: Reservation): Promise<ReservationRow> {
  const local = 'date' in reservation.start ? reservation.start : null
  const instant = 'instant' in reservation.start ? reservation.start.instant : null
  // A function with OUT parameters always returns one row.
  const row = await statements.reserveSlot<ReservationRow>(ctx, {
    accountId: reservation.accountId,
    professionalId: reservation.professionalId,
    serviceId: reservation.serviceId,
    date: local?.date ?? null,
    minute: local?.minute ?? null,
    instant,
    durationMinutes: reservation.durationMinutes,
    usesServiceLength: reservation.defaultLength === 'service',
    name: reservation.customer.name,
    email: reservation.customer.email,
    phone: reservation.customer.phone,
    address: reservation.address,
    description: reservation.description,
    source: reservation.source,
    sourceAgentId: reservation.sourceAgentId,
    bookingId: reservation.bookingId,
    confirmationCode: reservation.confirmationCode,
    firstEventId: reservation.eventIds[0],
    secondEventId: reservation.eventIds[1],
    traceparent: reservation.traceparent,
    now: reservation.now,
    baseUrl: reservation.baseUrl,
    operation: reservation.idempotency?.operation ?? null,
    key: reservation.idempotency?.key ?? null,
    requestHash: reservation.idempotency?.requestHash ?? null,
    feeCents: reservation.feeCents,
    holdSeconds: reservation.holdSeconds,
    paymentId: reservation.paymentId,
    paymentProvider: reservation.paymentProvider,
    packageId: reservation.packageId,
    maxUnpaid: reservation.maxUnpaid,
    freeCancellationHours: reservation.freeCancellationHours,
    addressProof: reservation.addressProof,
    network: reservation.network,
    latitude: reservation.place?.latitude,
    longitude: reservation.place?.longitude,
  })
  return row as ReservationRow
}

/** Whether the service is done at the customer's; false for an unknown service. */
export async function findAtCustomer(ctx: Ctx, { serviceId }: { serviceId: string }): Promise<boolean> {
  const row = await statements.findAtCustomer(ctx, { serviceId })
  return row?.atCustomer ?? false
}

/** Who reads a code: the account of a key, or the signed-in customer; null without. */
export type CodeReader = { accountId: string | null } | { customerEmail: string }

/** The booking with this confirmation code, and whether it is the reader's own. */
export async function findBookingByCode(
  ctx: Ctx,
  { code, reader, now }: { code: string; reader: CodeReader; now: Date },
): Promise<{ booking: Booking; isOwn: boolean } | undefined> {
  const accountId = 'accountId' in reader ? reader.accountId : null
  const customerEmail = 'customerEmail' in reader ? reader.customerEmail : null
  const row = await statements.findBookingByCode<{ booking: Booking }>(ctx, { now, code, accountId, customerEmail })
  return row?.booking ? { booking: row.booking, isOwn: row.isOwn } : undefined
}

/** Who sees a booking: the account that created it, its pro, its customer by the proven address, or Hearth itself. */
export type BookingViewer =
  | { accountId: string | null; professionalId: string | null }
  | { customerEmail: string }
  | 'system'

/** The booking with this id, if the account created it, it is with the pro, or it is the customer's; null matches none. */
export async function findBookingById(
  ctx: Ctx,
  { caller, id, now }: { caller: BookingViewer; id: string; now: Date },
): Promise<Booking | undefined> {
  const rows = await composed(
    ctx.read,
    'findBookingById',
    { booking: json<Booking>() },
    (sql) => sql`
      select booking_object(booking_as_of(b, ${now.toISOString()})) as booking from bookings b
      where b.id = ${id} and ${maySee(sql, caller)}`,
  )
  return rows[0]?.booking
}

/** A booking as the one who made it gets it, in its current state. */
export async function findReceipt(
  ctx: Ctx,
  { id, now }: { id: string; now: Date },
): Promise<{ receipt: PresentReceipt; holdExpiresAt: string | null } | undefined> {
  return await statements.findReceipt<{ receipt: PresentReceipt }>(ctx, { now, id })
}

/** The id of the booking that the account made of this time and offer for this customer, if it still holds the time. */
export async function findSameBooking(
  ctx: Ctx,
  wanted: {
    accountId: string
    professionalId: string
    serviceId: string
    packageId: string | null
    startsAt: string
    email: string
    now: Date
  },
): Promise<string | undefined> {
  const row = await statements.findSameBooking(ctx, wanted)
  return row?.id
}

const maySee = (sql: Sql, caller: BookingViewer) => {
  if (caller === 'system') return sql`true`
  if ('customerEmail' in caller)
    return sql`(b.customer_email = ${caller.customerEmail} and b.disowned_at is null and not is_test_pro(b.professional_id))`
  return sql`(b.account_id = ${caller.accountId} or b.professional_id = ${caller.professionalId})`
}

/** Whom the booking is for, and where the work is. */
export interface BookingContact {
  name: string
  email: string
  phone: string | null
  address: Booking['address']
}

/** The contact of a booking that its customer made while signed in. */
export async function findBookingContact(ctx: Ctx, { id }: { id: string }): Promise<BookingContact | undefined> {
  return await statements.findBookingContact<Pick<BookingContact, 'address'>>(ctx, { id })
}

export interface CustomerBookings {
  bookings: Booking[]
  /** How many there are of each kind. */
  coming: number
  earlier: number
}

/**
 * A page of a customer's bookings by the address: those to come, the next one first, then the others, the latest first; or
 * only one of these kinds.
 */
export async function listCustomerBookings(
  ctx: Ctx,
  {
    customerEmail,
    kind,
    limit,
    offset,
    now,
  }: { customerEmail: string; kind: 'coming' | 'earlier' | null; limit: number; offset: number; now: Date },
): Promise<CustomerBookings> {
  const at = now.toISOString()
  const row = await statements.listCustomerBookings<Pick<CustomerBookings, 'bookings'>>(ctx, {
    at,
    customerEmail,
    kind,
    limit,
    offset,
  })
  return row ?? { bookings: [], coming: 0, earlier: 0 }
}

/** A booking of the pro, with the assigned team member; with `onlyMemberId` only one of this member. */
export async function findProBooking(
  ctx: Ctx,
  find: { professionalId: string; onlyMemberId: string | null; id: string; now: Date },
): Promise<ProBooking | undefined> {
  const row = await statements.findProBooking<{ booking: ProBooking }>(ctx, find)
  return row?.booking
}
