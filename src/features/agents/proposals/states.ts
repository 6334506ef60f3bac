// The states of a proposal. docs/design/state-machines.md draws them, and the database repeats them (state_transitions).
import type { Transitions } from '../../../transition.ts'

export const PROPOSAL_STATES = ['open', 'confirmed', 'dismissed', 'expired', 'conflict'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** The pro confirms and dismisses; `conflict` is a confirmation after the content changed; time expires. */
export type ProposalAction = 'confirm' | 'dismiss' | 'conflict' | 'expire'

export const PROPOSAL: Transitions<ProposalState, ProposalAction> = {
  open: { confirm: 'confirmed', dismiss: 'dismissed', conflict: 'conflict', expire: 'expired' },
  confirmed: {},
  dismissed: {},
  expired: {},
  conflict: {},
}
