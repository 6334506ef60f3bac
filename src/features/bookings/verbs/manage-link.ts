// The link through which a customer manages a booking: see, move and cancel it. Only the customer gets it; a pro knows the
// confirmation code, which therefore only reads.
import type { Deps } from '../../../deps.ts'
import type { LinkContent } from '../../../platform/crypto/encryption.ts'
import { AppError } from '../../../errors/app-error.ts'

const PURPOSE = 'booking'

/**
 * The address of the customer's page. It does not expire. `isMailed`: the link goes to the customer's address, and nowhere
 * else, so that it proves who reviews.
 */
export const manageUrl = (
  { encryption, config }: Pick<Deps, 'encryption' | 'config'>,
  bookingId: string,
  { isMailed = false } = {},
): string => `${config.baseUrl}/bookings/manage/${encryption.linkToken(PURPOSE, bookingId, { isMailed })}`

/** The booking of a manage link. Throws booking_not_found. */
export function readManageToken({ encryption, clock }: Pick<Deps, 'encryption' | 'clock'>, token: string): LinkContent {
  const content = encryption.readLinkToken(PURPOSE, token, clock.now())
  if (content === undefined) throw linkNotFound()
  return content
}

export const linkNotFound = (): AppError =>
  new AppError('booking_not_found', 'No booking has this link. Open the link exactly as you received it.')
