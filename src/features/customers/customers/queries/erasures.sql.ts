// Written by `npm run schema` from erasures.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const upsertErasureRequest = statement('upsertErasureRequest') as Exec<'write',
  { accountId: string; at: string | Date }>

export const findErasureRequest = statement('findErasureRequest', { nullable: ['openWork'] }) as One<'write',
  { accountId: string },
  { requestedAt: string; isDue: boolean; openWork: unknown },
  'openWork'>

/** Claims the request that is due longest until `leaseEndsAt`: after the death of its worker it is due again then. */
export const claimErasure = statement('claimErasure') as One<'write',
  { leaseEndsAt: string | Date; now: string | Date },
  { accountId: string; email: string; attempts: number }>

/** Ends a request that was refused or that failed for good. */
export const endErasureRequest = statement('endErasureRequest') as Exec<'write',
  { openWork?: unknown; accountId: string }>
