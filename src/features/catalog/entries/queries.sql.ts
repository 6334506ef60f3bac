// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Operators change the catalog one after the other: each change is checked against all of it. */
export const lockCatalog = statement('lockCatalog', { nullable: ['locked'] }) as One<'tx',
  {},
  { locked: boolean | null }>

export const selectCategoryEntries = statement('selectCategoryEntries', { nullable: ['position', 'synonyms', 'formerSlugs'] }) as Many<undefined,
  {},
  { id: string; ordinal: number; position: number | null; name: string; slug: string; active: boolean; synonyms: unknown; formerSlugs: unknown },
  'synonyms' | 'formerSlugs'>

export const selectServiceEntries = statement('selectServiceEntries', { nullable: ['position', 'description', 'unit', 'synonyms', 'formerSlugs'] }) as Many<undefined,
  {},
  { id: string; ordinal: number; position: number | null; categoryId: string; name: string; slug: string; active: boolean; description: string | null; priceType: 'flat' | 'hourly' | 'per_unit'; unit: string | null; durationMinutes: number; atCustomer: boolean; synonyms: unknown; formerSlugs: unknown },
  'synonyms' | 'formerSlugs'>

export const saveCategory = statement('saveCategory') as Exec<'tx',
  { id: string; ordinal: number; position?: number | null; name: string; slug: string; synonyms: string; active: boolean }>

export const saveService = statement('saveService') as Exec<'tx',
  { id: string; ordinal: number; position?: number | null; categoryId: string; name: string; slug: string; synonyms: string; active: boolean; description?: string | null; priceType: string; unit?: string | null; durationMinutes: number; atCustomer: boolean }>

/** A slug that is in use again is no former one. */
export const deleteFormerSlug = statement('deleteFormerSlug') as Exec<'tx',
  { slug: string }>

export const insertFormerSlug = statement('insertFormerSlug') as Exec<'tx',
  { slug: string; categoryId?: string | null; serviceId?: string | null; now: string | Date }>
