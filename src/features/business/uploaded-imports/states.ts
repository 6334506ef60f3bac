// The states of an uploaded import. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export const IMPORT_STATES = ['uploading', 'uploaded', 'checked', 'running', 'done', 'failed'] as const
export type ImportState = (typeof IMPORT_STATES)[number]

export const IMPORT_ACTIONS = ['receive', 'check', 'start', 'finish', 'fail'] as const
export type ImportAction = (typeof IMPORT_ACTIONS)[number]

/** A file whose dry run is over waits until an operator starts it. */
export const IMPORT: Transitions<ImportState, ImportAction> = {
  uploading: { receive: 'uploaded' },
  uploaded: { check: 'checked', fail: 'failed' },
  checked: { start: 'running' },
  running: { finish: 'done', fail: 'failed' },
  done: {},
  failed: {},
}
