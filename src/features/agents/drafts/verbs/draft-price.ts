// The price of a draft quote, from the pro's listed prices, their past work and the market. A pure function.
import type { Offer } from '../../../business/offers/schemas.ts'
import { plural } from '../../../../platform/text/format.ts'
import type { QuoteBasis } from '../schemas.ts'
import type { PastWork } from '../queries/quote-sources.ts'

/** With this much past work, paid prices count more than listed ones. */
const MIN_WORK_FOR_PRICE = 3
/** With this much past work, the price has high confidence. */
const MIN_WORK_FOR_HIGH_CONFIDENCE = 5

export interface PriceFacts {
  service: { name: string; unit: string | null }
  offer: Offer | undefined
  work: readonly PastWork[]
  /** The market price in the pro's state, in dollars; null with too small a sample. */
  market: { median: number; sampleSize: number; place: string } | null
  /** The customer's text. */
  description: string
  /** Given by the pro or their agent. */
  quantity?: number | undefined
}

export interface DraftPrice extends QuoteBasis {
  lineItem: { description: string; quantity: number; unitPrice: number }
  estimatedDays: number | null
}

interface Figure<T> {
  value: T
  from: string
  /** Confidence: 0 low, 1 medium, 2 high. */
  confidence: number
}

/** The median; undefined for an empty list. */
export function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}

/** The draft's price; undefined when no source has a price. */
export function draftPrice(facts: PriceFacts): DraftPrice | undefined {
  const price = unitPriceOf(facts)
  if (!price) return undefined
  const { service, market } = facts
  const amount = quantityOf(facts)
  const days = askedDays(facts.description) ?? workDays(facts.work)
  const isUncounted = facts.quantity === undefined && isUncountedWork(facts)
  const confidence = isUncounted ? 0 : Math.min(price.confidence, amount.confidence)
  return {
    lineItem: { description: service.name, quantity: amount.value, unitPrice: price.value },
    estimatedDays: days?.value ?? null,
    confidence: confidence === 2 ? 'high' : confidence === 1 ? 'medium' : 'low',
    assumptions: [
      ...(amount.confidence === 0 ? [`The quantity is a guess (${amount.from}): ask how much work it is.`] : []),
      ...(isUncounted
        ? [
            `The customer speaks of ${plural(daysOfWorkIn(facts.description) ?? 0, 'day')} of work; this is the price ${perUnit(facts)}. Change the quantity before you send it.`,
          ]
        : []),
      ...(price.confidence === 0 ? [`The price is a rough estimate: ${price.from}.`] : []),
      ...overrun(facts.work),
      'Only work that the customer mentioned is included.',
    ],
    sources: [
      { figure: 'unitPrice', value: price.value, from: `${price.from}, US dollars ${perUnit(facts)}` },
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

function unitPriceOf({ service, offer, work, market }: PriceFacts): Figure<number> | undefined {
  // Past work is stored in the catalog's unit, so a pro with another unit is priced by their list.
  const listsOtherUnit = offer !== undefined && offer.unit !== service.unit
  const paid = listsOtherUnit ? [] : work.flatMap(({ unitCents }) => (unitCents === null ? [] : [unitCents / 100]))
  const typical = median(paid)
  const works = `${paid.length} accepted ${paid.length === 1 ? 'quote or completed job' : 'quotes and completed jobs'}`
  if (typical !== undefined && paid.length >= MIN_WORK_FOR_PRICE) {
    const value = toCents(within(typical, offer))
    const cut = value === toCents(typical) ? '' : ', kept within the listed range'
    return {
      value,
      from: `the median of ${works}${cut}`,
      confidence: paid.length >= MIN_WORK_FOR_HIGH_CONFIDENCE ? 2 : 1,
    }
  }
  const listed = offer?.basePrice ?? middle(offer)
  if (listed) return { value: toCents(listed), from: 'your listed price', confidence: 1 }
  if (typical !== undefined) return { value: toCents(typical), from: `the median of ${works}`, confidence: 0 }
  if (market) return { value: market.median, from: `what others charge in ${market.place}`, confidence: 0 }
  return undefined
}

function quantityOf({ service, offer, work, description, quantity: given }: PriceFacts): Figure<number> {
  const unit = offer ? offer.unit : service.unit
  if (given !== undefined) return { value: given, from: 'as given', confidence: 2 }
  if (unit === null) return { value: 1, from: 'a flat price', confidence: 2 }
  const mentioned = quantityIn(description, unit)
  if (mentioned !== undefined) return { value: mentioned, from: 'the customer’s own words', confidence: 2 }
  const wanted = unit === 'hour' ? daysOfWorkIn(description) : undefined
  if (wanted !== undefined)
    return {
      value: wanted * HOURS_PER_DAY,
      from: `the customer speaks of ${plural(wanted, 'day')} of work, each counted as ${HOURS_PER_DAY} hours`,
      confidence: 1,
    }
  const typical = unit === service.unit ? median(work.flatMap(({ units }) => units ?? [])) : undefined
  if (typical !== undefined)
    return { value: toCents(typical), from: `the median of your other work, in ${unit}s`, confidence: 0 }
  if (unit === 'hour' && offer)
    return { value: toCents(offer.durationMinutes / 60), from: 'the usual duration', confidence: 0 }
  return { value: 1, from: `the number of ${unit}s is unknown`, confidence: 0 }
}

/** Spellings of units besides the name and its plural. */
const SPELLINGS: Record<string, string> = {
  'square foot': 'sq\\.? ?(?:ft|feet|foot)|sqft|square[ -]f(?:ee|oo)t',
  'linear foot': 'lin(?:ear|\\.)?[ -]f(?:ee|oo)t|lin(?:ear|\\.)? ?ft|feet|foot|ft',
  hour: 'hours?|hrs?',
}

/** Finds `600 sq ft` for the unit `square foot`. Undefined when the text has no quantity or several. */
export function quantityIn(text: string, unit: string): number | undefined {
  const spelling = SPELLINGS[unit] ?? `${unit.replaceAll(/[^\w ]/g, '')}(?:s|es)?`
  const matches = [...text.matchAll(new RegExp(`(\\d[\\d,]*(?:\\.\\d+)?)[ -]?(?:${spelling})\\b`, 'gi'))]
  const values = new Set(matches.map(([, digits = '']) => Number(digits.replaceAll(',', ''))))
  const [only] = values
  return values.size === 1 && only !== undefined && only > 0 && only <= 1_000_000 ? only : undefined
}

/** A working day, where the customer counts days and the price counts hours. */
const HOURS_PER_DAY = 8

const NUMBERS: Readonly<Record<string, number>> = { a: 1, one: 1, two: 2, three: 3, four: 4, five: 5 }

/** Finds `2 days of work`, `a day’s work`, `takes three days`; not `in 2 days`, which is when. Undefined without or with several. */
export function daysOfWorkIn(text: string): number | undefined {
  const number = '(\\d{1,2}(?:\\.5)?|a|one|two|three|four|five)(?: full| whole)?'
  const patterns = [
    new RegExp(`\\b${number} days?(?:[’']s?)? (?:(?:worth )?of )?(?:work|labor)\\b`, 'gi'),
    new RegExp(`\\b(?:takes?|needs?|lasts?|work for) (?:about |around |up to )?${number} days?\\b`, 'gi'),
  ]
  const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, word = '']) => word.toLowerCase()))
  const values = new Set(found.map((word) => NUMBERS[word] ?? Number(word)))
  const [only] = values
  return values.size === 1 && only !== undefined && only > 0 ? only : undefined
}

