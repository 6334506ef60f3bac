// prepare_customer_message: a draft message, which the pro sends.
import { Type } from '@sinclair/typebox'

import { prepareCustomerMessage as prepare } from '../../features/agents/drafts/verbs/customer-messages.ts'
import { CustomerMessage, PURPOSES, SubjectInput } from '../../features/agents/drafts/schemas.ts'
import { OneOf, Text } from '../../platform/schema/types.ts'
import { CREATES, defineProTool } from '../server/tool.ts'

export const prepareCustomerMessage = defineProTool({
  name: 'prepare_customer_message',
  title: 'Draft a message',
  description:
    'Draft a message to the customer of a lead, booking or job (name one). It is never sent: the pro does that.',
  access: 'write',
  quotes: 'names',
  hints: CREATES,
  idempotent: true,
  cost: 1,
  input: Type.Object(
    {
      ...SubjectInput,
      purpose: OneOf(PURPOSES),
      points: Type.Optional(Type.Array(Text(500, { minLength: 1 }), { maxItems: 5, description: 'Sentences to add' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ message: CustomerMessage }),
  call: async (ctx, input) => {
    const message = await prepare(ctx, input)
    return { message }
  },
})
