// The forms of categories and services.
import { Type } from '@sinclair/typebox'

import {
  DURATION_MINUTES,
  MAX_DESCRIPTION,
  MAX_SLUG,
  MAX_SYNONYM,
  MAX_SYNONYMS,
  MAX_UNIT,
} from '../../../features/catalog/entries/rules/entry-faults.ts'
import { MAX_LINES_TEXT } from '../../../features/catalog/entries/rules/lines.ts'
import { MAX_QUESTIONS } from '../../../features/catalog/entries/rules/questions.ts'
import { PRICE_TYPES } from '../../../features/catalog/entries/schemas.ts'
import { Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, Line, Name, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import { defineForm } from '../../ui/define-form.tsx'

const names = {
  name: { schema: Name(), label: 'Name' },
  slug: {
    schema: Type.Optional(Line(MAX_SLUG)),
    label: 'In addresses',
    hint: 'Lower-case letters and digits with hyphens: “drain-cleaning”. Left empty, it follows from the name. Former addresses lead to the new ones.',
  },
  synonyms: {
    schema: Type.Optional(Text(MAX_SYNONYMS * (MAX_SYNONYM + 1))),
    label: 'Other names',
    hint: 'What people call it besides its name, one per line. Searches find it by them.',
    rows: 4,
  },
} as const

const changed = {
  place: { schema: Line(40), label: 'Place in the list' },
  status: {
    schema: OneOf(['offered', 'retired']),
    label: 'Status',
    hint: 'What is retired is not found, offered or booked. Bookings that exist stay as they are.',
    choices: [
      { value: 'offered', label: 'Offered' },
      { value: 'retired', label: 'Retired' },
    ],
  },
  // What the operator looks at, so that a change by another one meanwhile is not undone.
  seen: { schema: Type.Optional(Line(40)) },
} as const

const PRICE_LABELS = { flat: 'For the visit', hourly: 'Per hour', per_unit: 'Per unit, such as a square foot' } as const

const service = {
  ...names,
  categoryId: { schema: Uuid(), label: 'Category' },
  description: { schema: Type.Optional(Text(MAX_DESCRIPTION)), label: 'Description', rows: 3 },
  priceType: {
    schema: OneOf(PRICE_TYPES),
    label: 'Usual price',
    hint: 'Pros begin with this price, unit and length when they add the service, and may change them.',
    choices: PRICE_TYPES.map((value) => ({ value, label: PRICE_LABELS[value] })),
  },
  unit: {
    schema: Type.Optional(Line(MAX_UNIT)),
    label: 'Unit',
    hint: 'Only with a price per unit, such as “square foot”.',
  },
  durationMinutes: { schema: Integer(DURATION_MINUTES), label: 'Usual length, minutes' },
  atCustomer: { schema: Type.Boolean(), label: 'Done at the customer’s', hint: 'A booking needs an address.' },
  questions: {
    schema: Type.Optional(FreeText()),
    label: 'Questions',
    hint: `What requests for a quote are asked, one question per line, at most ${MAX_QUESTIONS}: “How many square feet?”. After “|” the answers to choose from: “Is the water running? | Yes | No”. A “*” at the end makes the form insist on an answer.`,
    rows: 4,
  },
} as const

const merging = {
  into: {
    schema: Uuid(),
    label: 'Merge into',
    hint: 'This cannot be undone. Names, former addresses and pros move there; bookings, jobs and quotes stay as they are.',
  },
} as const

/** The boxes of the starter set: slugs. */
export const StarterForm = defineForm(
  {
    all: { schema: Type.Optional(OneOf(['on'])) },
    category: { schema: Type.Array(Line(MAX_SLUG), { maxItems: 100 }) },
    service: { schema: Type.Array(Line(MAX_SLUG), { maxItems: 400 }) },
  },
  ({ all, category = [], service = [] }) => ({
    service: all === undefined && category.length + service.length === 0 ? 'must have a box that is ticked' : undefined,
  }),
)

export const LinesForm = defineForm({
  categoryId: { schema: Uuid(), label: 'Category' },
  lines: {
    schema: Text(MAX_LINES_TEXT, { minLength: 1 }),
    label: 'Services, one per line',
    hint: 'Name | price | minutes | other names, separated by commas. The price is “flat”, “hourly” or “per square foot”. What you leave out has its usual value: a flat price, 60 minutes. Rows of a spreadsheet can be pasted as they are.',
    rows: 12,
  },
  // What the operator has seen that would change.
  seen: { schema: Type.Optional(Line(40)) },
})

export const MergeForm = defineForm(merging)
export const NewCategoryForm = defineForm(names)
export const CategoryForm = defineForm({ ...names, ...changed })
export const NewServiceForm = defineForm(service)
export const ServiceForm = defineForm({ ...service, ...changed })
