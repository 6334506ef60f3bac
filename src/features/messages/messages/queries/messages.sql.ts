// Written by `npm run schema` from messages.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const insertMessage = statement('insertMessage') as Many<'tx',
  { key: string; kind: string; to: string; data?: string | null; dataEncrypted?: string | null; professionalId?: string | null; bookingId?: string | null; customerEmail?: string | null; at: string | Date; traceparent?: string | null; now: string | Date },
  { id: number }>

export const planMessages = statement('plan_messages') as One<'tx',
  { eventIds: readonly string[]; now: string | Date },
  { planned: number }>

export const callPlanReminders = statement('callPlanReminders') as Exec<'tx',
  { professionalId: string; now: string | Date }>

export const claimMessages = statement('claim_messages', { nullable: ['data', 'dataEncrypted', 'bookingId', 'traceparent', 'suppression'], texts: { suppression: ['bounced', 'unsubscribed'] } }) as Many<'write',
  { limit: number; optionalKinds: readonly string[]; urgentKinds: readonly string[]; reservedKinds: readonly string[]; hourly: number; now: string | Date; leaseUntil: string | Date },
  { id: number; kind: string; recipient: string; data: unknown; dataEncrypted: string | null; bookingId: string | null; attempts: number; refusals: number; traceparent: string | null; sendAt: string; createdAt: string; isCurrent: boolean; suppression: 'bounced' | 'unsubscribed' | null; isExcess: boolean; isTest: boolean },
  'data'>

export const joinDigest = statement('join_digest') as One<'tx',
  { id: number; attempts: number; likeKinds: readonly string[]; now: string | Date },
  { isJoined: boolean }>

export const selectDigestParts = statement('selectDigestParts', { nullable: ['data', 'bookingId'] }) as Many<'write',
  { now: string | Date; digestId: number; optionalKinds: readonly string[] },
  { id: number; kind: string; data: unknown; bookingId: string | null },
  'data'>

/** `held`: behind an earlier message to the same recipient that its mail server put off, as claim_messages() has it. No worker may send them yet, so that they say nothing about the workers. */
export const measureMessageBacklog = statement('measureMessageBacklog') as One<'read',
  { now: string | Date; urgentKinds: readonly string[]; optionalKinds: readonly string[] },
  { due: number; oldestSeconds: number; held: number; retrying: number }>

export const findBusinessOfUser = statement('findBusinessOfUser') as One<'tx',
  { email: string },
  { businessName: string }>
