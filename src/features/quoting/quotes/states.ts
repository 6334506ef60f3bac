// The states of a quote. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export const QUOTE_STATES = ['draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'superseded'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/**
 * The pro causes `edit` and `send`; the customer causes `view`, `accept` and `decline`; time causes `expire`, a newer
 * quote `supersede`.
 */
export type QuoteAction = 'edit' | 'send' | 'view' | 'accept' | 'decline' | 'expire' | 'supersede'

export const QUOTE: Transitions<QuoteState, QuoteAction> = {
  draft: { edit: 'draft', send: 'sent' },
  sent: {
    view: 'viewed',
    accept: 'accepted',
    decline: 'declined',
    expire: 'expired',
    supersede: 'superseded',
  },
  viewed: { accept: 'accepted', decline: 'declined', expire: 'expired', supersede: 'superseded' },
  accepted: {},
  declined: {},
  expired: {},
  superseded: {},
}
