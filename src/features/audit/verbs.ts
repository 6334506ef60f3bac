// The operators' audit log: written in the transaction of each action.
import type { Deps } from '../../deps.ts'
import type { Runner } from '../../platform/postgres/database.ts'
import { type AuditEntry, type OperatorAction, type OperatorId, insertEntry, selectEntries } from './queries.ts'

export type { AuditEntry, OperatorId }

export interface Action {
  action: OperatorAction
  /** What it was done to: the id of a review, payment or pro. */
  subjectId: string
  professionalId: string
  by: OperatorId
  reason?: string | null
  details?: Record<string, unknown>
}

/** Writes an entry of the audit log. */
export const recordAction = (
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  tx: Runner,
  { reason = null, details = {}, ...action }: Action,
): Promise<void> => insertEntry(tx, { id: ids.uuid(), at: clock.now(), reason, details, ...action })

const MAX_LISTED = 100

/** What operators did to a review, payment or pro, newest first. */
export const listActions = ({ write }: Pick<Deps, 'write'>, subjectId: string): Promise<AuditEntry[]> =>
  selectEntries(write, subjectId, MAX_LISTED)
