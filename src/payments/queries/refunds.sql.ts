// Written by `npm run schema` from refunds.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** A payment's refunds, oldest first. The caller has locked the payment. */
export const selectRefundsOf = statement('selectRefundsOf', { nullable: ['note', 'providerRefundId', 'returnedOtherwise'] }) as Many<'tx',
  { paymentId: string },
  { id: string; reason: 'cancelled' | 'rejected' | 'paid_too_late' | 'wrong_amount' | 'operator' | 'provider'; status: 'pending' | 'part' | 'submitted' | 'done' | 'failed' | 'replaced'; amountCents: number; note: string | null; providerRefundId: string | null; returnedOtherwise: string | null }>

export const insertRefund = statement('insertRefund') as Exec<'tx',
  { id: string; paymentId: string; professionalId: string; reason: string; status: string; partCents?: number | null; note?: string | null; now: string | Date }>

export const insertMadeRefund = statement('insertMadeRefund') as Exec<'tx',
  { id: string; paymentId: string; professionalId: string; state: string; amountCents: number; providerRefundId?: string | null; failure?: string | null; now: string | Date; doneAt?: string | Date | null; failedAt?: string | Date | null }>

export const saveRefund = statement('saveRefund') as Exec<'tx',
  { state: string; providerRefundId?: string | null; failure?: string | null; submittedAt?: string | Date | null; doneAt?: string | Date | null; failedAt?: string | Date | null; id: string }>

/** Marks a failed refund as returned without the provider. */
export const saveReturned = statement('saveReturned') as Exec<'tx',
  { now: string | Date; note: string; id: string }>

/** Ends a refund whose money is returned in another way. */
export const replaceRefund = statement('replaceRefund') as Exec<'tx',
  { id: string }>

export const insertRest = statement('insertRest') as Exec<'tx',
  { id: string; status: string; amountCents: number; isFailed: boolean; now: string | Date; of: string }>

export const selectSums = statement('selectSums') as One<'write',
  { professionalId: string; id: string },
  { refundableCents: number; failedCents: number }>

export const findRefundedPayment = statement('findRefundedPayment') as One<'tx',
  { refundId: string },
  { paymentId: string }>

export const isRefundDue = statement('isRefundDue') as Many<'tx',
  { id: string },
  {}>

export const planRefundMessage = statement('plan_refund_message') as Exec<'tx',
  { id: string; now: string | Date; isFailed: boolean }>
