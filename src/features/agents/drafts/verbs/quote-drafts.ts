// Draft quotes from the request, the pro's prices and their past work.
import { VALID_FOR_DAYS } from '../../../quoting/quotes/rules/validity.ts'
import type { Ctx } from '../../../../ctx.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { getPricing } from '../../../catalog/pricing/verbs.ts'
import { listOffers } from '../../../business/offers/verbs.ts'
import { createDraft } from '../../../quoting/quotes/verbs/drafts.ts'
import type { Quote } from '../../../quoting/quotes/schemas.ts'
import type { ActingPro } from '../../../quoting/rfqs/verbs/rfqs.ts'
import { type DraftPrice, draftPrice } from './draft-price.ts'
import type { QuoteBasis } from '../schemas.ts'
import { findBasis, insertPrepared } from '../queries/prepared-work.ts'
import { type QuoteTerms } from '../queries/quote-sources.ts'
import { findService, findUsualTerms, selectPastWork } from '../queries/quote-sources.sql.ts'
import { pastWorkStart } from './prepared-work.ts'
import { type Subject, getSubject } from './subject.ts'

export interface QuoteDraftInput {
  leadId: string
  /** Required when the lead names no service. */
  serviceId?: string | undefined
  /** The size of the work in the service's unit, if known. */
  quantity?: number | undefined
}

export interface PreparedQuote {
  quote: Quote
  basis: QuoteBasis
}

/**
 * Creates a draft quote for a lead, without notifying anyone. Throws rfq_not_found, validation_failed when no service is
 * named, service_not_found, unknown_price when no source has a price, and the errors of {@link createDraft}.
 */
export const prepareQuoteDraft = (ctx: Ctx<ActingPro>, input: QuoteDraftInput): Promise<PreparedQuote> =>
  runIdempotently(
    ctx,
    { accountId: ctx.actor.accountId, operation: 'prepareQuoteDraft', request: input },
    async (ctx) => {
      const lead = await getSubject(ctx, { leadId: input.leadId })
      const terms = await getUsualTerms(ctx)
      const price = await estimatePrice(ctx, lead, terms, input)
      const { lineItem, estimatedDays, confidence, assumptions, sources } = price
      const quote = await createDraft(ctx, {
        rfqId: input.leadId,
        lineItems: [lineItem],
        estimatedDays,
        ...termsOf(terms),
        message: messageOf(lead, terms, price),
        validForDays: VALID_FOR_DAYS,
      })
      const basis: QuoteBasis = {
        confidence,
        assumptions: [
          ...(input.serviceId === undefined && lead.isServiceRead
            ? [`The request names no service; ${lead.service?.name} was read from the customer’s words.`]
            : []),
          ...overBudget(lead.budget, quote.amount),
          ...assumptions,
        ],
        sources: [...sources, ...termSources(terms)],
      }
      const { id, professionalId } = { id: ctx.ids.uuid(), ...ctx.actor }
      const row = { id, professionalId, rfqId: input.leadId, quoteId: quote.id, content: basis, now: ctx.clock.now() }
      await insertPrepared(ctx, { ...row, kind: 'quote_draft' })
      return { quote, basis }
    },
  )

/** The basis of a draft quote; null for a quote that was not prepared here. */
export const getQuoteBasis = async (
  ctx: Ctx<ActingPro>,
  { quoteId }: { quoteId: string },
): Promise<QuoteBasis | null> =>
  ((await findBasis(ctx, { professionalId: ctx.actor.professionalId, quoteId })) as QuoteBasis | undefined) ?? null

async function getUsualTerms(ctx: Ctx<ActingPro>): Promise<QuoteTerms> {
  const terms = await findUsualTerms(ctx, { professionalId: ctx.actor.professionalId })
  if (!terms) throw new AppError('professional_not_found', 'The pro of this key does not exist any more.')
  return terms
}

async function estimatePrice(
  ctx: Ctx<ActingPro>,
  lead: Subject,
  { state }: QuoteTerms,
  input: QuoteDraftInput,
): Promise<DraftPrice> {
  const service = await getQuotedService(ctx, lead, input.serviceId)
  const [{ services }, work, { pricing }] = await Promise.all([
    listOffers(ctx),
    selectPastWork(ctx, { professionalId: ctx.actor.professionalId, serviceId: service.id, since: pastWorkStart(ctx) }),
    getPricing(ctx, { service: service.id, state }),
  ])
  const price = draftPrice({
    service,
    offer: services.find(({ serviceId }) => serviceId === service.id),
    work,
    market: pricing && { median: pricing.median, sampleSize: pricing.sampleSize, place: state },
    description: lead.description ?? '',
    quantity: input.quantity,
  })
  if (!price)
    throw new AppError(
      'unknown_price',
      `No price is known for ${service.name}: you list none, and there is no past work and no market price. List a price first.`,
    )
  return price
}

async function getQuotedService(ctx: Ctx, { service }: Subject, serviceId: string | undefined) {
  if (serviceId === undefined) {
    if (service) return service
    throw invalidField(
      'body.serviceId',
      'is required because the lead names no service and its words tell none of the catalog',
    )
  }
  const row = await findService(ctx, { id: serviceId })
  if (!row) throw new AppError('service_not_found', 'No service has this id.')
  return row
}

const termsOf = ({ depositRequired, depositPercentage, paymentTerms }: QuoteTerms) => ({
  depositRequired,
  depositPercentage,
  paymentTerms,
})

const termSources = ({ depositRequired, depositPercentage, paymentTerms }: QuoteTerms): QuoteBasis['sources'] => [
  ...(depositRequired && depositPercentage !== null
    ? [{ figure: 'depositPercentage', value: depositPercentage, from: 'your booking settings' }]
    : []),
  ...(paymentTerms === null ? [] : [{ figure: 'paymentTerms', value: paymentTerms, from: 'the last quote you sent' }]),
]

function messageOf({ customer }: Subject, { businessName }: QuoteTerms, { lineItem, estimatedDays }: DraftPrice) {
  const days =
    estimatedDays === null ? '' : ` We expect ${estimatedDays === 1 ? 'a day' : `${estimatedDays} days`} of work.`
  return `Hello ${customer.name},\n\nthank you for your request. Here is our quote for ${lineItem.description}.${days}\n\n${businessName}`
}

/** Warns of an amount above the budget; the upper limit of `$500 to $750` is 750. */
function overBudget(budget: string | null, amount: number): string[] {
  const figures = [...(budget ?? '').matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([digits]) =>
    Number(digits.replaceAll(',', '')),
  )
  const limit = Math.max(...figures)
  return figures.length > 0 && amount > limit ? [`This is over the customer’s budget (${budget}).`] : []
}
