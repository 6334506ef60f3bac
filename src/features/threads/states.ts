// The life of a run. Drawn in ARCHITECTURE.md, repeated in the database.
import type { Transitions } from '../../errors/transition.ts'

export const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type RunState = (typeof RUN_STATES)[number]

/** `take` is a worker's, again after another one died over the run; `cancel` is time's. */
export type RunAction = 'take' | 'succeed' | 'fail' | 'cancel'

export const RUN: Transitions<RunState, RunAction> = {
  queued: { take: 'running', cancel: 'cancelled' },
  running: { take: 'running', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  succeeded: {},
  failed: {},
  cancelled: {},
}

/** Whether the run has come to its end. */
export const isOver = (state: RunState): boolean => state !== 'queued' && state !== 'running'
