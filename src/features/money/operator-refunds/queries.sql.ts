// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const selectRefunds = statement('selectRefunds', { nullable: ['note', 'failure', 'returnedOtherwise', 'doneAt', 'providerRefundId'] }) as Many<'write',
  { id: string },
  { id: string; amountCents: number; reason: 'cancelled' | 'rejected' | 'paid_too_late' | 'wrong_amount' | 'operator' | 'provider'; note: string | null; status: 'pending' | 'part' | 'submitted' | 'done' | 'failed' | 'replaced'; failure: string | null; returnedOtherwise: string | null; attempts: number; createdAt: string; doneAt: string | null; providerRefundId: string | null }>

export const selectDisputes = statement('selectDisputes') as Many<'write',
  { id: string },
  { providerDisputeId: string; amountCents: number; reason: string; state: 'open' | 'won' | 'lost'; isInquiry: boolean; openedAt: string }>
