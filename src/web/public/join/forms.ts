// The forms of an application to join, one per step.
import { type TSchema, Type } from '@sinclair/typebox'

import { MAX_SERVICES } from '../../../features/business/applications/schemas.ts'
import { MAX_RADIUS_MILES } from '../../../features/business/pros/schemas.ts'
import type { CatalogNames } from '../../../features/catalog/services/verbs/names.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { CalendarDate, FreeText, Line, Name, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { typedDistance } from '../../../platform/text/distance.ts'
import { type Region, UNITED_STATES } from '../../../platform/text/region.ts'
import { type FieldDeclaration, defineForm } from '../../ui/define-form.tsx'

/** A service of the catalog. */
export type ServiceRow = CatalogNames['services'][number]

const MIN_DIGITS = 7

export const BusinessForm = defineForm(
  {
    businessName: { schema: Name(), label: 'Business name', autocomplete: 'organization' },
    personName: { schema: Name(), label: 'Your name', hint: 'For us. Customers do not see it.', autocomplete: 'name' },
    phone: {
      schema: Line(50, { minLength: 1 }),
      label: 'Phone',
      hint: 'Customers see it on your page.',
      inputMode: 'tel',
      autocomplete: 'tel',
    },
    description: {
      schema: Type.Optional(FreeText()),
      label: 'About your business',
      hint: 'Customers read it on your page.',
      rows: 4,
    },
  },
  ({ phone }) => ({
    phone:
      phone !== undefined && phone.replaceAll(/\D/g, '').length < MIN_DIGITS ? 'enter the whole number' : undefined,
  }),
)

/** A distance is typed in the unit of the region. */
export const placeFormIn = (region: Region) =>
  defineForm({
    place: {
      schema: Text(300, { minLength: 1 }),
      label: 'Where you are',
      hint: 'An address, a ZIP code, a city, or a point of a map: “12 Oak Street, Columbus, OH 43215” or “39.96, -83.00”. Customers never see the street, and a point is rounded.',
      autocomplete: 'street-address',
    },
    isPlaceHidden: {
      schema: Type.Boolean(),
      label: 'Show only my city',
      hint: 'Distances are then measured from the middle of your city.',
    },
    radius: {
      schema: Integer({ minimum: 1, maximum: typedDistance.shown(region, MAX_RADIUS_MILES) }),
      label: `How far you come, ${typedDistance.unit(region)}`,
    },
  })

export const PlaceForm = placeFormIn(UNITED_STATES)

export const ServicesForm = defineForm(
  { services: { schema: Type.Optional(Type.Array(Uuid())), label: 'What you do' } },
  ({ services = [] }) => ({
    services:
      services.length === 0
        ? 'choose at least one'
        : services.length > MAX_SERVICES
          ? `choose up to ${MAX_SERVICES}; you add more once you are approved`
          : undefined,
  }),
)

const PRICE_TYPES = ['flat', 'hourly', 'per_unit'] as const
const dollars = Type.Optional(Decimal({ minimum: 0, maximum: 1_000_000 }))

export const priceFieldsOf = (id: string) => ({ type: `type-${id}`, price: `price-${id}`, most: `most-${id}` }) as const

/** The prices of the chosen services, each with fields of its own. */
export const pricesFormOf = (services: readonly ServiceRow[]) =>
  defineForm<Record<string, FieldDeclaration & { schema: TSchema }>>(
    Object.fromEntries(
      services.flatMap(({ id, unit }) => {
        const { type, price, most } = priceFieldsOf(id)
        const choices = [
          { value: 'flat', label: 'For the visit' },
          { value: 'hourly', label: 'Per hour' },
          { value: 'per_unit', label: unit === null || unit === 'hour' ? 'Per unit' : `Per ${unit}` },
        ]
        return [
          [type, { schema: OneOf(PRICE_TYPES), label: 'You charge', choices }],
          [price, { schema: dollars, label: 'Price' }],
          [most, { schema: dollars, label: 'Up to' }],
        ]
      }),
    ),
    (values) =>
      Object.fromEntries(
        services.map(({ id }) => {
          const { price, most } = priceFieldsOf(id)
          const [from, to] = [values[price], values[most]] as [number | undefined, number | undefined]
          if (to === undefined) return [most, undefined]
          return [
            most,
            from === undefined ? 'enter the price, too' : to < from ? 'must not be below the price' : undefined,
          ]
        }),
      ),
  )

/** The route knows of no service. */
export const PricesForm = pricesFormOf([])

export const LicenseForm = defineForm(
  {
    licenseNumber: { schema: Type.Optional(Line(100)), label: 'License number' },
    licenseState: { schema: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })), label: 'License state' },
    licenseExpires: { schema: Type.Optional(CalendarDate()), label: 'License is valid until' },
    insuranceCarrier: { schema: Type.Optional(Line(200)), label: 'Insurer' },
    insurancePolicy: { schema: Type.Optional(Line(100)), label: 'Policy number' },
    insuranceExpires: { schema: Type.Optional(CalendarDate()), label: 'Insurance is valid until' },
  },
  (
    { licenseNumber, licenseState, licenseExpires, insuranceCarrier, insurancePolicy, insuranceExpires },
    region = UNITED_STATES,
  ) => ({
    licenseNumber:
      // The form proposes the state: it says nothing without a number.
      licenseNumber === undefined && licenseExpires !== undefined ? 'enter the number, too' : undefined,
    licenseState:
      licenseNumber !== undefined && licenseState === undefined
        ? `choose the ${region.state.word} that issued it`
        : undefined,
    insuranceCarrier:
      insuranceCarrier === undefined && (insurancePolicy ?? insuranceExpires) !== undefined
        ? 'enter the insurer, too'
        : undefined,
  }),
)
