// list_quotes: GET /pro/quotes for a model.
import { Type } from '@sinclair/typebox'

import { PageMeta } from '../../platform/schema/paging.ts'
import { QuotesQuery } from '../../features/quotes/schemas.ts'
import { listQuotes as listQuotesOf } from '../../features/quotes/verbs/quotes.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { nextPage, page, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'
import { BriefQuote, briefQuote } from './brief-quote.ts'

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
  call: async (deps, pro, { leadId, ...query }) => {
    const { quotes, meta } = await listQuotesOf(deps, pro, {
      ...withDefaultLimit(query),
      ...(leadId ? { rfqId: leadId } : {}),
    })
    return { quotes: quotes.map(briefQuote), meta }
  },
  next: ({ meta }) => nextPage(meta),
})
