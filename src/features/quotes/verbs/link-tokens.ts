// The encrypted token in a customer's link to a quote. It cannot be guessed, forged or used for another quote.
import type { Deps } from '../../../deps.ts'
import type { LinkContent } from '../../../platform/crypto/encryption.ts'

const PURPOSE = 'quote'
/** How long the page stays readable after the quote expires. */
const GRACE_MS = 30 * 86_400_000

/** The address of the customer's page. `isMailed`: the link goes to the customer's address, and nowhere else. */
export const customerUrl = (
  { encryption, config }: Pick<Deps, 'encryption' | 'config'>,
  quoteId: string,
  validUntil: Date,
  { isMailed = false } = {},
) => {
  const expiresAt = new Date(validUntil.getTime() + GRACE_MS)
  return `${config.baseUrl}/quotes/${encryption.linkToken(PURPOSE, quoteId, { expiresAt, isMailed })}`
}

/** The quote of a token; undefined for a forged or expired token. */
export const readQuoteToken = (
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  token: string,
): LinkContent | undefined => encryption.readLinkToken(PURPOSE, token, clock.now())

/** Whether the link of a quote still works. */
export const isLinkValid = ({ clock }: Pick<Deps, 'clock'>, validUntil: Date): boolean =>
  validUntil.getTime() + GRACE_MS > clock.now().getTime()