function askedDays(description: string): Figure<number> | undefined {
  const days = daysOfWorkIn(description)
  return days === undefined ? undefined : { value: Math.ceil(days), from: 'the customer’s own words', confidence: 1 }
}

/** Whether the customer counts in days, and the price in something that days do not tell. */
const isUncountedWork = ({ service, offer, description }: PriceFacts): boolean => {
  const unit = offer ? offer.unit : service.unit
  const isCounted = unit === 'hour' || (unit !== null && quantityIn(description, unit) !== undefined)
  return !isCounted && (daysOfWorkIn(description) ?? 0) > 0
}

const perUnit = ({ service, offer }: PriceFacts): string => {
  const unit = offer ? offer.unit : service.unit
  return unit === null ? 'for the whole work' : `per ${unit}`
}

function workDays(work: readonly PastWork[]): Figure<number> | undefined {
  const days = work.flatMap((done) => (done.isCompleted && done.days !== null ? [done.days] : []))
  const typical = median(days)
  if (typical === undefined) return undefined
  return {
    value: Math.ceil(typical),
    from: `the median of ${days.length} completed ${days.length === 1 ? 'job' : 'jobs'}`,
    confidence: 1,
  }
}

/** Warns when jobs cost more than quoted. */
function overrun(work: readonly PastWork[]): string[] {
  const ratios = work.flatMap((done) => (done.isCompleted ? [done.amountCents / done.quotedCents] : []))
  const typical = median(ratios) ?? 1
  if (ratios.length < MIN_WORK_FOR_PRICE || typical < 1.02) return []
  return [`Your last ${ratios.length} jobs of this kind cost ${Math.round((typical - 1) * 100)}% more than quoted.`]
}

const within = (value: number, offer: Offer | undefined) =>
  Math.min(Math.max(value, offer?.minPrice ?? 0), offer?.maxPrice ?? Infinity)

function middle(offer: Offer | undefined): number | undefined {
  const { minPrice = null, maxPrice = null } = offer ?? {}
  return minPrice === null || maxPrice === null ? undefined : (minPrice + maxPrice) / 2
}

const toCents = (value: number) => Math.round(value * 100) / 100
