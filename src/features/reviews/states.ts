// The life of a review. Drawn in ARCHITECTURE.md, repeated in the database (state_transitions).
import type { Transitions } from '../../errors/transition.ts'

export type ReviewState = 'pending' | 'approved' | 'rejected'

/** `approve` and `reject` are a moderator's; `respond` is the pro's, as often as they like. */
export type ReviewAction = 'approve' | 'reject' | 'respond'

export const REVIEW: Transitions<ReviewState, ReviewAction> = {
  pending: { approve: 'approved', reject: 'rejected' },
  approved: { respond: 'approved' },
  rejected: {},
}
