// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectCategories = statement('selectCategories', { nullable: ['synonyms', 'formerSlugs', 'formerIds'] }) as Many<'read',
  {},
  { id: string; ordinal: number; name: string; slug: string; synonyms: unknown; formerSlugs: unknown; formerIds: unknown },
  'synonyms' | 'formerSlugs' | 'formerIds'>

/** The services of a category that was merged belong to its target. */
export const selectServices = statement('selectServices', { nullable: ['description', 'unit', 'questions', 'synonyms', 'formerSlugs', 'formerIds'] }) as Many<'read',
  {},
  { id: string; ordinal: number; categoryId: string; name: string; slug: string; description: string | null; priceType: 'flat' | 'hourly' | 'per_unit'; unit: string | null; durationMinutes: number; atCustomer: boolean; questions: unknown; synonyms: unknown; formerSlugs: unknown; formerIds: unknown },
  'questions' | 'synonyms' | 'formerSlugs' | 'formerIds'>

/** Those of the marketplace's country. */
export const selectStates = statement('selectStates') as Many<'read',
  {},
  { code: string; name: string; ordinal: number; country: 'US' | 'CA' }>

/** Those of the marketplace's country. */
export const selectCities = statement('selectCities') as Many<'read',
  {},
  { id: number; name: string; state: string; latitude: number; longitude: number; population: number }>

export const selectSearchWords = statement('selectSearchWords', { nullable: ['means'] }) as Many<'read',
  {},
  { phrase: string; kind: 'service' | 'same' | 'ignored' | 'elsewhere' | 'place'; means: string | null }>

export const selectServiceCounts = statement('selectServiceCounts') as Many<'read',
  { areas: readonly number[] },
  { facet: number; pros: number; verified: number }>

/** Every city with active pros, most pros first. */
export const selectCityCounts = statement('selectCityCounts') as Many<'read',
  {},
  { cityId: number; pros: number }>

export const selectCityFacetCounts = statement('selectCityFacetCounts') as Many<'read',
  { cityIds: readonly number[]; facet: number },
  { cityId: number; pros: number }>

export const insertStates = statement('insertStates') as Exec<'tx',
  { country: string; codes: readonly string[]; names: readonly string[] }>

/** Together: each zone that a city brings by itself would be looked up alone. */
export const insertZones = statement('insertZones') as Exec<'tx',
  { zones: readonly string[] }>

export const insertCities = statement('insertCities') as Exec<'tx',
  { ids: readonly number[]; names: readonly string[]; states: readonly string[]; latitudes: readonly number[]; longitudes: readonly number[]; zones: readonly string[]; populations: readonly number[] }>

/** Operators change districts one after the other: a name is compared with all of them. */
export const lockDistricts = statement('lockDistricts', { nullable: ['locked'] }) as One<'tx',
  {},
  { locked: boolean | null }>

export const findFreeDistrictId = statement('findFreeDistrictId') as One<'tx',
  {},
  { id: number }>

export const saveDistrict = statement('saveDistrict') as Exec<'tx',
  { id: number; name: string; state: string; isRemoved: boolean; by?: string | null; now: string | Date }>

/** In the time zone of the nearest city. */
export const insertDistrictCity = statement('insertDistrictCity') as Exec<'tx',
  { id: number; name: string; state: string; latitude: number; longitude: number; population: number; nearestId: number }>

export const renameDistrictCity = statement('renameDistrictCity') as Exec<'tx',
  { name: string; id: number }>

/** Nothing while pros are there. */
export const removeDistrictCity = statement('removeDistrictCity') as Many<'tx',
  { id: number },
  { id: number }>

/** The present ones, by name. */
export const listDistricts = statement('listDistricts', { nullable: ['by'] }) as Many<'read',
  {},
  { id: number; name: string; state: string; latitude: number; longitude: number; at: string; by: string | null; pros: number }>
