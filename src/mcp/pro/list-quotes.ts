// list_quotes: GET /pro/quotes for a model.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta } from '../../platform/schema/paging.ts'
import { Quote, QuotesQuery } from '../../features/quoting/quotes/schemas.ts'
import { listQuotes as listQuotesOf } from '../../features/quoting/quotes/verbs/quotes.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { nextPage, page, pick, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const { id, rfqId, status, amount, depositAmount, payment, service, validUntil, validUntilLocal, createdAt } =
  Quote.properties

/** A quote in lists and in its lead. */
export const BriefQuote = Type.Object({
  id,
  leadId: rfqId,
  status,
  amount,
  depositAmount,
  payment,
  service,
  validUntil,
  validUntilLocal,
  createdAt,
})

export const briefQuote = (quote: Quote): Static<typeof BriefQuote> =>
  pick(BriefQuote, { ...quote, leadId: quote.rfqId })

export const listQuotes = defineProTool({
  name: 'list_quotes',
  title: 'List quotes',
  description: 'Your quotes and drafts, newest first. Next: get_quote.',
  access: 'read',
  input: Type.Object(
    { status: QuotesQuery.properties.status, leadId: Type.Optional(Uuid()), ...page },
    { additionalProperties: false },
  ),
  output: Type.Object({ quotes: Type.Array(BriefQuote), meta: PageMeta }),
  call: async (ctx, { leadId, ...query }) => {
    const filter = { ...withDefaultLimit(query), ...(leadId ? { rfqId: leadId } : {}) }
    const { quotes, meta } = await listQuotesOf(ctx, filter)
    return { quotes: quotes.map(briefQuote), meta }
  },
  next: ({ meta }) => nextPage(meta),
})
