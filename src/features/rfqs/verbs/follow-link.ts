// A request as its customer follows it through a sealed link: how it stands, and the quotes that came.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { customerUrl, isKept, readRequestToken, requestToken } from '../../quotes/link.ts'
import type { Quote } from '../../quotes/schemas.ts'
import { findRequest } from '../queries.ts'
import type { RfqReceipt } from '../schemas.ts'

/** A quote that came, with the way to answer it as long as its page is kept. */
export interface ReceivedQuote extends Quote {
  url: string | undefined
}

export interface FollowedRequest {
  rfq: RfqReceipt
  /** Newest first. */
  quotes: ReceivedQuote[]
}

/** The address of the page on which the customer follows a request that was made on our own pages. */
export const requestUrl = (deps: Pick<Deps, 'encryption' | 'config'>, rfqId: string): string =>
  `${deps.config.baseUrl}/requests/${requestToken(deps, rfqId)}`

/** The request of a link. Whoever has it asked for the quotes, so it leads to them. Throws rfq_not_found. */
export async function followRequest(deps: Deps, token: string): Promise<FollowedRequest> {
  const id = readRequestToken(deps, token)
  // From the primary: whoever has just asked must not be told that there is nothing.
  const found = id === undefined ? undefined : await findRequest(deps.write, id, deps.clock.now())
  if (!found) throw new AppError('rfq_not_found', 'This link leads to no request. Open it exactly as it was given.')
  return { rfq: found.rfq, quotes: found.quotes.map((quote) => ({ ...quote, url: urlOf(deps, quote) })) }
}

function urlOf(deps: Deps, { id, validUntil }: Quote): string | undefined {
  if (validUntil === null) return undefined
  const until = new Date(validUntil)
  return isKept(deps, until) ? customerUrl(deps, id, until) : undefined
}
