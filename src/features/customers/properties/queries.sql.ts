// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertProperty = statement('insertProperty', { nullable: ['property'] }) as One<'tx',
  { id: string; accountId: string; name: string; street: string; city: string; state: string; zipCode: string; bedrooms?: number | null; bathrooms?: number | null; areaSquareFeet?: number | null; accessNotes?: string | null; now: string | Date },
  { property: unknown },
  'property'>

export const updateProperty = statement('updateProperty', { nullable: ['property'] }) as One<'write',
  { name: string; street: string; city: string; state: string; zipCode: string; bedrooms?: number | null; bathrooms?: number | null; areaSquareFeet?: number | null; accessNotes?: string | null; now: string | Date; id: string; accountId: string },
  { property: unknown },
  'property'>

export const findProperty = statement('findProperty', { nullable: ['property'] }) as One<'read',
  { id: string; accountId: string },
  { property: unknown },
  'property'>

export const deleteProperty = statement('deleteProperty') as Many<'write',
  { id: string; accountId: string },
  { id: string }>

export const selectProperties = statement('selectProperties', { nullable: ['properties'] }) as One<'read',
  { accountId: string; limit: number; offset: number },
  { total: number; properties: unknown },
  'properties'>
