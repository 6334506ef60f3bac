// The state of a request, as the quotes that answer it change it.
import type { Runner } from '../../../platform/postgres/database.ts'
import { type LockedRfq, lockLead, setRfqStatus } from '../queries.ts'

export type { LockedRfq }

/** A request of the pro, locked until the transaction ends; undefined when the pro has none with this id. */
export const lockRfq = (tx: Runner, professionalId: string, id: string): Promise<LockedRfq | undefined> =>
  lockLead(tx, professionalId, id)

/** Stores the state that a transition led to. */
export const saveRfqStatus = (tx: Runner, id: string, status: LockedRfq['status']): Promise<void> =>
  setRfqStatus(tx, id, status)
