// Looks up bookings, for customers and pros.
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { CustomerCaller } from '../../../../auth/caller.ts'
import { type PageMeta, type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import {
  type BookingContact,
  type CodeReader,
  findBookingByCode,
  findBookingById,
  findBookingContact,
  findProBooking,
  findReceipt,
  findSameBooking,
  listCustomerBookings,
} from '../queries/bookings.ts'
import { normalizeCode } from '../rules/confirmation-codes.ts'
import { listProBookings } from '../queries/pro-lists.ts'
import type { Booking, BookingStart, PresentReceipt, ProBooking, ProBookingQuery } from '../schemas.ts'
import { linkNotFound, readManageToken } from './manage-link.ts'

/** May see the bookings that the account created and those of the pro; null matches none. */
export interface Viewer {
  accountId: string | null
  professionalId: string | null
}

/**
 * The booking with this confirmation code; see {@link normalizeCode}. Pros and others know the code, too, so the address is only
 * for a `reader` who made the booking or is its signed-in customer. Throws booking_not_found.
 */
export async function getBookingByCode(
  ctx: Ctx,
  { code, reader = { accountId: null } }: { code: string; reader?: CodeReader },
): Promise<Booking> {
  const found = await findBookingByCode(ctx, { code: normalizeCode(code), reader, now: ctx.clock.now() })
  if (!found) throw new AppError('booking_not_found', 'No booking has this confirmation code.')
  return found.isOwn ? found.booking : { ...found.booking, address: null }
}

/** A booking that the viewer may see. Throws booking_not_found. */
export async function getBookingById(ctx: Ctx<Viewer>, { id }: { id: string }): Promise<Booking> {
  const booking = await findBooking(ctx, { id, now: ctx.clock.now() })
  if (!booking) throw new AppError('booking_not_found', 'You have no booking with this id.')
  return booking
}

/** A booking that the viewer may see, read through `db`. */
export const findBooking = (ctx: Ctx<Viewer>, { id, now }: { id: string; now: Date }): Promise<Booking | undefined> =>
  findBookingById(ctx, { caller: ctx.actor, id, now })

/** The booking of a manage link. Throws booking_not_found. */
export async function getBookingOfLink(ctx: Ctx, { token }: { token: string }): Promise<Booking> {
  const { id } = readManageToken(ctx, { token })
  // From the primary: the customer may have changed it a moment ago.
  const booking = await findBookingById(ctx, { caller: 'system', id, now: ctx.clock.now() })
  if (!booking) throw linkNotFound()
  return booking
}

/** The receipt of a booking as it is now, and the deadline of its payment, if it waits for one. */
export async function getPresentReceipt(
  ctx: Ctx,
  { id }: { id: string },
): Promise<{ receipt: PresentReceipt; holdExpiresAt: string | null }> {
  const found = await findReceipt(ctx, { id, now: ctx.clock.now() })
  if (!found) throw new AppError('booking_not_found', 'The booking does not exist any more.')
  return found
}

/**
 * The booking that the caller's account made of the same time, offer and customer, if it still holds its time. A caller that
 * lost the answer and asks again finds its own booking in the way.
 */
export async function findOwnBooking(
  ctx: Ctx<Viewer>,
  {
    guestEmail,
    startDateTime,
    ...offer
  }: Pick<BookingStart, 'professionalId' | 'serviceId' | 'packageId' | 'guestEmail' | 'startDateTime'>,
): Promise<Booking | undefined> {
  const { accountId } = ctx.actor
  if (accountId === null) return undefined
  const now = ctx.clock.now()
  const { professionalId, serviceId, packageId = null } = offer
  const startsAt = new Date(startDateTime).toISOString()
  const id = await findSameBooking(ctx, {
    accountId,
    professionalId,
    serviceId,
    packageId,
    startsAt,
    email: guestEmail,
    now,
  })
  return id === undefined ? undefined : await findBookingById(ctx, { caller: 'system', id, now })
}

/**
 * The customer and the address of a booking, to fill in the form of another booking. Undefined unless its customer made it
 * while signed in. The caller has shown the booking to its customer.
 */
export const findTypedContact = (ctx: Ctx, { id }: { id: string }): Promise<BookingContact | undefined> =>
  findBookingContact(ctx, { id })

/** A signed-in customer's booking. Throws booking_not_found. */
export async function getBookingOfCustomer(ctx: Ctx<CustomerCaller>, { id }: { id: string }): Promise<Booking> {
  const booking = await findBookingById(ctx, {
    caller: { customerEmail: ctx.actor.customerEmail },
    id,
    now: ctx.clock.now(),
  })
  if (!booking) throw new AppError('booking_not_found', 'You have no booking with this id.')
  return booking
}

/**
 * A page of a signed-in customer's bookings, also those that other accounts made: those to come and then the earlier ones, or
 * one `kind` of them. They are found by the address as it is now, so that a corrected address shows them to its owner and to
 * no other.
 */
export async function listBookingsOfCustomer(
  ctx: Ctx<CustomerCaller>,
  { kind, ...query }: PageQuery & { kind?: 'coming' | 'earlier' },
): Promise<{ bookings: Booking[]; meta: PageMeta }> {
  const filter = { kind: kind ?? null, ...pageOf(query), now: ctx.clock.now() }
  const { bookings, coming, earlier } = await listCustomerBookings(ctx, {
    ...filter,
    customerEmail: ctx.actor.customerEmail,
  })
  const total = (kind === 'earlier' ? 0 : coming) + (kind === 'coming' ? 0 : earlier)
  return { bookings, meta: pageMeta(total, query) }
}

/** A booking of the pro, and with `onlyMemberId` one that is assigned to the member. Throws booking_not_found. */
export async function getProBooking(
  ctx: Ctx,
  { professionalId, onlyMemberId = null, id }: { professionalId: string; onlyMemberId?: string | null; id: string },
): Promise<ProBooking> {
  const booking = await findProBooking(ctx, { professionalId, onlyMemberId, id, now: ctx.clock.now() })
  if (!booking) throw new AppError('booking_not_found', 'You have no booking with this id.')
  return booking
}

/** A page of the pro's bookings: newest first, or in order of start when a date is given. */
export async function listBookingsOfPro(
  ctx: Ctx,
  { professionalId, ...query }: { professionalId: string } & ProBookingQuery,
): Promise<{ bookings: ProBooking[]; meta: PageMeta }> {
  const filter = { status: query.status ?? null, date: query.date ?? null, ...pageOf(query), now: ctx.clock.now() }
  const { bookings, total } = await listProBookings(ctx, { ...filter, professionalId })
  return { bookings, meta: pageMeta(total, query) }
}
