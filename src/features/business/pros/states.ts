// The states of a pro. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

/** Only active pros are found and take new bookings, requests and quotes. */
export type ProStatus = 'active' | 'paused' | 'closed'

/**
 * The pro or an operator causes all but `reopen`, which only an operator does, until the pro is erased. What an operator paused, only an
 * operator resumes.
 */
export type ProAction = 'pause' | 'resume' | 'close' | 'reopen'

export const PRO: Transitions<ProStatus, ProAction> = {
  active: { pause: 'paused', close: 'closed' },
  paused: { resume: 'active', close: 'closed' },
  closed: { reopen: 'paused' },
}
