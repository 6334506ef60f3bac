// The lives of a request for a quote and of a quote. Drawn in ARCHITECTURE.md, repeated in the database.
import type { Transitions } from '../../errors/transition.ts'

export const RFQ_STATES = ['new', 'responded', 'archived'] as const
export type RfqState = (typeof RFQ_STATES)[number]

/** Both are the pro's: `respond` is to send a quote. */
export type RfqAction = 'respond' | 'archive'

export const RFQ: Transitions<RfqState, RfqAction> = {
  new: { respond: 'responded', archive: 'archived' },
  responded: { respond: 'responded', archive: 'archived' },
  archived: {},
}

export const QUOTE_STATES = ['draft', 'sent', 'viewed', 'accepted', 'declined', 'expired', 'superseded'] as const
export type QuoteState = (typeof QUOTE_STATES)[number]

/** `edit` and `send` are the pro's; `view`, `accept` and `decline` are the customer's; time and newer quotes do the rest. */
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
