// The states of a file. docs/design/state-machines.md draws them; the table state_transitions repeats them in the database.
import type { Transitions } from '../../../transition.ts'

export const FILE_STATES = ['uploading', 'waiting', 'received', 'ready', 'refused'] as const
export type FileState = (typeof FILE_STATES)[number]

export const FILE_ACTIONS = ['receive', 'accept', 'refuse'] as const
export type FileAction = (typeof FILE_ACTIONS)[number]

/** A client is answered, and may use the file, from `received` on. */
export const FILE: Transitions<FileState, FileAction> = {
  uploading: { receive: 'received' },
  waiting: { receive: 'received' },
  received: { accept: 'ready', refuse: 'refused' },
  ready: {},
  refused: {},
}
