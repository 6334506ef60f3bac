// prepare_quote_draft: a draft quote from what is known.
import { Type } from '@sinclair/typebox'

import { QuoteBasis } from '../../features/drafts/schemas.ts'
import { prepareQuoteDraft as prepare } from '../../features/drafts/verbs/quote-drafts.ts'
import { Quote } from '../../features/quotes/schemas.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { defineProTool } from '../server/tool.ts'

const { id, rfqId, status, amount, lineItems, estimatedDays, depositPercentage, paymentTerms, message, validForDays } =
  Quote.properties

export const prepareQuoteDraft = defineProTool({
  name: 'prepare_quote_draft',
  title: 'Draft a quote',
  description:
    'Make a draft quote for a lead from your prices, accepted quotes and completed jobs, with assumptions, confidence and sources. Not sent. Next: update_quote_content.',
  access: 'write',
  idempotent: true,
  cost: 1,
  input: Type.Object(
    {
      leadId: Uuid(),
      serviceId: Type.Optional(Uuid({ description: 'Where the lead names no service' })),
      quantity: Type.Optional(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 1_000_000,
          description: 'Units of work, if known: hours, square feet',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    draft: Type.Object({
      id,
      leadId: rfqId,
      status,
      amount,
      lineItems,
      estimatedDays,
      depositPercentage,
      paymentTerms,
      message,
      validForDays,
    }),
    basis: QuoteBasis,
  }),
  call: async (deps, pro, wish, { idempotency }) => {
    const { value, replayed } = await prepare(deps, pro, wish, idempotency)
    const { quote, basis } = value
    const draft = {
      id: quote.id,
      leadId: quote.rfqId,
      status: quote.status,
      amount: quote.amount,
      lineItems: quote.lineItems,
      estimatedDays: quote.estimatedDays,
      depositPercentage: quote.depositPercentage,
      paymentTerms: quote.paymentTerms,
      message: quote.message,
      validForDays: quote.validForDays,
    }
    return { value: { draft, basis }, replayed }
  },
  next: ({ basis: { confidence } }) =>
    confidence === 'high'
      ? 'The pro sends it in their app.'
      : 'Go through the assumptions with the pro; update_quote_content proposes changes.',
})
