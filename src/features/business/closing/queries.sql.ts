// Written by `npm run schema` from queries.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** The account of a pro with those of its test mode, their users and all addresses. */
export const findLeaver = statement('findLeaver', { nullable: ['accounts', 'users', 'emails'] }) as One<'write',
  { professionalId: string },
  { accounts: unknown; users: unknown; emails: unknown },
  'accounts' | 'users' | 'emails'>

export const insertClosing = statement('insertClosing') as Exec<'tx',
  { professionalId: string; now: string | Date; eraseAt: string | Date }>

/** Undefined once the pro was erased. */
export const deleteClosing = statement('deleteClosing') as One<'tx',
  { professionalId: string },
  { closedAt: string }>

export const findClosing = statement('findClosing', { nullable: ['erasedAt'] }) as One<'write',
  { professionalId: string },
  { closedAt: string; eraseAt: string; erasedAt: string | null }>

export const revokeKeysOf = statement('revokeKeysOf') as Exec<'tx',
  { now: string | Date; accounts: readonly string[] }>

export const countOpenWork = statement('countOpenWork') as One<'write',
  { now: string | Date; professionalId: string },
  { visits: number; begunVisits: number; jobs: number; requests: number; keys: number; apps: number; endpoints: number; calendars: number }>

/** What is paid for open visits and jobs. */
export const sumOpenPayments = statement('sumOpenPayments') as Many<'write',
  { professionalId: string },
  { currency: 'USD' | 'CAD'; cents: number }>

export const selectOpenVisits = statement('selectOpenVisits') as Many<'write',
  { professionalId: string; limit: number },
  { id: string }>

export const selectOpenJobs = statement('selectOpenJobs', { nullable: ['customerEmail', 'service'] }) as Many<'write',
  { professionalId: string; limit: number },
  { id: string; customerEmail: string | null; service: string | null }>

/** With what a message to the customer says. */
export const selectOpenRequests = statement('selectOpenRequests', { nullable: ['service'] }) as Many<'write',
  { professionalId: string; limit: number },
  { id: string; customerEmail: string; service: string | null }>

export const lockOpenRequest = statement('lockOpenRequest', { texts: { status: ['new', 'responded', 'archived'] } }) as One<'tx',
  { id: string },
  { status: 'new' | 'responded' | 'archived'; isAccepted: boolean }>

/** Takes the closing that is due longest, until `leaseEndsAt`. */
export const claimClosing = statement('claimClosing') as One<'write',
  { leaseEndsAt: string | Date; now: string | Date },
  { professionalId: string; businessName: string; closedAt: string; eraseAt: string; isErasure: boolean }>

/** Whether refunds are unfinished or disputes open. */
export const hasMoneyToSettle = statement('hasMoneyToSettle') as One<'write',
  { professionalId: string },
  { has: boolean }>

export const planNextLook = statement('planNextLook') as Exec<'write',
  { nextAt: string | Date; professionalId: string }>

export const endClosing = statement('endClosing') as Exec<'tx',
  { now: string | Date; professionalId: string }>

export const lockClosing = statement('lockClosing') as One<'tx',
  { professionalId: string },
  { isOpen: boolean }>

export const selectTestAccounts = statement('selectTestAccounts') as Many<'tx',
  { professionalId: string },
  { id: string }>
