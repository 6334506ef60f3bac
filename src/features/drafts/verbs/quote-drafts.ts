// Draft quotes, prepared from the request, the pro's prices and what came of their work so far.
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { getPricing } from '../../pricing/verbs.ts'
import { listOffers } from '../../offers/verbs.ts'
import { createDraft } from '../../quotes/verbs/drafts.ts'
import type { Quote } from '../../quotes/schemas.ts'
import type { ActingPro } from '../../rfqs/verbs/rfqs.ts'
import { type DraftPrice, draftPrice } from './draft-price.ts'
import type { QuoteBasis } from '../schemas.ts'
import { type QuoteHabits, findBasis, findHabits, findService, insertPrepared, selectPastWork } from '../queries.ts'
import { type Subject, getSubject } from './subject.ts'

/** Older prices say little about what work costs now. */
const MEMORY_MS = 730 * 86_400_000

export interface QuoteDraftWish {
  leadId: string
  /** Where the lead names none. */
  serviceId?: string | undefined
  /** How many of the service's units the work is, where that is known. */
  quantity?: number | undefined
}

export interface PreparedQuote {
  quote: Quote
  basis: QuoteBasis
}

/**
 * Makes a draft quote for a lead. Nobody is told. Throws rfq_not_found, validation_failed where neither lead nor wish names
 * a service, service_not_found, unknown_price where nothing says what it costs, and what {@link createDraft} throws.
 */
export const prepareQuoteDraft = (
  deps: Deps,
  pro: ActingPro,
  wish: QuoteDraftWish,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<PreparedQuote>> =>
  runIdempotently(
    deps,
    idempotency,
    { accountId: pro.accountId, operation: 'prepareQuoteDraft', request: wish },
    async (tx) => {
      const lead = await getSubject(deps, pro, { leadId: wish.leadId })
      const habits = await habitsOf(deps, pro)
      const price = await priceOf(deps, pro, lead, habits, wish)
      const { lineItem, estimatedDays, ...known } = price
      const quote = await createDraft(deps, tx, pro, {
        rfqId: wish.leadId,
        lineItems: [lineItem],
        estimatedDays,
        ...termsOf(habits),
        message: messageOf(lead, habits, price),
        validForDays: 30,
      })
      const basis: QuoteBasis = {
        confidence: known.confidence,
        assumptions: [...overBudget(lead.budget, quote.amount), ...known.assumptions],
        sources: [...known.sources, ...habitSources(habits)],
      }
      const { id, professionalId } = { id: deps.ids.uuid(), ...pro }
      const row = { id, professionalId, rfqId: wish.leadId, quoteId: quote.id, content: basis, now: deps.clock.now() }
      await insertPrepared(tx, { ...row, kind: 'quote_draft' })
      return { quote, basis }
    },
  )

/** What explains a draft; null for a quote that nobody prepared. */
export const getQuoteBasis = async ({ read }: Deps, pro: ActingPro, quoteId: string): Promise<QuoteBasis | null> =>
  ((await findBasis(read, pro.professionalId, quoteId)) as QuoteBasis | undefined) ?? null

async function habitsOf({ read }: Deps, { professionalId }: ActingPro): Promise<QuoteHabits> {
  const habits = await findHabits(read, professionalId)
  if (!habits) throw new AppError('professional_not_found', 'The pro of this key is gone.')
  return habits
}

async function priceOf(
  deps: Deps,
  pro: ActingPro,
  lead: Subject,
  { state }: QuoteHabits,
  wish: QuoteDraftWish,
): Promise<DraftPrice> {
  const service = await serviceOf(deps, lead, wish.serviceId)
  const since = new Date(deps.clock.now().getTime() - MEMORY_MS)
  const [{ services }, work, { pricing }] = await Promise.all([
    listOffers(deps, pro),
    selectPastWork(deps.read, pro.professionalId, service.id, since),
    getPricing(deps, { service: service.id, state }),
  ])
  const price = draftPrice({
    service,
    offer: services.find(({ serviceId }) => serviceId === service.id),
    work,
    market: pricing && { median: pricing.median, sampleSize: pricing.sampleSize, place: state },
    description: lead.description ?? '',
    quantity: wish.quantity,
  })
  if (!price)
    throw new AppError('unknown_price', `Nothing says what ${service.name} costs: no listed price, no work, no market.`)
  return price
}

async function serviceOf({ read }: Deps, { service }: Subject, serviceId: string | undefined) {
  if (serviceId === undefined) {
    if (service) return service
    throw invalidField('body.serviceId', 'is required: the lead names no service')
  }
  const named = await findService(read, serviceId)
  if (!named) throw new AppError('service_not_found', 'No service has this id.')
  return named
}

const termsOf = ({ depositRequired, depositPercentage, paymentTerms }: QuoteHabits) => ({
  depositRequired,
  depositPercentage,
  paymentTerms,
})

const habitSources = ({ depositRequired, depositPercentage, paymentTerms }: QuoteHabits): QuoteBasis['sources'] => [
  ...(depositRequired && depositPercentage !== null
    ? [{ figure: 'depositPercentage', value: depositPercentage, from: 'your booking settings' }]
    : []),
  ...(paymentTerms === null ? [] : [{ figure: 'paymentTerms', value: paymentTerms, from: 'the last quote you sent' }]),
]

function messageOf({ customer }: Subject, { businessName }: QuoteHabits, { lineItem, estimatedDays }: DraftPrice) {
  const days =
    estimatedDays === null ? '' : ` We expect ${estimatedDays === 1 ? 'a day' : `${estimatedDays} days`} of work.`
  return `Hello ${customer.name},\n\nthank you for your request. Here is our quote for ${lineItem.description}.${days}\n\n${businessName}`
}

/** `$500 to $750` goes up to 750. */
function overBudget(budget: string | null, amount: number): string[] {
  const figures = [...(budget ?? '').matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([digits]) =>
    Number(digits.replaceAll(',', '')),
  )
  const most = Math.max(...figures)
  return figures.length > 0 && amount > most ? [`This is over the customer’s budget (${budget}).`] : []
}
