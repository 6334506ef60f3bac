// The encrypted token in a customer's link to a quote. It cannot be guessed, forged or used for another quote.
import type { Ctx } from '../../../../ctx.ts'
import { linkEnd } from '../rules/validity.ts'
import type { LinkContent } from '../../../../platform/crypto/encryption.ts'

const PURPOSE = 'quote'

/** The address of the customer's page. `isMailed`: the link goes to the customer's address, and nowhere else. */
export const customerUrl = (
  ctx: Ctx,
  { quoteId, validUntil, isMailed = false }: { quoteId: string; validUntil: Date; isMailed?: boolean | undefined },
) => {
  const expiresAt = linkEnd(validUntil)
  return `${ctx.config.baseUrl}/quotes/${ctx.encryption.linkToken(PURPOSE, quoteId, { expiresAt, isMailed })}`
}

/** The quote of a token; undefined for a forged or expired token. */
export const readQuoteToken = (ctx: Ctx, { token }: { token: string }): LinkContent | undefined =>
  ctx.encryption.readLinkToken(PURPOSE, token, ctx.clock.now())

/** Whether the link of a quote still works. */
export const isLinkValid = (ctx: Ctx, { validUntil }: { validUntil: Date }): boolean =>
  linkEnd(validUntil) > ctx.clock.now()
