// The states of a pro. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

/** Only active pros are found and take new bookings, requests and quotes. */
export type ProStatus = 'active' | 'paused'

/** The pro or an operator causes both; what an operator paused, only an operator resumes. */
export type ProAction = 'pause' | 'resume'

export const PRO: Transitions<ProStatus, ProAction> = {
  active: { pause: 'paused' },
  paused: { resume: 'active' },
}
