// The customer's links: a sealed token each, which nobody can guess, make or turn into another quote's or request's.
import type { Deps } from '../../deps.ts'

const PURPOSE = 'quote'
const REQUEST_PURPOSE = 'request for a quote'
/** How long the page stays readable after the quote's time, for whoever comes late or keeps it as a record. */
const GRACE_MS = 30 * 86_400_000

/** The address of the customer's page. */
export const customerUrl = (
  { encryption, config }: Pick<Deps, 'encryption' | 'config'>,
  quoteId: string,
  validUntil: Date,
) => `${config.baseUrl}/quotes/${encryption.close(PURPOSE, quoteId, new Date(validUntil.getTime() + GRACE_MS))}`

/** The quote of a token, or undefined for one that is not ours or past its time. */
export function readToken(
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  token: string,
): string | undefined {
  const id = encryption.open(PURPOSE, token, clock.now())
  return typeof id === 'string' ? id : undefined
}

/** Whether the page of a quote's link can still be read. */
export const isKept = ({ clock }: Pick<Deps, 'clock'>, validUntil: Date): boolean =>
  validUntil.getTime() + GRACE_MS > clock.now().getTime()

/** The token of a request that was made on our own pages. It is good as long as the request is there. */
export const requestToken = ({ encryption }: Pick<Deps, 'encryption'>, rfqId: string): string =>
  encryption.close(REQUEST_PURPOSE, rfqId)

/** The request of a token, or undefined for one that is not ours. */
export function readRequestToken(
  { encryption, clock }: Pick<Deps, 'encryption' | 'clock'>,
  token: string,
): string | undefined {
  const id = encryption.open(REQUEST_PURPOSE, token, clock.now())
  return typeof id === 'string' ? id : undefined
}
