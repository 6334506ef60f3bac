// The part of answering a request that the verbs of quotes share: lock the request, then mark it as responded.
import { transition } from '../../../../transition.ts'
import { type LockedRfq } from '../queries.ts'
import { lockRfq, markLost, selectAskedTogether, setRfqStatus } from '../queries.sql.ts'
import { RFQ } from '../states.ts'
import { type ActingPro, rfqNotFound } from './rfqs.ts'
import type { TxCtx } from '../../../../ctx.ts'

/** A request made to the pro, locked until the transaction ends. Throws rfq_not_found. */
export async function getRfqForUpdate(ctx: TxCtx<ActingPro>, { id }: { id: string }): Promise<LockedRfq> {
  const rfq = await lockRfq(ctx, { professionalId: ctx.actor.professionalId, id })
  if (!rfq) throw rfqNotFound()
  return rfq
}

/** The state of a request after a quote. Throws invalid_transition for an archived request. */
export const checkRespond = ({ status }: LockedRfq): LockedRfq['status'] =>
  transition(RFQ, 'request for a quote', status, 'respond')

/** Marks a locked request as responded. Throws like {@link checkRespond}. */
export async function markResponded(ctx: TxCtx, rfq: LockedRfq): Promise<void> {
  const status = checkRespond(rfq)
  if (status !== rfq.status) await setRfqStatus(ctx, { id: rfq.id, status })
}

/** Archives a locked request that its customer gave up. Emits no event. Throws invalid_transition. */
export const archiveRequest = (ctx: TxCtx, { id, status }: Pick<LockedRfq, 'id' | 'status'>): Promise<void> =>
  setRfqStatus(ctx, { id, status: transition(RFQ, 'request for a quote', status, 'archive') })

/** The requests that the customer of a request sent to other pros at once, in the order in which they are locked. */
export const listAskedTogether = (ctx: TxCtx, { id }: { id: string }) => selectAskedTogether(ctx, { id })

/** Records that the customer of a locked request chose another pro. */
export const recordLoss = (ctx: TxCtx, { id }: { id: string }): Promise<void> =>
  markLost(ctx, { id, now: ctx.clock.now() })
