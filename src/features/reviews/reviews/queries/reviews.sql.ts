// Written by `npm run schema` from reviews.sql. Do not edit.
import { type Many, type One, statementsOf } from '../../../../platform/postgres/statements.ts'

const statement = statementsOf(import.meta.path)

/** A pause keeps no review away. */
export const findReviewedPro = statement('findReviewedPro', { nullable: ['pro'] }) as One<'tx',
  { accountId: string; email: string; id: string },
  { pro: unknown; isOwn: boolean; isTest: boolean; isBlocked: boolean },
  'pro'>

export const findReviewedBooking = statement('findReviewedBooking', { nullable: ['endsAt'] }) as One<'tx',
  { id: string; professionalId: string; email: string },
  { status: 'pending' | 'confirmed' | 'completed' | 'no_show' | 'cancelled'; endsAt: string | null; timeZone: string }>

export const findReviewedJob = statement('findReviewedJob', { nullable: ['endsAt', 'timeZone'] }) as One<'tx',
  { id: string; professionalId: string; email: string },
  { status: 'scheduled' | 'in_progress' | 'completed' | 'cancelled'; endsAt: string | null; timeZone: string | null }>

export const insertReview = statement('insertReview', { nullable: ['record'] }) as One<'tx',
  { id: string; professionalId: string; accountId: string; bookingId?: string | null; projectId?: string | null; rating: number; title?: string | null; content: string; punctuality?: number | null; communication?: number | null; quality?: number | null; value?: number | null; name: string; email: string; photos: unknown; source: string; now: string | Date },
  { id: string; professionalId: string; eventSequence: number; record: unknown },
  'record'>

export const findReviewStatus = statement('findReviewStatus') as One<'write',
  { id: string },
  { status: 'pending' | 'approved' | 'rejected' }>

/** A review, locked until the transaction ends; with a pro, only one of theirs. */
export const findReviewForUpdate = statement('findReviewForUpdate') as One<'tx',
  { id: string; professionalId?: string | null },
  { id: string; status: 'pending' | 'approved' | 'rejected' }>

export const saveApproved = statement('saveApproved', { nullable: ['record'] }) as One<'tx',
  { status: string; now: string | Date; id: string },
  { id: string; professionalId: string; eventSequence: number; record: unknown },
  'record'>

export const saveRejected = statement('saveRejected', { nullable: ['record'] }) as One<'tx',
  { status: string; now: string | Date; reason: string; id: string },
  { record: unknown },
  'record'>

export const saveResponse = statement('saveResponse', { nullable: ['record'] }) as One<'tx',
  { content: string; now: string | Date; id: string },
  { record: unknown },
  'record'>

export const lockReview = statement('lockReview') as Many<'tx',
  { reviewId: string; accountId: string },
  {}>

export const saveVote = statement('saveVote') as One<'tx',
  { reviewId: string; accountId: string; helpful: boolean; now: string | Date },
  { yes: number; no: number }>

/** What the review that helped most says, of each of some pros. */
export const selectReviewLines = statement('selectReviewLines') as Many<'replicas',
  { ids: string },
  { professionalId: string; rating: number; content: string }>
