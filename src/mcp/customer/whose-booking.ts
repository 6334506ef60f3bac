// How the tools of customers find a booking or a request: a signed-in customer has their own by id, everybody has what a
// link names. A confirmation code only reads, because the pro knows it as well.
import { Type } from '@sinclair/typebox'

import { type Caller, type CustomerCaller, checkOwnAddress } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { type AppError, invalidField } from '../../errors/app-error.ts'
import { refuseOwnBusiness } from '../../auth/accounts/verbs.ts'
import type { Booking } from '../../features/booking/bookings/schemas.ts'
import type { BookingCustomer } from '../../features/booking/bookings/verbs/customer-actions.ts'
import { getBookingOfCustomer, getBookingOfLink } from '../../features/booking/bookings/verbs/find-booking.ts'
import { manageUrl, readManageToken } from '../../features/booking/bookings/verbs/manage-link.ts'
import {
  type FollowedRequest,
  followRequest,
  getRequestOfCustomer,
  requestUrl,
} from '../../features/quoting/rfqs/verbs/follow-link.ts'
import type { PersonPage } from '../server/tool.ts'
import { Text, Uuid } from '../../platform/schema/types.ts'

const Link = (description: string) => Type.Optional(Text(2048, { minLength: 1, description }))

/** Exactly one of these names the booking. */
export const bookingFields = {
  manageUrl: Link('From book_appointment or the customer’s e-mail'),
  bookingId: Type.Optional(Uuid({ description: 'Instead, for a signed-in customer' })),
}

/** Exactly one of these names the request. */
export const requestFields = {
  requestUrl: Link('From request_quote or the customer’s e-mail'),
  rfqId: Type.Optional(Uuid({ description: 'Instead, for a signed-in customer' })),
}

/** A booking, and the caller who may act on it. */
export interface NamedBooking {
  readonly booking: Booking
  readonly by: BookingCustomer
  readonly manageUrl: string
}

/** The booking that the input names. Throws booking_not_found and validation_failed. */
export async function getNamedBooking(
  ctx: Ctx<Caller>,
  input: { manageUrl?: string | undefined; bookingId?: string | undefined },
): Promise<NamedBooking> {
  if ((input.manageUrl === undefined) === (input.bookingId === undefined))
    throw invalidField('body.manageUrl', 'is required; a signed-in customer sends `bookingId` instead')
  if (input.manageUrl !== undefined) {
    const booking = await getBookingOfLink(ctx, { token: tokenIn(input.manageUrl, 'bookings/manage') })
    if (!ctx.actor.customer) await refuseOwnBusiness(ctx, { professionalId: booking.professional.id })
    return {
      booking,
      by: { accountId: ctx.actor.accountId, hasManageLink: true },
      manageUrl: manageUrl(ctx, { bookingId: booking.id }),
    }
  }
  const customer = requireCustomer(ctx, ctx.actor, 'bookingId', 'manageUrl')
  const booking = await getBookingOfCustomer(ctx.as(customer), { id: input.bookingId ?? '' })
  return { booking, by: customer, manageUrl: manageUrl(ctx, { bookingId: booking.id }) }
}

/** Whether the link came by the customer's mail. */
export const isMailedBooking = (ctx: Ctx, link: string): boolean =>
  readManageToken(ctx, { token: tokenIn(link, 'bookings/manage') }).isMailed

/** The request that the input names, with its link. Throws rfq_not_found, own_business and validation_failed. */
export async function getNamedRequest(
  ctx: Ctx<Caller>,
  input: { requestUrl?: string; rfqId?: string },
): Promise<FollowedRequest & { requestUrl: string }> {
  if ((input.requestUrl === undefined) === (input.rfqId === undefined))
    throw invalidField('body.requestUrl', 'is required; a signed-in customer sends `rfqId` instead')
  const followed =
    input.requestUrl === undefined
      ? await getRequestOfCustomer(ctx.as(requireCustomer(ctx, ctx.actor, 'rfqId', 'requestUrl')), {
          id: input.rfqId ?? '',
        })
      : await followRequest(ctx, { token: tokenIn(input.requestUrl, 'requests') })
  if (!ctx.actor.customer) await refuseOwnBusiness(ctx, { professionalId: followed.rfq.professional.id })
  return { ...followed, requestUrl: requestUrl(ctx, { rfqId: followed.rfq.id }) }
}

/**
 * The customer’s e-mail address for a booking or request: a signed-in customer’s own, which the input may leave out, or the
 * given one. Throws validation_failed.
 */
export function ownAddress(caller: Caller, field: string, given = caller.customer?.customerEmail): string {
  if (given === undefined) throw invalidField(`body.${field}`, 'is required')
  checkOwnAddress(caller, `body.${field}`, given)
  return given
}

/** The page on which the person signs in and has the booking, if the id alone does not give it to the caller. */
export const signInPage = (
  { config }: Deps,
  { customer }: Caller,
  bookingId: string | undefined,
): PersonPage | undefined =>
  customer || bookingId === undefined
    ? undefined
    : { url: `${config.baseUrl}/my/bookings/${bookingId}`, message: 'Sign in to see, move or cancel your booking.' }

function requireCustomer({ config }: Deps, { customer }: Caller, field: string, link: string): CustomerCaller {
  if (customer) return customer
  throw notSignedIn(config.baseUrl, field, link)
}

const notSignedIn = (baseUrl: string, field: string, link: string): AppError =>
  invalidField(
    `body.${field}`,
    `works only for a customer who signed in when they connected you: send \`${link}\` instead, or give the person ${baseUrl}/my`,
  )

/** The token in a link of ours; any other text as it is. */
const tokenIn = (link: string, path: string): string => new RegExp(`/${path}/([^/?#]+)`).exec(link)?.[1] ?? link.trim()
