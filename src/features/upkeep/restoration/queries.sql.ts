// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const countPending = statement('countPending') as One<'read',
  {},
  { deliveries: number; events: number; refunds: number; runs: number; messages: number }>

export const selectHeld = statement('selectHeld') as Many<'read',
  {},
  { endpointId: string; url: string; deliveries: number; from: string; to: string }>

export const insertRestoration = statement('insertRestoration', { nullable: ['askWakeUp'] }) as One<'tx',
  {},
  { declaredAt: string; askWakeUp: string | null }>

/** Plans the deliveries and messages of all events that were not relayed. */
export const relayAll = statement('relayAll') as Exec<'tx',
  { at: string | Date }>

export const holdMessages = statement('holdMessages') as Many<'tx',
  { reason: string; at: string | Date },
  {}>

export const releaseHeldMessages = statement('releaseHeldMessages') as Many<'tx',
  { now: string | Date },
  {}>

export const countHeldMessages = statement('countHeldMessages') as One<'read',
  {},
  { held: number }>

export const holdDeliveries = statement('holdDeliveries') as Many<'tx',
  { at: string | Date; reason: string },
  {}>

export const releaseHeld = statement('releaseHeld') as Many<'tx',
  { now: string | Date },
  {}>
