// The price of a draft quote, case by case.
import { describe, expect, test } from 'bun:test'

import {
  type PriceFacts,
  draftPrice,
  median,
  quantityIn,
} from '../../../../src/features/agents/drafts/verbs/draft-price.ts'
import type { PastWork } from '../../../../src/features/agents/drafts/queries/quote-sources.ts'
import type { Offer } from '../../../../src/features/business/offers/schemas.ts'

const done = (dollars: number, units = 1, quoted = dollars, days = 1): PastWork => ({
  amountCents: dollars * 100,
  quotedCents: quoted * 100,
  units,
  unitCents: (dollars * 100) / units,
  isCompleted: true,
  days,
})

const offer = (changes: Partial<Offer> = {}): Offer => ({
  serviceId: '0',
  name: 'Gutter Repair',
  slug: 'gutter-repair',
  description: null,
  priceType: 'flat',
  unit: null,
  basePrice: 150,
  minPrice: null,
  maxPrice: null,
  durationMinutes: 90,
  instantBookEnabled: true,
  package: null,
  ...changes,
})

const facts = (changes: Partial<PriceFacts> = {}): PriceFacts => ({
  service: { name: 'Gutter Repair', unit: null },
  offer: offer(),
  work: [],
  market: null,
  description: 'The gutter leaks.',
  ...changes,
})

const priced = (changes: Partial<PriceFacts>) => {
  const draft = draftPrice(facts(changes))
  return draft && [draft.lineItem.quantity, draft.lineItem.unitPrice, draft.confidence]
}

describe('the price', () => {
  test('is the median of paid prices with three pieces of work, and has high confidence with five', () => {
    expect(priced({ work: [done(100), done(200)] })).toEqual([1, 150, 'medium'])
    expect(priced({ work: [done(100), done(200), done(300)] })).toEqual([1, 200, 'medium'])
    expect(priced({ work: [done(100), done(200), done(300), done(240), done(260)] })).toEqual([1, 240, 'high'])
  })

  test('is that of the units, without the other lines of past quotes', () => {
    const work = [1, 2, 3].map(() => ({ ...done(1000, 4), unitCents: 9000 }))
    const byHour = offer({ priceType: 'hourly', unit: 'hour', basePrice: 80 })
    expect(priced({ service: { name: 'Work', unit: 'hour' }, work, offer: byHour, quantity: 2 })?.[1]).toBe(90)
  })

  test('stays within the listed range', () => {
    const work = [done(100), done(110), done(120)]
    const draft = draftPrice(facts({ work, offer: offer({ minPrice: 130, maxPrice: 200 }) }))
    expect(draft?.lineItem.unitPrice).toBe(130)
    expect(draft?.sources[0]?.from).toContain('kept within the listed range')
  })

  test('falls back to the listed price, then the middle of the listed range, then the few paid prices, then the market', () => {
    const nothing = { basePrice: null, minPrice: null, maxPrice: null }
    const market = { median: 175, sampleSize: 40, place: 'TX' }
    expect(priced({ offer: offer({ ...nothing, minPrice: 100, maxPrice: 140 }), market })).toEqual([1, 120, 'medium'])
    expect(priced({ offer: offer(nothing), work: [done(99)], market })).toEqual([1, 99, 'low'])
    expect(priced({ offer: offer(nothing), market })).toEqual([1, 175, 'low'])
    expect(priced({ offer: undefined, market })).toEqual([1, 175, 'low'])
    expect(priced({ offer: offer(nothing) })).toBeUndefined()
  })

  test('ignores work in another unit than the pro lists, and work of unknown size', () => {
    const work = [done(1000, 100), done(1000, 100), done(1000, 100)]
    const service = { name: 'Flooring', unit: 'square foot' }
    const byRoom = offer({ priceType: 'per_unit', unit: 'room', basePrice: 900 })
    expect(priced({ service, work, offer: byRoom, quantity: 2 })).toEqual([2, 900, 'medium'])
    const unknown = work.map((each) => ({ ...each, units: null, unitCents: null }))
    const byFoot = offer({ priceType: 'per_unit', unit: 'square foot', basePrice: 12 })
    expect(priced({ service, work: unknown, offer: byFoot, quantity: 2 })).toEqual([2, 12, 'medium'])
  })
})

describe('the quantity', () => {
  const service = { name: 'Flooring', unit: 'square foot' }
  const byFoot = offer({ priceType: 'per_unit', unit: 'square foot', basePrice: 12.5 })

  test('is the given one, or else the customer’s, the usual one, or one', () => {
    const description = 'About 1,200 sq ft of oak.'
    expect(priced({ service, offer: byFoot, description, quantity: 900 })).toEqual([900, 12.5, 'medium'])
    expect(priced({ service, offer: byFoot, description })).toEqual([1200, 12.5, 'medium'])
    const work = [done(5000, 400), done(6000, 500)]
    expect(priced({ service, offer: byFoot, work })).toEqual([450, 12.5, 'low'])
    expect(priced({ service, offer: byFoot })).toEqual([1, 12.5, 'low'])
    const hourly = offer({ priceType: 'hourly', unit: 'hour', basePrice: 80 })
    expect(priced({ service: { name: 'Handyman', unit: 'hour' }, offer: hourly })).toEqual([1.5, 80, 'low'])
  })

  test.each([
    ['600 square feet of tile', 'square foot', 600],
    ['a 600-square-foot room', 'square foot', 600],
    ['600 sqft', 'square foot', 600],
    ['12 windows, two of them high', 'window', 12],
    ['80 feet of fence', 'linear foot', 80],
    ['2.5 hours', 'hour', 2.5],
    ['3 rooms or maybe 4 rooms', 'room', undefined],
    ['24 hours a day', 'window', undefined],
    ['some windows', 'window', undefined],
    ['0 windows', 'window', undefined],
  ])('of "%s" in %ss is %p', (text, unit, quantity) => {
    expect(quantityIn(text, unit)).toBe(quantity as number)
  })
})

test('days and overruns come from completed jobs only', () => {
  const running = { ...done(999, 1, 100), isCompleted: false, days: null }
  const draft = draftPrice(facts({ work: [done(120, 1, 100, 2), done(110, 1, 100, 3), done(115, 1, 100, 3), running] }))
  expect(draft?.estimatedDays).toBe(3)
  expect(draft?.assumptions.join(' ')).toContain('Your last 3 jobs of this kind cost 15% more than quoted.')
  expect(draftPrice(facts())?.estimatedDays).toBeNull()
})

test('the median of an even number of values is the mean of the middle two, and of no values undefined', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([])]).toEqual([2, 2.5, undefined])
})
