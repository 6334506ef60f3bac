// The states of an agent task in metering. The database repeats them (state_transitions).
import type { Transitions } from '../../../transition.ts'

export type TaskState = 'reserved' | 'settled' | 'released'
export type TaskAction = 'reserve' | 'settle' | 'release'

/** Repeating an action for the same task changes nothing, because messages are delivered at least once. */
export const TASK: Transitions<TaskState, TaskAction> = {
  reserved: { reserve: 'reserved', settle: 'settled', release: 'released' },
  settled: { settle: 'settled' },
  released: { release: 'released' },
}
