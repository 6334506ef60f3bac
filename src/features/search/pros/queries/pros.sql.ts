// Written by `npm run schema` from pros.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findLastSlot = statement('findLastSlot', { nullable: ['last'] }) as One<'replicas',
  {},
  { last: number | null }>

export const selectSlugs = statement('selectSlugs') as Many<'replicas',
  { first: number; last: number },
  { slug: string }>

export const findServiceArea = statement('findServiceArea', { nullable: ['containsPlace'] }) as One<'read',
  { latitude: number; longitude: number; professionalId: string },
  { businessName: string; radiusMiles: number; containsPlace: boolean | null }>

export const selectDepositTakers = statement('selectDepositTakers') as Many<'replicas',
  { ids: readonly string[] },
  { id: string }>
