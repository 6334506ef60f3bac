// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const findWaitingPartitions = statement('findWaitingPartitions') as Many<'read',
  { lastPartition: number },
  { partition: number }>

export const findWaitingWork = statement('findWaitingWork', { nullable: ['partition', 'work'] }) as Many<'read',
  { lastPartition: number; now: string | Date },
  { partition: unknown; work: unknown },
  'partition' | 'work'>

export const lockPartition = statement('lockPartition') as One<'tx',
  { relayLock: number; partition: number },
  { locked: boolean }>

export const selectWaiting = statement('selectWaiting', { nullable: ['data', 'traceparent'] }) as Many<'tx',
  { partition: number; after: string; pros: number; perPro: number; limit: number },
  { position: number; id: string; type: string; professionalId: string; aggregateType: string; aggregateId: string; sequence: number; data: unknown; traceparent: string | null; createdAt: string; turn: number },
  'data'>

export const markRelayed = statement('markRelayed') as Exec<'tx',
  { now: string | Date; positions: string }>

export const findEvent = statement('findEvent', { nullable: ['data', 'traceparent'] }) as One<'tx',
  { id: string },
  { position: number; id: string; type: string; professionalId: string; aggregateType: string; aggregateId: string; sequence: number; data: unknown; traceparent: string | null; createdAt: string },
  'data'>

export const measureLag = statement('measureLag') as One<'read',
  { now: string | Date },
  { waiting: number; oldestSeconds: number }>
