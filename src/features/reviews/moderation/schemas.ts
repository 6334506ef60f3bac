// The shapes of moderation.
import { type Static, Type } from '@sinclair/typebox'

import { pageParameters } from '../../../platform/schema/paging.ts'
import { OneOf, Text } from '../../../platform/schema/types.ts'
import type { ProReview, ReportReason } from '../reviews/schemas.ts'

export const MODERATION_SORTS = ['newest', 'oldest', 'rating_low', 'rating_high'] as const

/** A moderator's search. `q` is a part of a text, a pro or an author. Forms send an empty text for "any". */
export const ModerationQuery = Type.Object({
  q: Type.Optional(Text(200)),
  /** By default what waits for a moderator: reported ones first, then those to publish or reject. */
  status: Type.Optional(OneOf(['pending', 'approved', 'rejected', 'reported', 'all'])),
  rating: Type.Optional(OneOf(['', '1', '2', '3', '4', '5'])),
  verified: Type.Optional(OneOf(['', 'yes', 'no'])),
  /** The pro's id or slug. */
  pro: Type.Optional(Text(200)),
  /** Days since the review was sent: at most, or at least with `older`. */
  age: Type.Optional(OneOf(['', '1', '7', '30', 'older'])),
  sort: Type.Optional(OneOf(MODERATION_SORTS)),
  /** Shows the page with all its boxes ticked. */
  choose: Type.Optional(OneOf(['all'])),
  ...pageParameters,
})
export type ModerationQuery = Static<typeof ModerationQuery>

/** What a pro says is wrong with a published review, and what the marketplace knows of the work. */
export interface OpenReport {
  readonly id: string
  readonly reason: ReportReason
  readonly words: string
  readonly createdAt: string
  /** What an operator answered to an earlier report of the review. */
  readonly earlierAnswer: string | null
  /** The booking that the review names, or the last visit of its job. */
  readonly booking: {
    readonly id: string
    readonly code: string
    readonly startsAt: string
    readonly status: string
    readonly paidCents: number
    /** Of what was paid; also what is on its way back. */
    readonly returnedCents: number
  } | null
  /** How many other bookings the author's address has with the pro. */
  readonly otherBookings: number
}

/** A review, and whether the pro has named its author's address as a team member's. */
export type ReviewToModerate = ProReview & { readonly isOfTeam: boolean; readonly report: OpenReport | null }
