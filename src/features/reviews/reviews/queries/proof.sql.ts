// Written by `npm run schema` from proof.sql. Do not edit.
import { type Exec, type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

export const releaseUnprovenAddress = statement('release_unproven_address') as Exec<'tx',
  { professionalId: string; email: string; bookingId?: string | null; projectId?: string | null }>

export const saveProven = statement('saveProven', { nullable: ['record'] }) as One<'tx',
  { now: string | Date; id: string },
  { id: string; professionalId: string; eventSequence: number; record: unknown },
  'record'>

export const lockReviewedBooking = statement('lockReviewedBooking') as Exec<'tx',
  { id: string }>

export const lockReviewedJob = statement('lockReviewedJob') as Exec<'tx',
  { id: string }>

/** What waits and is verified, while the policy is to publish it at once. The address of a team member is a moderator's to judge. */
export const selectVerifiedToPublish = statement('selectVerifiedToPublish') as Many<'tx',
  { id: string },
  { id: string }>

/** Unpublishes a locked review without a trace of its publication. A trigger updates the pro's rating and statistics. */
export const saveWithdrawn = statement('saveWithdrawn', { nullable: ['record', 'provenEmail'] }) as One<'tx',
  { status: string; now: string | Date; reason: string; id: string },
  { record: unknown; provenEmail: string | null },
  'record'>

export const findReviewToConfirm = statement('findReviewToConfirm', { nullable: ['title'] }) as One<'write',
  { id: string },
  { id: string; professionalId: string; businessName: string; status: 'pending' | 'approved' | 'rejected'; rating: number; title: string | null; content: string; isProven: boolean }>
