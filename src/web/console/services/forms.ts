// The forms of a pro's services: price, length and how a service is booked, and its package.
import { Type } from '@sinclair/typebox'

import { OfferChange } from '../../../features/business/offers/schemas.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Name, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'

const { durationMinutes, cadence } = Type.Required(OfferChange).properties
const dollars = Type.Optional(Decimal({ minimum: 0, maximum: 1_000_000 }))

/** The deposit is the same for all services and is in the booking settings. */
const price = {
  priceType: {
    schema: OneOf(['flat', 'hourly', 'per_unit']),
    label: 'You charge',
    choices: [
      { value: 'flat', label: 'For the visit' },
      { value: 'hourly', label: 'Per hour' },
      { value: 'per_unit', label: 'Per unit, such as a square foot' },
    ],
  },
  unit: {
    schema: Type.Optional(Text(40)),
    label: 'Unit',
    hint: 'Only with a price per unit, such as “square foot”.',
  },
  basePrice: { schema: dollars, label: 'Price, US dollars' },
  minPrice: { schema: dollars, label: 'Lowest price' },
  maxPrice: { schema: dollars, label: 'Highest price' },
  durationMinutes: { schema: durationMinutes, label: 'How long it takes, minutes' },
  instantBookEnabled: { schema: Type.Boolean(), label: 'Customers can book it online' },
  description: { schema: Type.Optional(FreeText()), label: 'What customers should know', rows: 3 },
} as const

const checkRange = ({ minPrice, maxPrice }: { minPrice?: number; maxPrice?: number }) =>
  minPrice !== undefined && maxPrice !== undefined && minPrice > maxPrice
    ? { maxPrice: 'must not be less than the lowest price' }
    : {}

export const PriceForm = defineForm(price, checkRange)

export const NewOfferForm = defineForm({ serviceId: { schema: Uuid(), label: 'Service' }, ...price }, checkRange)

const CADENCES = ['once', 'weekly', 'biweekly', 'monthly', 'quarterly', 'yearly'].map((value) => ({
  value,
  label: value === 'biweekly' ? 'Every two weeks' : `${value.charAt(0).toUpperCase()}${value.slice(1)}`,
}))

export const PackageForm = defineForm({
  packageName: { schema: Name(), label: 'Name' },
  packagePrice: { schema: Decimal({ minimum: 0.01, maximum: 1_000_000 }), label: 'Fixed price, US dollars' },
  cadence: { schema: cadence, label: 'How often', choices: CADENCES },
  includes: {
    schema: Type.Optional(FreeText()),
    label: 'What it includes',
    hint: 'One item per line, up to 20.',
    rows: 5,
  },
  bedrooms: { schema: Type.Optional(Integer({ minimum: 0, maximum: 20 })), label: 'Bedrooms' },
  bathrooms: { schema: Type.Optional(Decimal({ minimum: 0, maximum: 20, multipleOf: 0.5 })), label: 'Bathrooms' },
})
