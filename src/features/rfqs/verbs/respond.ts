// The part of answering a request that the verbs of quotes share: lock the request, then mark it as responded.
import { transition } from '../../../errors/transition.ts'
import type { Transaction } from '../../../platform/postgres/database.ts'
import { type LockedRfq, lockRfq, setRfqStatus } from '../queries.ts'
import { RFQ } from '../states.ts'
import { type ActingPro, rfqNotFound } from './rfqs.ts'

/** A request made to the pro, locked until the transaction ends. Throws rfq_not_found. */
export async function getRfqForUpdate(tx: Transaction, pro: ActingPro, id: string): Promise<LockedRfq> {
  const rfq = await lockRfq(tx, pro.professionalId, id)
  if (!rfq) throw rfqNotFound()
  return rfq
}

/** The state of a request after a quote. Throws invalid_transition for an archived request. */
export const checkRespond = ({ status }: LockedRfq): LockedRfq['status'] =>
  transition(RFQ, 'request for a quote', status, 'respond')

/** Marks a locked request as responded. Throws like {@link checkRespond}. */
export async function markResponded(tx: Transaction, rfq: LockedRfq): Promise<void> {
  const status = checkRespond(rfq)
  if (status !== rfq.status) await setRfqStatus(tx, rfq.id, status)
}

/** Archives a locked request that its customer gave up. Emits no event. Throws invalid_transition. */
export const archiveRequest = (tx: Transaction, { id, status }: Pick<LockedRfq, 'id' | 'status'>): Promise<void> =>
  setRfqStatus(tx, id, transition(RFQ, 'request for a quote', status, 'archive'))
