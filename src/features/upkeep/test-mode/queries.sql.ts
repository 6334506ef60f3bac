// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findTestAccount = statement('findTestAccount') as One<'write',
  { accountId: string },
  { id: string }>

export const findTestAccountOfPro = statement('findTestAccountOfPro') as One<'write',
  { id?: string | null; slug?: string | null },
  { testAccountId: string }>

export const findTestAccountOfPackage = statement('findTestAccountOfPackage') as One<'write',
  { sku: string },
  { testAccountId: string }>

export const deleteTestRows = statement('deleteTestRows') as One<'tx',
  { testAccountId: string },
  { bookings: number; requests: number; reviews: number }>

export const findTestData = statement('findTestData', { nullable: ['pros'] }) as One<'write',
  { testAccountId: string },
  { pros: unknown; bookings: number; requests: number; reviews: number },
  'pros'>

/** Lets the account's test pros offer the services at one price, except those that they offer already. */
export const insertTestOffers = statement('insertTestOffers') as Exec<'tx',
  { priceCents: number; services: number; testAccountId: string }>
