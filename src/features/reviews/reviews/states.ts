// The states of a review. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export type ReviewState = 'pending' | 'approved' | 'rejected'

/**
 * A moderator causes `approve` and `reject`, and `take_down` of what was published; the pro causes `respond`, any number of times;
 * the owner of the e-mail address, who did not write the review, causes `disown`. The policy of the marketplace may cause `approve`.
 */
export type ReviewAction = 'approve' | 'reject' | 'take_down' | 'respond' | 'disown'

export const REVIEW: Transitions<ReviewState, ReviewAction> = {
  pending: { approve: 'approved', reject: 'rejected', disown: 'rejected' },
  approved: { take_down: 'rejected', respond: 'approved', disown: 'rejected' },
  rejected: {},
}
