// get_lead: GET /pro/leads/{id} for a model.
import { Type } from '@sinclair/typebox'

import { Lead } from '../../features/quoting/rfqs/schemas.ts'
import { getLead as getLeadOf } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'
import { BriefQuote, briefQuote } from './list-quotes.ts'

const MAX_QUOTES = 10

const {
  id,
  status,
  description,
  budget,
  timeline,
  preferredDate,
  answers,
  service,
  customer,
  address,
  photos,
  createdAt,
} = Lead.properties

export const getLead = defineProTool({
  name: 'get_lead',
  title: 'Read a lead',
  description: 'One request in full, with its quotes. Next: prepare_quote_draft.',
  access: 'read',
  quotes: 'names and requests',
  input: Type.Object({ leadId: Uuid() }, { additionalProperties: false }),
  output: Type.Object({
    lead: Type.Object({
      id,
      status,
      description,
      budget,
      timeline,
      preferredDate,
      answers,
      service,
      customer,
      address,
      photos,
      quotes: Type.Array(BriefQuote),
      createdAt,
    }),
  }),
  call: async (ctx, { leadId }) => {
    const {
      professional: _,
      quotesReceived: _received,
      latestQuote: _latest,
      ...lead
    } = await getLeadOf(ctx, { id: leadId })
    return { lead: { ...lead, quotes: lead.quotes.slice(0, MAX_QUOTES).map(briefQuote) } }
  },
  next: ({ lead: { quotes } }) => {
    const draft = quotes.find(({ status }) => status === 'draft')
    return draft ? `Draft ${draft.id} exists already: get_quote.` : undefined
  },
})
