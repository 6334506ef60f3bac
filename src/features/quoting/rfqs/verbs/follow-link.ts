// How customers follow their requests: by a link, which shows the state and the quotes received, and in a list when signed in.
import type { CustomerCaller } from '../../../../auth/caller.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { type PageMeta, type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import type { Quote } from '../../quotes/schemas.ts'
import { customerUrl, isLinkValid } from '../../quotes/verbs/link-tokens.ts'
import { type RequestViewer, findRequest, listCustomerRfqs } from '../queries.ts'
import type { Rfq, RfqDetail, RfqReceipt } from '../schemas.ts'
import { shownPhoto } from '../../../files/files/verbs/photos.ts'
import { rfqNotFound } from './rfqs.ts'

const PURPOSE = 'request for a quote'

/** A received quote, and the link to answer it as long as the link works. */
export interface ReceivedQuote extends Quote {
  url: string | undefined
}

/** A request with the quotes of its pro, newest first. */
export interface AskedPro {
  rfq: RfqReceipt
  quotes: ReceivedQuote[]
}

export interface FollowedRequest extends AskedPro {
  /** The URLs that were sent with it. */
  photos: string[]
  /** The same request to other pros, with their quotes. */
  others: AskedPro[]
}

/** The address of the page on which the customer follows the request. Its encrypted token does not expire. */
export const requestUrl = (ctx: Ctx, { rfqId }: { rfqId: string }): string =>
  `${ctx.config.baseUrl}/requests/${ctx.encryption.linkToken(PURPOSE, rfqId)}`

/** The request of a link. Throws rfq_not_found. */
export async function followRequest(ctx: Ctx, { token }: { token: string }): Promise<FollowedRequest> {
  const id = ctx.encryption.readLinkToken(PURPOSE, token, ctx.clock.now())?.id
  const found = id === undefined ? undefined : await findFollowed(ctx, id, 'system')
  if (!found) throw new AppError('rfq_not_found', 'No request has this link. Open the link exactly as it was given.')
  return found
}

/** A signed-in customer's request. Throws rfq_not_found. */
export async function getRequestOfCustomer(ctx: Ctx<CustomerCaller>, { id }: { id: string }): Promise<FollowedRequest> {
  const found = await findFollowed(ctx, id, ctx.actor)
  if (!found) throw rfqNotFound()
  return found
}

/**
 * A request with its quotes, for the account or customer that made it. The link to answer is the customer's, so an account of the
 * pro gets none. Throws rfq_not_found.
 */
export async function getRequestOf(
  ctx: Ctx<{ accountId: string } | CustomerCaller>,
  { id }: { id: string },
): Promise<RfqDetail> {
  const viewer = 'customerEmail' in ctx.actor ? ctx.actor : { accountId: ctx.actor.accountId }
  const row = await findRequest(ctx, { id, viewer, now: ctx.clock.now() })
  if (!row) throw rfqNotFound()
  const { rfq, listed, quotes, isOfPro } = row
  const [latest] = quotes
  return {
    ...rfq,
    quotesReceived: listed.quotesReceived,
    latestQuote: listed.latestQuote,
    customerUrl: (!isOfPro && latest && urlOf(ctx, latest)) || null,
    photos: row.photos.map((url) => shownPhoto(ctx, { url })),
    quotes,
  }
}

/** A request as it is now, for the one who made it. Throws rfq_not_found. */
export async function getPresentRequest(ctx: Ctx, { id }: { id: string }): Promise<RfqReceipt> {
  const found = await findFollowed(ctx, id, 'system')
  if (!found) throw rfqNotFound()
  return found.rfq
}

async function findFollowed(ctx: Ctx, id: string, viewer: RequestViewer): Promise<FollowedRequest | undefined> {
  // From the primary: the request may have been made a moment ago.
  const row = await findRequest(ctx, { id, viewer, now: ctx.clock.now() })
  const withUrls = (quotes: readonly Quote[]) => quotes.map((quote) => ({ ...quote, url: urlOf(ctx, quote) }))
  return (
    row && {
      ...row,
      quotes: withUrls(row.quotes),
      others: row.others.map(({ rfq, quotes }) => ({ rfq, quotes: withUrls(quotes) })),
    }
  )
}

function urlOf(ctx: Ctx, { id, validUntil }: Quote): string | undefined {
  if (validUntil === null) return undefined
  const until = new Date(validUntil)
  return isLinkValid(ctx, { validUntil: until }) ? customerUrl(ctx, { quoteId: id, validUntil: until }) : undefined
}

/** A signed-in customer's requests, also those that other accounts made, newest first, with the address of each one's page. */
export async function listRequestsOfCustomer(
  ctx: Ctx<CustomerCaller>,
  query: PageQuery,
): Promise<{ requests: (Rfq & { url: string })[]; meta: PageMeta }> {
  const filter = { ...pageOf(query), now: ctx.clock.now() }
  const { total, items } = await listCustomerRfqs(ctx, { ...filter, customerEmail: ctx.actor.customerEmail })
  return {
    requests: items.map((rfq) => ({ ...rfq, url: requestUrl(ctx, { rfqId: rfq.id }) })),
    meta: pageMeta(total, query),
  }
}
