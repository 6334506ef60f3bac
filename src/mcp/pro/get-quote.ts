// get_quote: GET /pro/quotes/{id} for a model, with the basis of a draft's figures.
import { Type } from '@sinclair/typebox'

import { Quote } from '../../features/quoting/quotes/schemas.ts'
import { QuoteBasis } from '../../features/agents/drafts/schemas.ts'
import { getQuoteBasis } from '../../features/agents/drafts/verbs/quote-drafts.ts'
import { getQuote as getQuoteOf } from '../../features/quoting/quotes/verbs/quotes.ts'
import { Nullable, Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const { professional: _, request: _request, currency: _currency, ...quoteFields } = Quote.properties

export const getQuote = defineProTool({
  name: 'get_quote',
  title: 'Read a quote',
  description: 'One quote or draft with its line items, and the sources of a prepared draft’s figures.',
  access: 'read',
  quotes: 'names and answers',
  input: Type.Object({ quoteId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({ quote: Type.Object(quoteFields), basis: Nullable(QuoteBasis) }),
  call: async (ctx, { quoteId }) => {
    const { professional: _pro, request: _request, currency: _usd, ...quote } = await getQuoteOf(ctx, { id: quoteId })
    return { quote, basis: quote.status === 'draft' ? await getQuoteBasis(ctx, { quoteId }) : null }
  },
  next: ({ quote: { status } }) =>
    status === 'draft'
      ? 'This is a draft: edit it with update_quote_content. Only the pro can send it, in their app.'
      : undefined,
})
