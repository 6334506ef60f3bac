// The customer's link to a quote: a sealed token, which nobody can guess, make or turn into another quote's.
import type { Deps } from '../../deps.ts'

const PURPOSE = 'quote'
/** How long the page stays readable after the quote's time, for whoever comes late or keeps it as a record. */
const GRACE_MS = 30 * 86_400_000

/** The address of the customer's page. */
export const customerUrl = ({ seal, config }: Pick<Deps, 'seal' | 'config'>, quoteId: string, validUntil: Date) =>
  `${config.baseUrl}/quotes/${seal.close(PURPOSE, quoteId, new Date(validUntil.getTime() + GRACE_MS))}`

/** The quote of a token, or undefined for one that is not ours or past its time. */
export function readToken({ seal, clock }: Pick<Deps, 'seal' | 'clock'>, token: string): string | undefined {
  const id = seal.open(PURPOSE, token, clock.now())
  return typeof id === 'string' ? id : undefined
}
