// Written by `npm run schema` from queries.sql. Do not edit.
import { type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const reserveTask = statement('reserve_task', { nullable: ['outcome', 'monthEndsAt'], texts: { outcome: ['exhausted', 'released', 'reserved', 'settled'] } }) as One<'write',
  { professionalId: string; taskId: string; kind: string; deadline: string | Date; now: string | Date },
  { outcome: 'exhausted' | 'released' | 'reserved' | 'settled' | null; monthEndsAt: string | null }>

export const endTask = statement('end_task', { nullable: ['before'], texts: { before: ['reserved', 'settled', 'released'] } }) as One<'write',
  { professionalId: string; taskId: string; next: string; now: string | Date },
  { before: 'reserved' | 'settled' | 'released' | null }>

export const addCredits = statement('add_credits', { nullable: ['outcome'], texts: { outcome: ['added', 'mismatch', 'repeated'] } }) as One<'write',
  { professionalId: string; tasks: number; reference: string; now: string | Date },
  { outcome: 'added' | 'mismatch' | 'repeated' | null }>

export const writeCreditNotices = statement('write_credit_notices') as One<'write',
  { ids: string; now: string | Date },
  { written: number }>

export const findTaskBalance = statement('findTaskBalance', { nullable: ['planUntil', 'endedPlan', 'allowance'] }) as One<'read',
  { now: string | Date; professionalId: string },
  { plan: string; planName: string; planUntil: string | null; endedPlan: unknown; hasAgentServer: boolean; nextAllowance: number; month: string; resetsAt: string; allowance: unknown; prepaid: number; reserved: number; spent: number; available: number },
  'endedPlan' | 'allowance'>

export const findTaskUsage = statement('findTaskUsage', { nullable: ['days'] }) as One<'read',
  { professionalId: string; first: string },
  { timeZone: string; days: unknown },
  'days'>

export const findProByIdOrSlug = statement('findProByIdOrSlug') as One<'read',
  { id?: string | null; slug?: string | null },
  { id: string; businessName: string }>

export const findTaskBacklog = statement('findTaskBacklog') as One<'read',
  { now: string | Date },
  { reserved: number; overdueSeconds: number }>

export const findLedgerTotals = statement('findLedgerTotals') as One<'read',
  {},
  { spent: number; sold: number; prepaid: number; imbalance: number }>
