// A quote in lists and in its lead, for a model.
import { type Static, Type } from '@sinclair/typebox'

import { Quote } from '../../features/quotes/schemas.ts'

const { id, rfqId, status, amount, service, validUntil, createdAt } = Quote.properties

export const BriefQuote = Type.Object({ id, leadId: rfqId, status, amount, service, validUntil, createdAt })

export const briefQuote = (quote: Quote): Static<typeof BriefQuote> => ({
  id: quote.id,
  leadId: quote.rfqId,
  status: quote.status,
  amount: quote.amount,
  service: quote.service,
  validUntil: quote.validUntil,
  createdAt: quote.createdAt,
})
