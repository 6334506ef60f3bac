// Written by `npm run schema` from quotes.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertSentQuote = statement('insertSentQuote') as Exec<'tx',
  { serviceId?: string | null; professionalId: string; items: string; id: string; rfqId: string; amountCents: number; estimatedDays?: number | null; depositRequired: boolean; depositPercentage?: number | null; paymentTerms?: string | null; message?: string | null; validUntil: string | Date; freeCancellationHours: number; now: string | Date }>

/** With the requests that its customer sent to others at once, always in one order: to accept one quote closes the others. */
export const lockRequestOfQuote = statement('lockRequestOfQuote') as Exec<'tx',
  { id: string }>

export const lockQuote = statement('lockQuote', { nullable: ['serviceId', 'units', 'validUntil'], texts: { status: ['draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'superseded'] } }) as One<'tx',
  { now: string | Date; id: string },
  { id: string; status: 'draft' | 'sent' | 'viewed' | 'accepted' | 'declined' | 'expired' | 'superseded'; rfqId: string; professionalId: string; serviceId: string | null; amountCents: number; units: number | null; depositCents: number; validUntil: string | null; isBlocked: boolean }>

/** The quotes of a request that are sent, viewed or accepted. */
export const selectOpenQuotes = statement('selectOpenQuotes') as Many<'tx',
  { now: string | Date; rfqId: string },
  { id: string; status: 'draft' | 'sent' | 'viewed' | 'accepted' | 'declined' | 'expired' | 'superseded'; isExpired: boolean }>

export const saveQuoteState = statement('saveQuoteState') as One<'tx',
  { status: string; declineReason?: string | null; at: string | Date; id: string },
  { eventSequence: number }>

export const findQuote = statement('findQuote', { nullable: ['quote'] }) as One<'read',
  { now: string | Date; id: string; professionalId?: string | null },
  { quote: unknown },
  'quote'>

export const selectLastQuote = statement('selectLastQuote', { nullable: ['quote'] }) as One<'read',
  { now: string | Date; professionalId: string; searchedQuotes: number; serviceId: string; exceptRfqId: string },
  { quote: unknown },
  'quote'>

export const expireQuotes = statement('expire_quotes') as One<'write',
  { now: string | Date; eventIds: string; traceparent?: string | null },
  { expired: number }>
