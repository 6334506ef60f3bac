// The states of an application to join. docs/design/state-machines.md draws them; the table state_transitions repeats them.
import type { Transitions } from '../../../transition.ts'

export const APPLICATION_STATES = ['draft', 'sent', 'asked', 'approved', 'refused'] as const
export type ApplicationState = (typeof APPLICATION_STATES)[number]

/** The applicant sends; operators cause all others. */
export type ApplicationAction = 'send' | 'ask' | 'approve' | 'refuse' | 'reopen'

/** While the applicant may withdraw it. What is decided stays as long as other records. */
export const MAY_BE_WITHDRAWN: ReadonlySet<ApplicationState> = new Set(['draft', 'sent', 'asked'])

export const APPLICATION: Transitions<ApplicationState, ApplicationAction> = {
  draft: { send: 'sent' },
  sent: { ask: 'asked', approve: 'approved', refuse: 'refused' },
  asked: { send: 'sent', refuse: 'refused' },
  approved: {},
  refused: { reopen: 'sent' },
}
