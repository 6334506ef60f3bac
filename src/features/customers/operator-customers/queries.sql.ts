// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The address of the customer to whom an account, booking, request, review or profile belongs; null if the customer of a profile is erased. */
export const findEmail = statement('findEmail', { nullable: ['email'] }) as One<'read',
  { id: string },
  { email: string | null }>

/** As the latest record has it that the owner of the address has not disowned. */
export const findPerson = statement('findPerson', { nullable: ['name', 'phone', 'since'] }) as One<'read',
  { email: string },
  { name: string | null; phone: string | null; since: string | null }>

/** `open`: how many of all wait or are confirmed, so that they take place. */
export const selectBookings = statement('selectBookings') as Many<'read',
  { email: string; limit: number },
  { id: string; code: string; startsAt: string; timeZone: string; service: string; professionalId: string; businessName: string; status: string; total: number; open: number }>

export const selectRequests = statement('selectRequests', { nullable: ['service'] }) as Many<'read',
  { email: string; limit: number },
  { id: string; createdAt: string; service: string | null; professionalId: string; businessName: string; status: string; total: number }>

export const selectReviews = statement('selectReviews') as Many<'read',
  { email: string; limit: number },
  { id: string; createdAt: string; rating: number; professionalId: string; businessName: string; status: string; total: number }>

export const selectMessages = statement('selectMessages') as Many<'read',
  { email: string; limit: number },
  { id: number; kind: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; createdAt: string; total: number }>

/** Of pros. Why is theirs alone. */
export const selectBlocks = statement('selectBlocks') as Many<'read',
  { email: string; limit: number },
  { professionalId: string; businessName: string; createdAt: string; total: number }>

/** Of a customer, also one who was blocked before an erasure, or by its id. */
export const findProfile = statement('findProfile', { nullable: ['blockedAt', 'blockReason'] }) as One<'read',
  { email?: string | null; id?: string | null },
  { id: string; blockedAt: string | null; blockReason: string | null }>

/** A customer who was erased while blocked, and is back. */
export const returnProfile = statement('returnProfile') as Many<'tx',
  { email: string },
  { id: string }>

export const makeProfile = statement('makeProfile') as Exec<'tx',
  { id: string; email: string; now: string | Date }>

export const lockProfile = statement('lockProfile') as One<'tx',
  { email: string },
  { id: string; isBlocked: boolean }>

export const saveBlock = statement('saveBlock') as Exec<'tx',
  { at?: string | Date | null; reason?: string | null; id: string }>
