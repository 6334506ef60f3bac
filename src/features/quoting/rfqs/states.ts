// The states of a request for a quote. docs/design/state-machines.md draws them; the table state_transitions repeats them.
import type { Transitions } from '../../../transition.ts'

export const RFQ_STATES = ['new', 'responded', 'archived'] as const
export type RfqState = (typeof RFQ_STATES)[number]

/** The pro causes both; `respond` is to send a quote. */
export type RfqAction = 'respond' | 'archive'

export const RFQ: Transitions<RfqState, RfqAction> = {
  new: { respond: 'responded', archive: 'archived' },
  responded: { respond: 'responded', archive: 'archived' },
  archived: {},
}
