// The catalog as the programs of operators read and change it.
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import { Line, Name, Nullable, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import {
  DURATION_MINUTES,
  MAX_DESCRIPTION,
  MAX_SLUG,
  MAX_SYNONYM,
  MAX_SYNONYMS,
  MAX_UNIT,
} from '../entries/rules/entry-faults.ts'
import { MAX_CHOICE, MAX_CHOICES, MAX_QUESTION, MAX_QUESTIONS } from '../entries/rules/questions.ts'
import { PRICE_TYPES } from '../entries/schemas.ts'

const MAX_VERSION = 40

const shownEntry = {
  id: Uuid(),
  slug: Type.String(),
  name: Type.String(),
  synonyms: Type.Array(Type.String(), { description: 'What people call it besides its name' }),
  active: Type.Boolean({ description: 'False once it is retired: it is not found, offered or booked' }),
  formerSlugs: Type.Array(Type.String(), { description: 'They lead to the entry' }),
  mergedInto: Nullable(Uuid(), { description: 'The entry that this one is, or is about to be, part of' }),
  version: Type.String({ description: 'Changes with every field' }),
}

const PlatformQuestion = Type.Object({
  question: Type.String(),
  required: Type.Boolean(),
  choices: Type.Array(Type.String(), { description: 'Empty for an answer in words of one’s own' }),
})

export const PlatformService = Type.Object(
  {
    ...shownEntry,
    categoryId: Uuid(),
    description: Nullable(Type.String()),
    priceType: OneOf(PRICE_TYPES, { description: 'With which a pro begins, as with unit and length' }),
    unit: Nullable(Type.String()),
    durationMinutes: Natural(),
    atCustomer: Type.Boolean({ description: 'A booking needs an address' }),
    questions: Type.Array(PlatformQuestion, { description: 'What requests for a quote are asked' }),
  },
  { $id: 'PlatformService' },
)
export type PlatformService = Static<typeof PlatformService>

export const PlatformCategory = Type.Object(shownEntry, { $id: 'PlatformCategory' })
export type PlatformCategory = Static<typeof PlatformCategory>

export const PlatformCatalog = Type.Object(
  { categories: Type.Array(PlatformCategory), services: Type.Array(PlatformService) },
  { $id: 'PlatformCatalog' },
)
export type PlatformCatalog = Static<typeof PlatformCatalog>

export const CategoryAnswer = Type.Object({ category: PlatformCategory }, { $id: 'CategoryAnswer' })
export type CategoryAnswer = Static<typeof CategoryAnswer>
export const ServiceAnswer = Type.Object({ service: PlatformService }, { $id: 'ServiceAnswer' })
export type ServiceAnswer = Static<typeof ServiceAnswer>

const slug = Line(MAX_SLUG, {
  pattern: '^[a-z\\d]+(-[a-z\\d]+)*$',
  minLength: 1,
  description: 'In addresses: lower-case letters and digits with hyphens. Former slugs lead to the entry',
})
const after = Nullable(Uuid(), {
  description: 'The entry after which it stands; null for the first place. Without it, the last or the same place',
})
const entry = {
  name: Name(),
  slug,
  synonyms: Type.Array(Line(MAX_SYNONYM, { minLength: 1 }), { maxItems: MAX_SYNONYMS }),
}
const service = {
  ...entry,
  categoryId: Uuid({ description: 'The id of the category' }),
  description: Nullable(Text(MAX_DESCRIPTION)),
  priceType: OneOf(PRICE_TYPES),
  unit: Nullable(Line(MAX_UNIT), { description: 'With the price type `per_unit`: `square foot`' }),
  durationMinutes: Integer(DURATION_MINUTES),
  atCustomer: Type.Boolean(),
  questions: Type.Array(
    Type.Object(
      {
        question: Line(MAX_QUESTION, { minLength: 1 }),
        required: Type.Optional(Type.Boolean({ default: false })),
        choices: Type.Optional(Type.Array(Line(MAX_CHOICE, { minLength: 1 }), { maxItems: MAX_CHOICES })),
      },
      { additionalProperties: false },
    ),
    { maxItems: MAX_QUESTIONS },
  ),
}
const changed = {
  active: Type.Optional(Type.Boolean({ description: 'False retires it; bookings that exist stay' })),
  after: Type.Optional(after),
  version: Type.Optional(
    Line(MAX_VERSION, { minLength: 1, description: 'The `version` that was read: refused when it is another one now' }),
  ),
}

export const NewCategory = Type.Object(
  { ...Type.Partial(Type.Object(entry)).properties, name: entry.name, after: Type.Optional(after) },
  { $id: 'NewCategory', additionalProperties: false },
)
export type NewCategory = Static<typeof NewCategory>

export const CategoryChange = Type.Object(
  { ...Type.Partial(Type.Object(entry)).properties, ...changed },
  { $id: 'CategoryChange', additionalProperties: false },
)
export type CategoryChange = Static<typeof CategoryChange>

const { name, categoryId, priceType, durationMinutes } = service

export const NewService = Type.Object(
  {
    ...Type.Partial(Type.Object(service)).properties,
    name,
    categoryId,
    priceType,
    durationMinutes,
    after: Type.Optional(after),
  },
  { $id: 'NewService', additionalProperties: false },
)
export type NewService = Static<typeof NewService>

export const ServiceChange = Type.Object(
  { ...Type.Partial(Type.Object(service)).properties, ...changed },
  { $id: 'ServiceChange', additionalProperties: false },
)
export type ServiceChange = Static<typeof ServiceChange>

export const EntryMerge = Type.Object(
  { into: Uuid({ description: 'Another category, or another service' }) },
  { $id: 'EntryMerge', additionalProperties: false },
)
export type EntryMerge = Static<typeof EntryMerge>

export const MergeAnswer = Type.Object(
  {
    isComplete: Type.Boolean({ description: 'False while pros are still moving; the server does the rest by itself' }),
  },
  { $id: 'MergeAnswer' },
)
export type MergeAnswer = Static<typeof MergeAnswer>
