// Written by `npm run schema` from deliveries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectDeliveries = statement('selectDeliveries', { nullable: ['deliveries'] }) as One<'read',
  { endpointId: string; state?: string | null; limit: number; offset: number },
  { total: number; deliveries: unknown },
  'deliveries'>

export const findDelivery = statement('findDelivery', { nullable: ['delivery'] }) as One<'read',
  { endpointId: string; eventId: string; accountId: string },
  { delivery: unknown },
  'delivery'>

export const insertTestEvent = statement('insertTestEvent') as Exec<'tx',
  { id: string; type: string; now: string | Date; object: string; traceparent?: string | null; endpointId: string }>

export const replayDelivery = statement('replayDelivery') as Many<'tx',
  { now: string | Date; endpointId: string; eventId: string },
  { id: number }>

export const hastenDelivery = statement('hastenDelivery') as Many<'write',
  { now: string | Date; endpointId: string; eventId: string },
  { id: number }>

export const replayRange = statement('replayRange', { nullable: ['lastAt'] }) as One<'tx',
  { endpointId: string; states: readonly string[]; from: string | Date; to: string | Date; limit: number; now: string | Date },
  { replayed: number; lastAt: string | null }>
