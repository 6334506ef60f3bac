// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Operators change the catalog one after the other: each change is checked against all of it. */
export const lockCatalog = statement('lockCatalog', { nullable: ['locked'] }) as One<'tx',
  {},
  { locked: boolean | null }>

export const selectCategoryEntries = statement('selectCategoryEntries', { nullable: ['position', 'mergedInto', 'replacedAt', 'synonyms', 'formerSlugs'] }) as Many<undefined,
  {},
  { id: string; ordinal: number; position: number | null; name: string; slug: string; active: boolean; mergedInto: string | null; replacedAt: string | null; synonyms: unknown; formerSlugs: unknown },
  'synonyms' | 'formerSlugs'>

export const selectServiceEntries = statement('selectServiceEntries', { nullable: ['position', 'mergedInto', 'replacedAt', 'description', 'unit', 'questions', 'synonyms', 'formerSlugs'] }) as Many<undefined,
  {},
  { id: string; ordinal: number; position: number | null; categoryId: string; name: string; slug: string; active: boolean; mergedInto: string | null; replacedAt: string | null; description: string | null; priceType: 'flat' | 'hourly' | 'per_unit'; unit: string | null; durationMinutes: number; atCustomer: boolean; questions: unknown; synonyms: unknown; formerSlugs: unknown },
  'questions' | 'synonyms' | 'formerSlugs'>

export const saveCategory = statement('saveCategory') as Exec<'tx',
  { id: string; ordinal: number; position?: number | null; name: string; slug: string; synonyms: string; active: boolean; mergedInto?: string | null; replacedAt?: string | Date | null }>

export const saveService = statement('saveService') as Exec<'tx',
  { id: string; ordinal: number; position?: number | null; categoryId: string; name: string; slug: string; synonyms: string; active: boolean; mergedInto?: string | null; replacedAt?: string | Date | null; description?: string | null; priceType: string; unit?: string | null; durationMinutes: number; atCustomer: boolean; questions: unknown }>

/** A slug that is in use again is no former one. */
export const deleteFormerSlug = statement('deleteFormerSlug') as Exec<'tx',
  { slug: string }>

export const insertFormerSlug = statement('insertFormerSlug') as Exec<'tx',
  { slug: string; categoryId?: string | null; serviceId?: string | null; now: string | Date }>

/** What led to an entry leads to the one that it is merged into. */
export const moveFormerSlugs = statement('moveFormerSlugs') as Exec<'tx',
  { id: string; intoId: string }>

/** Pros who begin to offer the service meanwhile wait, and then find what it is merged into. */
export const lockService = statement('lockService') as Exec<'tx',
  { id: string }>

export const copyOffers = statement('copyOffers') as One<'tx',
  { fromId: string; intoId: string; limit: number },
  { hasMore: boolean }>

/** Whether searches lack changes of services of the category. */
export const isRefreshing = statement('isRefreshing') as One<'tx',
  { categoryId: string },
  { isRefreshing: boolean }>

export const findSearchRefreshes = statement('findSearchRefreshes') as One<undefined,
  {},
  { hasRefreshes: boolean }>

export const continueSearchRefresh = statement('continueSearchRefresh') as One<'write',
  { limit: number },
  { hasRefreshed: boolean }>
