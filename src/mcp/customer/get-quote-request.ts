// get_quote_request: a request for a quote with the quotes received, for the holder of its link or a signed-in customer.
import { type Static, Type } from '@sinclair/typebox'

import type { CustomerCaller } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { depositPolicyOf } from '../../features/booking/bookings/rules/cancellation.ts'
import { Quote } from '../../features/quoting/quotes/schemas.ts'
import { Rfq, RfqReceipt } from '../../features/quoting/rfqs/schemas.ts'
import { type ReceivedQuote, listRequestsOfCustomer } from '../../features/quoting/rfqs/verbs/follow-link.ts'
import { Natural } from '../../platform/schema/numbers.ts'
import { Nullable, Uri } from '../../platform/schema/types.ts'
import { page, pick, truncate } from '../server/results.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { getNamedRequest, requestFields } from './whose-booking.ts'

const MAX_TEXT = 300
const MAX_LISTED = 10

const {
  id,
  status,
  amount,
  lineItems,
  estimatedDays,
  depositAmount,
  balance,
  freeCancellationHours,
  paymentTerms,
  message,
  validUntil,
  validUntilLocal,
} = Quote.properties
const ReceivedOffer = Type.Object({
  id,
  status,
  amount,
  lineItems,
  estimatedDays,
  depositAmount,
  balance,
  freeCancellationHours,
  paymentTerms,
  message,
  validUntil,
  validUntilLocal,
  answerUrl: Nullable(Uri({ description: 'The page where a person accepts or declines' })),
})

const BriefRequest = Type.Object({
  rfqId: Type.String(),
  status: Rfq.properties.status,
  description: Type.String(),
  businessName: Type.String(),
  quotesReceived: Natural(),
  latestQuote: Rfq.properties.latestQuote,
})

export const getQuoteRequest = defineCustomerTool({
  name: 'get_quote_request',
  title: 'See a quote request',
  description:
    'The state of a request for a quote, and the quotes received, newest first. Only a person accepts a quote: give them its answerUrl. For a signed-in customer without arguments: their requests.',
  access: 'read',
  quotes: 'names, quotes and messages',
  input: Type.Object({ ...requestFields, offset: page.offset }, { additionalProperties: false }),
  output: Type.Object({
    rfq: Type.Optional(RfqReceipt),
    quotes: Type.Optional(Type.Array(ReceivedOffer)),
    requestUrl: Type.Optional(Uri()),
    requests: Type.Optional(Type.Array(BriefRequest)),
    total: Type.Optional(Natural()),
  }),
  call: async (ctx, { offset = 0, ...named }) => {
    if (ctx.actor.customer && Object.keys(named).length === 0) return await listOwn(ctx.as(ctx.actor.customer), offset)
    const { rfq, quotes, requestUrl } = await getNamedRequest(ctx, named)
    return { rfq, quotes: quotes.map(offer), requestUrl }
  },
  next: ({ quotes = [], requests }) => {
    if (requests) return requests.length > 0 ? 'See one with its rfqId.' : 'No requests.'
    const open = quotes.find(({ status }) => status === 'sent' || status === 'viewed')
    if (open?.answerUrl)
      return `To accept or decline, the person opens ${open.answerUrl} before ${open.validUntilLocal ?? 'it ends'}.${open.depositAmount === null ? '' : ` ${depositPolicyOf(open)}`}`
    return quotes.length === 0 ? 'No quote yet. The pro answers by e-mail; look again later.' : undefined
  },
})

async function listOwn(ctx: Ctx<CustomerCaller>, offset: number) {
  const { requests, meta } = await listRequestsOfCustomer(ctx, { limit: MAX_LISTED, offset })
  return { requests: requests.map(brief), total: meta.total }
}

const brief = ({ id, description, professional, ...rest }: Rfq): Static<typeof BriefRequest> =>
  pick(BriefRequest, {
    ...rest,
    rfqId: id,
    description: truncate(description, MAX_TEXT),
    businessName: professional.businessName,
  })

const offer = ({ url, ...quote }: ReceivedQuote): Static<typeof ReceivedOffer> =>
  pick(ReceivedOffer, { ...quote, answerUrl: url ?? null })
