// Written by `npm run schema` from queries.sql. Do not edit.
import { type Many, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** Exact matches first, then the latest visit. Not those of erased customers and of test pros. */
export const findBookings = statement('findBookings', { nullable: ['customerPhone'] }) as Many<'read',
  { spelt?: string | null; begun?: string | null; digits?: string | null; code?: string | null; email?: string | null; most: number; firstId?: string | null; lastId?: string | null; text: string; limit: number },
  { id: string; code: string; status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'; startsAt: string; timeZone: string; customerName: string; customerEmail: string; customerPhone: string | null; service: string; businessName: string }>

/** As {@link findBookings}. */
export const findRequests = statement('findRequests', { nullable: ['customerPhone', 'service'] }) as Many<'read',
  { spelt?: string | null; begun?: string | null; digits?: string | null; email?: string | null; most: number; firstId?: string | null; lastId?: string | null; text: string; limit: number },
  { id: string; status: 'new' | 'responded' | 'archived'; createdAt: string; customerName: string; customerEmail: string; customerPhone: string | null; service: string | null; professionalId: string; businessName: string }>

/** Exact matches first. By an e-mail address also the pro whose user has it, and the test pros of the developer with it. A test pro has the address of its developer: its own gets no mail. */
export const findPros = statement('findPros', { nullable: ['phone', 'email'] }) as Many<'read',
  { spelt?: string | null; begun?: string | null; digits?: string | null; slug?: string | null; email?: string | null; firstId?: string | null; lastId?: string | null; most: number; text: string; limit: number },
  { id: string; slug: string; businessName: string; phone: string | null; email: string | null; place: string; isActive: boolean; isTest: boolean }>

export const findUsers = statement('findUsers', { nullable: ['businessName'] }) as Many<'read',
  { email?: string | null; firstId?: string | null; lastId?: string | null; limit: number },
  { id: string; email: string; role: 'operator' | 'developer' | 'pro'; isDisabled: boolean; businessName: string | null }>

/** Keys themselves are not stored: their last four characters are. */
export const findKeys = statement('findKeys', { nullable: ['lastUsedAt', 'userId'] }) as Many<'read',
  { now: string | Date; lastFour?: string | null; most: number; firstId?: string | null; lastId?: string | null; limit: number },
  { id: string; name: string; mode: 'live' | 'test'; lastFour: string; lastUsedAt: string | null; isRevoked: boolean; isExpired: boolean; account: string; userId: string | null }>

export const findPaymentIds = statement('findPaymentIds') as Many<'read',
  { firstId: string; lastId: string; limit: number },
  { id: string }>

/** Those who have signed in, or whom operators note or block. */
export const findCustomers = statement('findCustomers') as Many<'read',
  { email: string },
  { id: string; email: string }>

/** The latest ones to an address, or that with the number. */
export const findMessages = statement('findMessages') as Many<'read',
  { email?: string | null; limit: number; messageId?: number | null },
  { id: number; kind: string; recipient: string; status: 'pending' | 'sent' | 'failed' | 'suppressed' | 'dropped' | 'joined'; createdAt: string }>
