// Written by `npm run schema` from disputes.sql. Do not edit.
import { type Exec, type Many, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** A payment's disputes, oldest first. */
export const selectDisputesOf = statement('selectDisputesOf') as Many<'tx',
  { paymentId: string },
  { id: string; providerDisputeId: string; amountCents: number; state: 'open' | 'won' | 'lost' }>

export const saveDispute = statement('saveDispute') as Exec<'tx',
  { id: string; paymentId: string; professionalId: string; providerId: string; amountCents: number; reason: string; state: string; isInquiry: boolean; openedAt: string | Date; closedAt?: string | Date | null; reading: number }>
