// request_quote: POST /rfqs for a model.
import { Type } from '@sinclair/typebox'

import { NewRfq, RfqReceipt } from '../../features/rfqs/schemas.ts'
import { createRfq } from '../../features/rfqs/verbs/rfqs.ts'
import { defineCustomerTool } from '../server/tool.ts'

const { source: _, sourceAgentId: __, ...inputFields } = NewRfq.properties

export const requestQuote = defineCustomerTool({
  name: 'request_quote',
  title: 'Request a quote',
  description:
    'Request a quote from a pro who takes no instant bookings, or for work that needs a look first. Describe the work as the person would: what, where, how large, how urgent. The pro answers the customer by e-mail with a link, where a person accepts or declines.',
  access: 'write',
  hints: { openWorld: true },
  idempotent: true,
  input: Type.Object(inputFields),
  output: Type.Object({ rfq: RfqReceipt }),
  call: async (deps, caller, input, { idempotency }) => {
    const { value, replayed } = await createRfq(deps, caller, { ...input, source: 'agent' }, idempotency)
    return { value: { rfq: value.rfq }, replayed }
  },
  next: ({ rfq }) =>
    `${rfq.professional.businessName} has the request and answers ${rfq.customer.email} with a quote. The request is free.`,
})
