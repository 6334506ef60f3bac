// Written by `npm run schema` from drafts.sql. Do not edit.
import { type Exec, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertDraft = statement('insertDraft') as Exec<'tx',
  { serviceId?: string | null; professionalId: string; items: string; id: string; rfqId: string; amountCents: number; estimatedDays?: number | null; depositRequired: boolean; depositPercentage?: number | null; paymentTerms?: string | null; message?: string | null; validForDays?: number | null; freeCancellationHours: number; now: string | Date }>

export const updateDraft = statement('updateDraft') as Exec<'tx',
  { amountCents: number; items: string; serviceId?: string | null; professionalId: string; estimatedDays?: number | null; depositRequired: boolean; depositPercentage?: number | null; paymentTerms?: string | null; message?: string | null; validForDays?: number | null; id: string }>

/** Turns a locked draft into a sent quote. */
export const markSent = statement('markSent') as Exec<'tx',
  { now: string | Date; validUntil: string | Date; freeCancellationHours: number; id: string }>

/** Deletes a locked draft. */
export const deleteDraftRow = statement('deleteDraftRow') as Exec<'tx',
  { id: string }>

export const findRfqOfQuote = statement('findRfqOfQuote') as One<'tx',
  { id: string; professionalId: string },
  { rfqId: string }>

export const countDrafts = statement('countDrafts') as One<'tx',
  { rfqId: string },
  { drafts: number }>
