// What to quote for a request, from what the pro lists and what their customers agreed to. Pure: the same facts give the
// same draft.
import type { Offer } from '../../offers/schemas.ts'
import type { QuoteBasis } from '../schemas.ts'
import type { PastWork } from '../queries.ts'

/** From so many pieces of work on, what was paid says more than what is listed. */
const ENOUGH_WORK = 3
/** And from so many on it can be relied on. */
const MUCH_WORK = 5

export interface PriceFacts {
  service: { name: string; unit: string | null }
  offer: Offer | undefined
  work: readonly PastWork[]
  /** What the service costs in the pro's state, in dollars, where enough is known of it. */
  market: { median: number; sampleSize: number; place: string } | null
  /** What the customer wrote. */
  description: string
  /** What the pro or their agent knows. */
  quantity?: number | undefined
}

export interface DraftPrice extends QuoteBasis {
  lineItem: { description: string; quantity: number; unitPrice: number }
  estimatedDays: number | null
}

interface Figure<T> {
  value: T
  from: string
  /** How far it can be trusted: 0, 1 or 2. */
  trust: number
}

/** The middle one; of an even number the mean of the two in the middle. Undefined of nothing. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** The draft, or undefined where nobody knows a price. */
export function draftPrice(facts: PriceFacts): DraftPrice | undefined {
  const price = unitPrice(facts)
  if (!price) return undefined
  const { service, market } = facts
  const amount = quantity(facts)
  const days = workDays(facts.work)
  const trust = Math.min(price.trust, amount.trust)
  const per = service.unit === null ? 'for the whole work' : `per ${service.unit}`
  return {
    lineItem: { description: service.name, quantity: amount.value, unitPrice: price.value },
    estimatedDays: days?.value ?? null,
    confidence: trust === 2 ? 'high' : trust === 1 ? 'medium' : 'low',
    assumptions: [
      ...(amount.trust === 0 ? [`The quantity is a guess (${amount.from}): ask how much work it is.`] : []),
      ...(price.trust === 0 ? [`The price is little more than a guess: ${price.from}.`] : []),
      ...overrun(facts.work),
      'Nothing that the customer did not mention is included.',
    ],
    sources: [
      { figure: 'unitPrice', value: price.value, from: `${price.from}, US dollars ${per}` },
      { figure: 'quantity', value: amount.value, from: amount.from },
      ...(days ? [{ figure: 'estimatedDays', value: days.value, from: days.from }] : []),
      ...(market
        ? [
            {
              figure: 'market',
              value: market.median,
              from: `the median of ${market.sampleSize} prices in ${market.place}`,
            },
          ]
        : []),
    ],
  }
}

function unitPrice({ service, offer, work, market }: PriceFacts): Figure<number> | undefined {
  // What was agreed is known in the catalog's unit; a pro who lists another one is priced by their list.
  const listsOtherUnit = offer !== undefined && offer.unit !== service.unit
  const paid = listsOtherUnit
    ? []
    : work.flatMap(({ amountCents, units }) => (units ? [amountCents / units / 100] : []))
  const usual = median(paid)
  const works = `${paid.length} accepted ${paid.length === 1 ? 'quote or completed job' : 'quotes and completed jobs'}`
  if (usual !== undefined && paid.length >= ENOUGH_WORK) {
    const value = toCents(within(usual, offer))
    const cut = value === toCents(usual) ? '' : ', kept within the listed range'
    return { value, from: `the median of ${works}${cut}`, trust: paid.length >= MUCH_WORK ? 2 : 1 }
  }
  const listed = offer?.basePrice ?? middle(offer)
  if (listed) return { value: toCents(listed), from: 'your listed price', trust: 1 }
  if (usual !== undefined) return { value: toCents(usual), from: `the median of ${works}`, trust: 0 }
  if (market) return { value: market.median, from: `what others charge in ${market.place}`, trust: 0 }
  return undefined
}

function quantity({ service, offer, work, description, quantity: given }: PriceFacts): Figure<number> {
  const unit = offer ? offer.unit : service.unit
  if (given !== undefined) return { value: given, from: 'as given', trust: 2 }
  if (unit === null) return { value: 1, from: 'a flat price', trust: 2 }
  const said = saidQuantity(description, unit)
  if (said !== undefined) return { value: said, from: 'the customer’s own words', trust: 2 }
  const usual = unit === service.unit ? median(work.flatMap(({ units }) => units ?? [])) : undefined
  if (usual !== undefined)
    return { value: toCents(usual), from: `the median of your other work, in ${unit}s`, trust: 0 }
  if (unit === 'hour' && offer)
    return { value: toCents(offer.durationMinutes / 60), from: 'the usual duration', trust: 0 }
  return { value: 1, from: `nothing said how many ${unit}s`, trust: 0 }
}

/** How people write a unit, where that is not its name or its plural. */
const SPELLINGS: Record<string, string> = {
  'square foot': 'sq\\.? ?(?:ft|feet|foot)|sqft|square[ -]f(?:ee|oo)t',
  'linear foot': 'lin(?:ear|\\.)?[ -]f(?:ee|oo)t|lin(?:ear|\\.)? ?ft|feet|foot|ft',
  hour: 'hours?|hrs?',
}

/** `600 sq ft` says 600 of the unit `square foot`. Undefined where the text says none, or several. */
export function saidQuantity(text: string, unit: string): number | undefined {
  const spelling = SPELLINGS[unit] ?? `${unit.replaceAll(/[^\w ]/g, '')}(?:s|es)?`
  const found = [...text.matchAll(new RegExp(`(\\d[\\d,]*(?:\\.\\d+)?)[ -]?(?:${spelling})\\b`, 'gi'))]
  const values = new Set(found.map(([, digits = '']) => Number(digits.replaceAll(',', ''))))
  const [only] = values
  return values.size === 1 && only !== undefined && only > 0 && only <= 1_000_000 ? only : undefined
}

function workDays(work: readonly PastWork[]): Figure<number> | undefined {
  const days = work.flatMap((done) => (done.isCompleted && done.days !== null ? [done.days] : []))
  const usual = median(days)
  if (usual === undefined) return undefined
  return {
    value: Math.ceil(usual),
    from: `the median of ${days.length} completed ${days.length === 1 ? 'job' : 'jobs'}`,
    trust: 1,
  }
}

/** Says so where jobs end up dearer than quoted. */
function overrun(work: readonly PastWork[]): string[] {
  const ratios = work.flatMap((done) => (done.isCompleted ? [done.amountCents / done.quotedCents] : []))
  const usual = median(ratios) ?? 1
  if (ratios.length < ENOUGH_WORK || usual < 1.02) return []
  return [`Your last ${ratios.length} jobs of this kind cost ${Math.round((usual - 1) * 100)} % more than quoted.`]
}

const within = (value: number, offer: Offer | undefined) =>
  Math.min(Math.max(value, offer?.minPrice ?? 0), offer?.maxPrice ?? Infinity)

function middle(offer: Offer | undefined): number | undefined {
  const { minPrice = null, maxPrice = null } = offer ?? {}
  return minPrice === null || maxPrice === null ? undefined : (minPrice + maxPrice) / 2
}

const toCents = (value: number) => Math.round(value * 100) / 100
