// prepare_quote_draft: a draft quote from the pro's prices and past work.
import { Type } from '@sinclair/typebox'

import { QuoteBasis } from '../../features/agents/drafts/schemas.ts'
import { prepareQuoteDraft as prepare } from '../../features/agents/drafts/verbs/quote-drafts.ts'
import { Quote } from '../../features/quoting/quotes/schemas.ts'
import { Decimal } from '../../platform/schema/numbers.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { pick } from '../server/results.ts'
import { CREATES, defineProTool } from '../server/tool.ts'

const { id, rfqId, status, amount, lineItems, estimatedDays, depositPercentage, paymentTerms, message, validForDays } =
  Quote.properties

const BriefDraft = Type.Object({
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
})

export const prepareQuoteDraft = defineProTool({
  name: 'prepare_quote_draft',
  title: 'Draft a quote',
  description:
    'Create a draft quote for a lead from your prices, accepted quotes and completed jobs, with assumptions, confidence and sources. It is not sent. Next: update_quote_content.',
  access: 'write',
  quotes: 'names',
  hints: CREATES,
  idempotent: true,
  cost: 1,
  input: Type.Object(
    {
      leadId: Uuid(),
      serviceId: Type.Optional(Uuid({ description: 'Required when the lead names no service' })),
      quantity: Type.Optional(
        Decimal({
          minimum: 0.000_001,
          maximum: 1_000_000,
          description: 'Size of the work, if known: hours, square feet',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    draft: BriefDraft,
    basis: QuoteBasis,
  }),
  call: async (ctx, input) => {
    const { quote, basis } = await prepare(ctx, input)
    return {
      draft: pick(BriefDraft, { ...quote, leadId: quote.rfqId }),
      basis,
    }
  },
  next: ({ basis: { confidence } }) =>
    confidence === 'high'
      ? 'The pro sends it in their app.'
      : 'Review the assumptions with the pro; update_quote_content proposes changes.',
})
