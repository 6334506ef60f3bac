// Requests for quotes: made and listed by whoever has a key; listed, read and archived as leads by the pro.
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { IdempotencyContext, IdempotentResult } from '../../../idempotency/context.ts'
import { emit } from '../../../platform/queue/outbox.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { transition } from '../../../errors/transition.ts'
import {
  findLead,
  findMissing,
  insertRfq,
  listLeads as selectLeads,
  listRfqs as selectRfqs,
  lockLead,
  setRfqStatus,
} from '../queries.ts'
import type { Lead, LeadsQuery, NewRfq, RfqCreated, RfqList, RfqsQuery } from '../schemas.ts'
import { RFQ } from '../../quotes/states.ts'

/** A pro who acts on what is theirs. */
export interface ActingPro {
  accountId: string
  professionalId: string
}

/**
 * Asks a pro for a quote. Throws professional_not_found, service_not_found (any active service: a pro may quote for what
 * they do not list) and idempotency_mismatch. By which interface it comes does not matter to a retry.
 */
export const createRfq = (
  deps: Deps,
  asker: { accountId: string },
  wish: NewRfq,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<RfqCreated>> => {
  const { source: _, ...request } = wish
  return runIdempotently(
    deps,
    idempotency,
    { accountId: asker.accountId, operation: 'createRfq', request },
    async (tx) => {
      const missing = await findMissing(tx, wish)
      if (missing === 'professional') throw new AppError('professional_not_found', 'No pro has this id.')
      if (missing === 'service')
        throw new AppError('service_not_found', 'No service has this id. GET /api/v1/services lists them.')
      const now = deps.clock.now()
      const rfq = await insertRfq(tx, { id: deps.ids.uuid(), accountId: asker.accountId, wish, now })
      await emit(tx, {
        id: deps.ids.uuid(),
        type: 'rfq.created',
        professionalId: wish.professionalId,
        aggregateType: 'rfq',
        aggregateId: rfq.id,
        sequence: 1,
        object: rfq,
        createdAt: now,
      })
      return {
        success: true,
        rfq,
        nextSteps: [
          `${rfq.professional.businessName} has the request and answers with a quote.`,
          'The customer gets a link to the quote, and accepts or declines it there.',
          `GET /api/v1/rfqs?email=${encodeURIComponent(rfq.customer.email)} shows how it stands.`,
        ],
      }
    },
  )
}

/** Requests that this key's owner made for a customer: an e-mail address is no secret, so nobody else's are shown. */
export async function listRfqs({ read, clock }: Deps, accountId: string, query: RfqsQuery): Promise<RfqList> {
  const { total, items } = await selectRfqs(read, accountId, query, clock.now())
  return { rfqs: items, meta: pageMeta(total, query) }
}

/** Requests made to the pro. */
export async function listLeads({ read, clock }: Deps, pro: ActingPro, query: LeadsQuery): Promise<RfqList> {
  const { total, items } = await selectLeads(read, pro.professionalId, query, clock.now())
  return { rfqs: items, meta: pageMeta(total, query) }
}

/** A request made to the pro, with everything the customer said and the quotes so far. Throws rfq_not_found. */
export async function getLead({ read, clock }: Deps, pro: ActingPro, id: string): Promise<Lead> {
  const lead = await findLead(read, pro.professionalId, id, clock.now())
  if (!lead) throw noSuchRfq()
  return lead
}

/**
 * Puts a request away; a quote that was sent stays good. No event tells of it. Throws rfq_not_found, and
 * invalid_transition when it is archived already.
 */
export const archiveLead = ({ write, clock }: Deps, pro: ActingPro, id: string): Promise<Lead> =>
  write.begin('archiveLead', async (tx) => {
    const rfq = await lockLead(tx, pro.professionalId, id)
    if (!rfq) throw noSuchRfq()
    await setRfqStatus(tx, id, transition(RFQ, 'request for a quote', rfq.status, 'archive'))
    const archived = await findLead(tx, pro.professionalId, id, clock.now())
    if (!archived) throw noSuchRfq()
    return archived
  })

/** Also the answer for another pro's: whether that exists is not told. */
export const noSuchRfq = (): AppError =>
  new AppError('rfq_not_found', 'No request for a quote made to you has this id.')
