// Written by `npm run schema` from copies.sql. Do not edit.
import { type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findRecordsOfBookings = statement('findRecordsOfBookings') as One<'write',
  { ids: string },
  { payments: string[] }>

export const findRecordsOfRequests = statement('findRecordsOfRequests') as One<'write',
  { ids: string },
  { quotes: string[]; jobs: string[]; payments: string[] }>

export const clearResponses = statement('clearResponses') as One<'tx',
  { recordIds: string },
  { count: number }>
