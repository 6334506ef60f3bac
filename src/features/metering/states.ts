// The life of an agent task, as far as it is counted. Repeated in the database (state_transitions).
import type { Transitions } from '../../errors/transition.ts'

export type TaskState = 'reserved' | 'settled' | 'released'
export type TaskAction = 'reserve' | 'settle' | 'release'

/** What is done again under the same task id changes nothing: messages come more than once. */
export const TASK: Transitions<TaskState, TaskAction> = {
  reserved: { reserve: 'reserved', settle: 'settled', release: 'released' },
  settled: { settle: 'settled' },
  released: { release: 'released' },
}
