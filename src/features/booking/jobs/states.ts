// The states of a job. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export const JOB_STATES = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const
export type JobState = (typeof JOB_STATES)[number]

export const JOB_ACTIONS = ['start', 'complete', 'cancel'] as const
export type JobAction = (typeof JOB_ACTIONS)[number]

export const JOB: Transitions<JobState, JobAction> = {
  scheduled: { start: 'in_progress', complete: 'completed', cancel: 'cancelled' },
  in_progress: { complete: 'completed', cancel: 'cancelled' },
  completed: {},
  cancelled: {},
}
