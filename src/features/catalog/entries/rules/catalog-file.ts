// The catalog as a file: what `hearth catalog export` writes and `hearth catalog import` reads.
import { type Static, Type } from '@sinclair/typebox'

import { Integer } from '../../../../platform/schema/numbers.ts'
import { FreeText, Name, Nullable, OneOf, Text, Uuid } from '../../../../platform/schema/types.ts'
import { isMerged } from './merging.ts'
import { type Catalog, type CategoryEntry, PRICE_TYPES, type ServiceEntry } from '../schemas.ts'

/** What is left out stays as it is; of a new entry it has its usual value. */
const entry = {
  id: Type.Optional(Uuid()),
  slug: Text(100, { minLength: 1 }),
  name: Name(),
  synonyms: Type.Optional(Type.Array(Text(200), { maxItems: 100 })),
  active: Type.Optional(Type.Boolean()),
}

const FileQuestion = Type.Object(
  {
    question: Text(1000, { minLength: 1 }),
    required: Type.Optional(Type.Boolean()),
    choices: Type.Optional(Type.Array(Text(1000), { maxItems: 100 })),
  },
  { additionalProperties: false },
)
export type FileQuestion = Static<typeof FileQuestion>

const FileService = Type.Object(
  {
    ...entry,
    description: Type.Optional(Nullable(FreeText())),
    priceType: Type.Optional(OneOf(PRICE_TYPES)),
    unit: Type.Optional(Nullable(Text(100))),
    durationMinutes: Type.Optional(Integer({ minimum: 1, maximum: 10_000 })),
    atCustomer: Type.Optional(Type.Boolean()),
    questions: Type.Optional(Type.Array(FileQuestion, { maxItems: 100 })),
  },
  { additionalProperties: false },
)
export type FileService = Static<typeof FileService>

const FileCategory = Type.Object(
  { ...entry, services: Type.Optional(Type.Array(FileService)) },
  { additionalProperties: false },
)
export type FileCategory = Static<typeof FileCategory>

export const CatalogFile = Type.Object({ categories: Type.Array(FileCategory) }, { additionalProperties: false })
export type CatalogFile = Static<typeof CatalogFile>

/** Every entry, also those that are retired, in order; without those that are part of another one. */
export const toFile = ({ categories, services }: Catalog): CatalogFile => ({
  categories: categories
    .filter((it) => !isMerged(it))
    .map((category) => ({
      ...entryOf(category),
      services: services
        .filter((it) => it.categoryId === category.id && !isMerged(it))
        .map((service) => ({
          ...entryOf(service),
          description: service.description,
          priceType: service.priceType,
          unit: service.unit,
          durationMinutes: service.durationMinutes,
          atCustomer: service.atCustomer,
          questions: service.questions.map(({ question, required, choices }) => ({
            question,
            required,
            choices: [...choices],
          })),
        })),
    })),
})

const entryOf = ({ id, slug, name, synonyms, active }: CategoryEntry | ServiceEntry) => ({
  id,
  slug,
  name,
  synonyms: [...synonyms],
  active,
})
