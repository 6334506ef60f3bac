// Written by `npm run schema` from failed-requests.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Adds requests, and deletes the oldest ones of their keys beyond :kept. Rows that another process deletes right now are skipped. */
export const addFailedRequests = statement('addFailedRequests') as Exec<'write',
  { requests: string; kept: number }>

/** The last failed requests with the account's keys, newest first. */
export const selectFailedRequests = statement('selectFailedRequests', { nullable: ['errors', 'requestId'] }) as Many<'read',
  { accountId: string; from: string | Date; limit: number },
  { keyId: string; name: string; lastFour: string; isGrant: boolean; failedAt: string; method: string; path: string; status: number; code: string; detail: string; errors: unknown; requestId: string | null },
  'errors'>
