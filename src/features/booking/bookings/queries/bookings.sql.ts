// Written by `npm run schema` from bookings.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const reserveSlot = statement('reserve_slot', { nullable: ['outcome', 'booking', 'depositRequired', 'depositPercentage', 'payment', 'nextAvailable', 'replayed', 'listedMinutes', 'isByPro'] }) as One<'write',
  { accountId?: string | null; professionalId: string; serviceId: string; packageId?: string | null; date?: string | null; minute?: number | null; instant?: string | Date | null; durationMinutes?: number | null; usesServiceLength: boolean; name: string; email: string; phone?: string | null; address?: unknown; description?: string | null; addressProof: string; network?: string | null; source: string; sourceAgentId?: string | null; traceparent?: string | null; operation?: string | null; key?: string | null; requestHash?: Buffer | null; feeCents: number; holdSeconds: number; freeCancellationHours: number; maxUnpaid: number; paymentProvider?: string | null; bookingId: string; confirmationCode: string; paymentId: string; firstEventId: string; secondEventId: string; now: string | Date; baseUrl: string; latitude?: number | null; longitude?: number | null },
  { outcome: unknown; booking: unknown; depositRequired: unknown; depositPercentage: unknown; payment: unknown; nextAvailable: unknown; replayed: unknown; listedMinutes: unknown; isByPro: unknown },
  'outcome' | 'booking' | 'depositRequired' | 'depositPercentage' | 'payment' | 'nextAvailable' | 'replayed' | 'listedMinutes' | 'isByPro'>

export const findAtCustomer = statement('findAtCustomer') as One<'read',
  { serviceId: string },
  { atCustomer: boolean }>

/** Whether the pro approves each booking. */
export const findApproval = statement('findApproval') as One<'read',
  { professionalId: string },
  { requiresApproval: boolean }>

/** `is_own`: the account created it, or it is the signed-in customer's. */
export const findBookingByCode = statement('findBookingByCode', { nullable: ['booking'] }) as One<'read',
  { now: string | Date; accountId?: string | null; customerEmail?: string | null; code: string },
  { booking: unknown; isOwn: boolean },
  'booking'>

export const findReceipt = statement('findReceipt', { nullable: ['receipt', 'holdExpiresAt'] }) as One<'write',
  { now: string | Date; id: string },
  { receipt: unknown; holdExpiresAt: string | null },
  'receipt'>

/** The booking that a caller made of the same time, pro, offer and customer, if it still holds its time. */
export const findSameBooking = statement('findSameBooking') as One<'write',
  { professionalId: string; startsAt: string | Date; accountId: string; serviceId: string; packageId?: string | null; email: string; now: string | Date },
  { id: string }>

export const findBookingContact = statement('findBookingContact', { nullable: ['phone', 'address'] }) as One<'write',
  { id: string },
  { name: string; email: string; phone: string | null; address: unknown },
  'address'>

export const listCustomerBookings = statement('listCustomerBookings', { nullable: ['bookings'] }) as One<'write',
  { at: string | Date; customerEmail: string; kind?: string | null; limit: number; offset: number },
  { coming: number; earlier: number; bookings: unknown },
  'bookings'>

export const findProBooking = statement('findProBooking', { nullable: ['booking'] }) as One<'read',
  { now: string | Date; id: string; professionalId: string; onlyMemberId?: string | null },
  { booking: unknown },
  'booking'>

/** The guests whom the account named since then. */
export const countGuests = statement('countGuests') as One<'tx',
  { accountId: string; since: string | Date },
  { count: number }>

export const insertGuest = statement('insertGuest') as Exec<'tx',
  { bookingId: string; accountId: string; email: string; now: string | Date }>

/** The bookings that the pro made for customers since then. */
export const countMadeByPro = statement('countMadeByPro') as One<'tx',
  { professionalId: string; since: string | Date },
  { count: number }>

export const setMadeBy = statement('setMadeBy') as Exec<'tx',
  { maker: string; id: string }>
