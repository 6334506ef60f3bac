// Written by `npm run schema` from usage.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const addUsage = statement('addUsage') as Exec<'write',
  { keyIds: readonly string[]; days: readonly string[]; requests: readonly number[]; refused: readonly number[]; limited: readonly number[]; failed: readonly number[] }>

/** The usage of the account's keys since a day: latest day first, then busiest key first. */
export const selectUsage = statement('selectUsage') as Many<'read',
  { accountId: string; from: string },
  { keyId: string; name: string; lastFour: string; isGrant: boolean; day: string; requests: number; refused: number; limited: number; failed: number }>
