// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Who takes part in a booking, and what it came from. */
export const findParties = statement('findParties', { nullable: ['proPhone', 'madeBy', 'madeByKind', 'maker', 'quoteId', 'requestId', 'paymentId'] }) as One<'read',
  { id: string },
  { professionalId: string; slug: string; businessName: string; proPhone: string | null; proEmail: string; timeZone: string; madeBy: string | null; madeByKind: 'developer' | 'pro' | 'client' | 'customer' | 'operator' | null; source: 'web' | 'api' | 'chatgpt' | 'gemini' | 'perplexity' | 'agent'; maker: 'pro' | 'operator' | null; quoteId: string | null; requestId: string | null; paymentId: string | null; isTest: boolean }>

export const selectEvents = statement('selectEvents', { nullable: ['traceId'] }) as Many<'read',
  { id: string },
  { type: string; at: string; traceId: string | null }>

export const selectMessages = statement('selectMessages', { nullable: ['outcome', 'finishedAt'] }) as Many<'read',
  { id: string },
  { id: number; kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; outcome: string | null; createdAt: string; finishedAt: string | null; isKept: boolean }>

export const selectDeliveries = statement('selectDeliveries') as Many<'read',
  { id: string },
  { endpointId: string; eventId: string; type: string; name: string; owner: string; state: 'pending' | 'delivered' | 'failed'; attempts: number; createdAt: string }>

export const findDelivery = statement('findDelivery') as One<'read',
  { eventId: string; id: string; endpointId: string },
  { accountId: string; professionalId: string }>

/** Sends a message that waits or was given up. */
export const hastenMessage = statement('hastenMessage', { nullable: ['professionalId'] }) as Many<'tx',
  { now: string | Date; messageId: number; id: string },
  { professionalId: string | null; kind: string; recipient: string }>

/** Sends a message that was sent once more, as it was. */
export const copyMessage = statement('copyMessage', { nullable: ['professionalId'] }) as Many<'tx',
  { key: string; now: string | Date; messageId: number; id: string },
  { professionalId: string | null; kind: string; recipient: string }>
