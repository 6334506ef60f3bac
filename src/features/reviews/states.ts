// The states of a review. ARCHITECTURE.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../errors/transition.ts'

export type ReviewState = 'pending' | 'approved' | 'rejected'

/** A moderator causes `approve` and `reject`; the pro causes `respond`, any number of times. */
export type ReviewAction = 'approve' | 'reject' | 'respond'

export const REVIEW: Transitions<ReviewState, ReviewAction> = {
  pending: { approve: 'approved', reject: 'rejected' },
  approved: { respond: 'approved' },
  rejected: {},
}
