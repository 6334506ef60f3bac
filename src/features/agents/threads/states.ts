// The states of a run. docs/design/state-machines.md draws them, and the database repeats them.
import type { Transitions } from '../../../transition.ts'

export const RUN_STATES = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type RunState = (typeof RUN_STATES)[number]

/** A worker claims a run, again after another worker died; the deadline cancels it. */
export type RunAction = 'claim' | 'succeed' | 'fail' | 'cancel'

export const RUN: Transitions<RunState, RunAction> = {
  queued: { claim: 'running', cancel: 'cancelled' },
  running: { claim: 'running', succeed: 'succeeded', fail: 'failed', cancel: 'cancelled' },
  succeeded: {},
  failed: {},
  cancelled: {},
}

/** Returns whether the run has ended. */
export const hasEnded = (state: RunState): boolean => state !== 'queued' && state !== 'running'
