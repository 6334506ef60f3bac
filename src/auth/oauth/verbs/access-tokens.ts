// Access tokens are verified like keys, and stand for the key of their grant.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { hashKey } from '../../keys/format.ts'
import { type ProvenAddress, type TokenKeyRow, findAccessToken } from '../queries/grants.ts'

export type VerifiedToken = Omit<TokenKeyRow, 'emailDigest'>

/** The token with its grant's owner. Throws `invalid_key` for an unknown or revoked one. The caller checks its expiry. */
export async function verifyAccessToken(ctx: Ctx, { token }: { token: string }): Promise<VerifiedToken> {
  const found = await findAccessToken(ctx, { hash: hashKey(token) })
  if (!found || hasOtherAddress(ctx, found))
    throw new AppError('invalid_key', 'The access token is unknown, or its access was removed.')
  const { emailDigest: _, ...verified } = found
  return verified
}

/** The digest under which a grant keeps a customer's address. */
export const digestOfAddress = (ctx: Ctx, { email }: { email: string }): string =>
  ctx.encryption.digest('customer of a grant', email)

/** Whether the customer’s address has changed since the app was connected. */
export const hasOtherAddress = (ctx: Ctx, { customerEmail, emailDigest }: ProvenAddress): boolean =>
  emailDigest !== null && (customerEmail === null || digestOfAddress(ctx, { email: customerEmail }) !== emailDigest)
