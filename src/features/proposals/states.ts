// The life of a proposal. Drawn in ARCHITECTURE.md, repeated in the database (state_transitions).
import type { Transitions } from '../../errors/transition.ts'

export const PROPOSAL_STATES = ['open', 'confirmed', 'dismissed', 'expired', 'conflict'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** `confirm` and `dismiss` are the pro's; `conflict` is a confirmation that came too late; time does the rest. */
export type ProposalAction = 'confirm' | 'dismiss' | 'conflict' | 'expire'

export const PROPOSAL: Transitions<ProposalState, ProposalAction> = {
  open: { confirm: 'confirmed', dismiss: 'dismissed', conflict: 'conflict', expire: 'expired' },
  confirmed: {},
  dismissed: {},
  expired: {},
  conflict: {},
}
