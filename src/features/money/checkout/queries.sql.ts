// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const claimPart = statement('claimPart', { nullable: ['afterId', 'completedAt'] }) as One<'write',
  { at: string | Date; until: string | Date },
  { step: 'intents' | 'refunds' | 'disputes' | 'ours'; afterId: string | null; startedAt: string; completedAt: string | null }>

/** Saves where the comparison goes on, and when. */
export const savePart = statement('savePart') as Exec<'write',
  { step: string; afterId?: string | null; startedAt: string | Date; completedAt?: string | Date | null; nextAt: string | Date }>

export const selectOurs = statement('selectOurs') as Many<'write',
  { since: string | Date; afterId: string; limit: number },
  { intentId: string }>

export const sumLeft = statement('sumLeft') as One<'write',
  { intentId: string },
  { cents: number }>

export const selectPaymentHealth = statement('selectPaymentHealth', { nullable: ['comparedSeconds'] }) as One<'read',
  { now: string | Date },
  { failedRefunds: number; openDisputes: number; differences: number; comparedSeconds: number | null }>

export const selectDifferences = statement('selectDifferences', { nullable: ['paymentId'] }) as Many<'read',
  { limit: number },
  { intentId: string; paymentId: string | null; providerCents: number; ourCents: number }>
