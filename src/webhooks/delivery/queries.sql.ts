// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Inserts deliveries of events in the outbox, except those planned before. */
export const insertDeliveries = statement('insertDeliveries') as Many<'tx',
  { eventIds: readonly string[]; now: string | Date },
  { id: number; endpointId: string }>

export const claimDeliveries = statement('claim_deliveries', { nullable: ['traceparent', 'failingSince'] }) as Many<'write',
  { endpointIds: readonly string[]; counts: readonly number[]; workerId: string; now: string | Date; leaseUntil: string | Date },
  { id: number; endpointId: string; eventId: string; type: string; body: string; traceparent: string | null; eventAt: string; attempts: number; round: number; url: string; ordered: boolean; maxRetries: number; failingSince: string | null; secrets: string[] }>

/** The caller holds the worker's lock. Called again after the session was lost and others deleted the lease. */
export const insertLease = statement('insertLease') as Exec<'write',
  { workerId: string; now: string | Date }>

export const deleteLease = statement('deleteLease') as Exec<'write',
  { workerId: string }>

export const freeDeliveries = statement('free_deliveries') as One<'write',
  { now: string | Date },
  { reclaimed: number }>

/** Releases claims that the worker does not know of: committed, but their result was lost on the way. */
export const releaseUnknownClaims = statement('releaseUnknownClaims') as Exec<'write',
  { now: string | Date; workerId: string; known: readonly number[] }>

/** Releases claims that the worker will not attempt now. */
export const releaseClaims = statement('releaseClaims') as Exec<'write',
  { now: string | Date; workerId: string; ids: readonly number[] }>

export const dueEndpoints = statement('due_endpoints') as Many<'write',
  { now: string | Date },
  { endpointId: string }>

export const finishAttempts = statement('finish_attempts') as Exec<'write',
  { results: string }>

export const measureBacklog = statement('measureBacklog') as One<'read',
  { now: string | Date },
  { due: number; oldestSeconds: number; dueToFailing: number; failingEndpoints: number; enabledEndpoints: number }>

/** Disables an enabled endpoint and fails its pending deliveries. Returns undefined when it was not enabled. */
export const updateToDisabled = statement('updateToDisabled') as One<'write',
  { reason: string; now: string | Date; endpointId: string },
  { accountId: string; name: string; email: string }>
