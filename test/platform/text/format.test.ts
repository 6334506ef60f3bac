// Prices as people read them: never without their unit, never rounded to nothing.
import { expect, test } from 'bun:test'

import { priceOf, shortMoney } from '../../../src/platform/text/format.ts'

const flat = { type: 'flat', basePrice: null, min: null, max: null, unit: null, currency: 'USD' }

test.each([
  [{ ...flat, basePrice: 120 }, '$120 per visit'],
  [{ ...flat, basePrice: 150, min: 120, max: 180 }, '$120 to $180 per visit'],
  [{ ...flat, basePrice: 120, max: 180 }, '$120 to $180 per visit'],
  [{ ...flat, min: 120 }, 'from $120 per visit'],
  [{ ...flat, max: 180 }, 'up to $180 per visit'],
  [{ ...flat, min: 99.5, max: 99.5 }, '$99.50 per visit'],
  [{ ...flat, type: 'hourly', unit: 'hour', min: 83, basePrice: 95 }, 'from $83 per hour'],
  [{ ...flat, type: 'per_unit', unit: 'square_foot', basePrice: 0.45 }, '$0.45 per square foot'],
  [flat, 'Price agreed with the pro'],
])('the price %o reads "%s"', (pricing, text) => {
  expect(priceOf(pricing)).toBe(text)
})

test('an amount shows its cents only where it has some', () => {
  expect([83, 1250, 0.35, 259.5].map((amount) => shortMoney(amount))).toEqual(['$83', '$1,250', '$0.35', '$259.50'])
})
