// list_leads: GET /pro/leads for a model.
import { Type } from '@sinclair/typebox'

import { LeadsQuery, RfqList } from '../../features/quotes/rfq-model.ts'
import { listLeads as listLeadsOf } from '../../features/quotes/rfq-service.ts'
import { defineProTool } from '../tool.ts'

const { status, offset } = LeadsQuery.properties
const DEFAULT_LIMIT = 10

export const listLeads = defineProTool({
  name: 'list_leads',
  title: 'List leads',
  description: 'Requests for quotes made to you, newest first. Next: get_lead for one of them.',
  does: 'read',
  input: Type.Object(
    {
      status,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: DEFAULT_LIMIT })),
      offset,
    },
    { additionalProperties: false },
  ),
  output: RfqList,
  call: async (deps, pro, query) => await listLeadsOf(deps, pro, { ...query, limit: query.limit ?? DEFAULT_LIMIT }),
})
