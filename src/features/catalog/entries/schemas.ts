// The catalog as operators edit it: every category and service, also those that are retired, in the order in which people see them.
import type { Question } from '../services/schemas.ts'

export const PRICE_TYPES = ['flat', 'hourly', 'per_unit'] as const
export type PriceType = (typeof PRICE_TYPES)[number]

/** What an operator may change of a category. */
export interface CategoryFields {
  name: string
  /** In the addresses of pages, and what programs call it. */
  slug: string
  /** What people call it besides its name. */
  synonyms: readonly string[]
  /** False once it is retired. */
  active: boolean
}

/** What an operator may change of a service. */
export interface ServiceFields extends CategoryFields {
  categoryId: string
  description: string | null
  /** With which a pro begins who adds the service, as with unit and length. */
  priceType: PriceType
  /** "hour", "square foot"; null for a flat price. */
  unit: string | null
  durationMinutes: number
  atCustomer: boolean
  /** What a request for a quote is asked. */
  questions: readonly Question[]
}

/** What a new service is made of. */
export type NewServiceFields = Omit<ServiceFields, 'questions'> & Partial<Pick<ServiceFields, 'questions'>>

/** What every entry has besides. */
interface Identity {
  readonly id: string
  /** The facet of search. It never changes. */
  readonly ordinal: number
  /** Among its neighbours; null as long as the order is that of the ordinals. */
  readonly position: number | null
  readonly formerSlugs: readonly string[]
  /** The entry that this one is, or is about to be, part of. */
  readonly mergedInto: string | null
  /** Since when its names mean that one. */
  readonly replacedAt: string | null
}

export type CategoryEntry = Identity & CategoryFields
export type ServiceEntry = Identity & ServiceFields

/** Both lists are in order: that of services within each category. */
export interface Catalog {
  readonly categories: readonly CategoryEntry[]
  readonly services: readonly ServiceEntry[]
}

export type EntryKind = 'category' | 'service'

/** What is wrong with one field of an entry. */
export interface EntryFault {
  readonly kind: EntryKind
  readonly id: string
  readonly path: keyof ServiceFields
  readonly message: string
}

/** What happens to one entry. */
export interface CatalogChange {
  readonly kind: EntryKind
  readonly id: string
  readonly name: string
  readonly isNew: boolean
  /** The values before and after, by field; `place` counts from 1 within the list. */
  readonly fields: Readonly<Record<string, readonly [before: unknown, after: unknown]>>
}
