// list_leads: GET /pro/leads for a model.
import { Type } from '@sinclair/typebox'

import { PageMeta } from '../../platform/schema/paging.ts'
import { LeadsQuery, Rfq } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads as listLeadsOf } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { nextPage, page, pick, truncate, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const { id, status, description, budget, service, quotesReceived, latestQuote, createdAt } = Rfq.properties
const MAX_DESCRIPTION = 200

const BriefLead = Type.Object({ id, status, description, budget, service, quotesReceived, latestQuote, createdAt })

export const listLeads = defineProTool({
  name: 'list_leads',
  title: 'List leads',
  description: 'Requests for quotes to you, newest first. Next: get_lead.',
  access: 'read',
  quotes: 'names and requests',
  input: Type.Object({ status: LeadsQuery.properties.status, ...page }, { additionalProperties: false }),
  output: Type.Object({ leads: Type.Array(BriefLead), meta: PageMeta }),
  call: async (ctx, query) => {
    const { rfqs, meta } = await listLeadsOf(ctx, withDefaultLimit(query))
    return {
      leads: rfqs.map((lead) => pick(BriefLead, { ...lead, description: truncate(lead.description, MAX_DESCRIPTION) })),
      meta,
    }
  },
  next: ({ meta }) => nextPage(meta),
})
