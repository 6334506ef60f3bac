// The link through which a customer manages a booking: see, move and cancel it. Only the customer gets it; a pro knows the
// confirmation code, which therefore only reads.
import type { Ctx } from '../../../../ctx.ts'
import type { LinkContent } from '../../../../platform/crypto/encryption.ts'
import { AppError } from '../../../../errors/app-error.ts'

const PURPOSE = 'booking'

/**
 * The address of the customer's page. It does not expire. `isMailed`: the link goes to the customer's address, and nowhere
 * else, so that it proves who reviews.
 */
export const manageUrl = (
  ctx: Ctx,
  { bookingId, isMailed = false }: { bookingId: string; isMailed?: boolean | undefined },
): string => `${ctx.config.baseUrl}/bookings/manage/${ctx.encryption.linkToken(PURPOSE, bookingId, { isMailed })}`

/** The booking of a manage link. Throws booking_not_found. */
export function readManageToken(ctx: Ctx, { token }: { token: string }): LinkContent {
  const content = ctx.encryption.readLinkToken(PURPOSE, token, ctx.clock.now())
  if (content === undefined) throw linkNotFound()
  return content
}

export const linkNotFound = (): AppError =>
  new AppError('booking_not_found', 'No booking has this link. Open the link exactly as you received it.')
