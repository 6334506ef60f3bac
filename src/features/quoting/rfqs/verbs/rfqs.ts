// Requests for quotes: created and listed by callers with a key; listed, read and archived as leads by the pro.
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import type { AddressProof } from '../../../../auth/address-proof.ts'
import type { CustomerCaller } from '../../../../auth/caller.ts'
import { AppError, invalidField } from '../../../../errors/app-error.ts'
import { customerBlocked } from '../../../customers/operator-customers/rules/blocked.ts'
import { transition } from '../../../../transition.ts'
import { runIdempotently } from '../../../../idempotency/verbs.ts'
import { emit } from '../../../../platform/queue/outbox.ts'
import { pageMeta } from '../../../../platform/schema/paging.ts'
import { serviceNotOffered } from '../../../catalog/services/verbs/not-offered.ts'
import { shownPhoto, storedPhoto, usePhotos } from '../../../files/files/verbs/photos.ts'
import { customerUrl, isLinkValid } from '../../quotes/verbs/link-tokens.ts'
import { listOpenQuestions, readAnswers } from './answers.ts'
import { findLead, insertRfq, listLeads as selectLeads, listRfqs as selectRfqs } from '../queries.ts'
import { findAskedPro, lockRfq, setRfqStatus } from '../queries.sql.ts'
import type { Lead, LeadList, LeadsQuery, NewRfq, RfqCreated, RfqList, RfqReceipt, RfqsQuery } from '../schemas.ts'
import { RFQ } from '../states.ts'

/** The pro who acts, and the account of the key or login. */
export interface ActingPro {
  accountId: string
  professionalId: string
}

/** The account of the request, and how its customer proved their address. */
interface Asking {
  accountId: string
  addressProof?: AddressProof
}

/** How many pros besides the first can be asked at once. */
export const MOST_OTHERS = 4

/**
 * Asks a pro for a quote, and the pros of `others` (ids) at once: each gets a request of its own. The answer is that of the first. Throws professional_not_found, customer_blocked, service_not_found for a service that a pro does not offer, validation_failed for a day in
 * the past and an answer that no question has, and idempotency_mismatch. `source` is not part of the idempotent request.
 */
export const createRfq = (ctx: Ctx<Asking>, input: NewRfq & { others?: readonly string[] }): Promise<RfqCreated> => {
  const { source: _, ...request } = input
  const { others = [], ...asked } = input
  const { accountId } = ctx.actor
  return runIdempotently(ctx, { accountId, operation: 'createRfq', request }, async (ctx) => {
    const answers = await readAnswers(ctx, asked)
    const photos = (asked.photos ?? []).map((url) => storedPhoto(ctx, { url }))
    const id = ctx.ids.uuid()
    const askedTogether = others.length === 0 ? null : id
    const rfq = await insertRequest(ctx, { id, askedTogether, input: { ...asked, photos, answers } })
    await usePhotos(ctx, { urls: photos, accountId, purpose: 'request', by: { rfqId: id }, path: 'body.photos' })
    for (const professionalId of others.toSorted())
      await insertRequest(ctx, {
        id: ctx.ids.uuid(),
        askedTogether,
        input: { ...asked, photos, answers, professionalId },
      })
    const open = await listOpenQuestions(ctx, { serviceId: asked.serviceId, answers })
    return {
      success: true,
      rfq,
      nextSteps: [
        `${rfq.professional.businessName} has received the request and will send a quote.`,
        'The customer gets a link to the quote, to accept or decline it.',
        `GET /api/v1/rfqs?email=${encodeURIComponent(rfq.customer.email)} shows the state of the request.`,
        ...(open.length > 0 ? [`The pro may ask the customer: ${open.join(' ')}`] : []),
      ],
    }
  })
}

async function insertRequest(
  ctx: TxCtx<Asking>,
  { id, askedTogether, input }: { id: string; askedTogether: string | null; input: NewRfq },
): Promise<RfqReceipt> {
  const now = ctx.clock.now()
  const { accountId, addressProof } = ctx.actor
  const pro = await findAskedPro(ctx, { ...input, email: input.customer.email, accountId, now })
  if (!pro) throw new AppError('professional_not_found', 'No pro has this id.')
  if (pro.isBlocked) throw customerBlocked()
  if (!pro.offersService) throw await serviceNotOffered(ctx, input)
  if (input.preferredDate && input.preferredDate < pro.today)
    throw invalidField('body.preferredDate', 'must not be in the past')
  const isProven = addressProof === 'proven'
  const rfq = await insertRfq(ctx, { id, askedTogether, accountId, isProven, input, now })
  await emit(ctx.tx, {
    id: ctx.ids.uuid(),
    type: 'rfq.created',
    professionalId: input.professionalId,
    aggregateType: 'rfq',
    aggregateId: rfq.id,
    sequence: 1,
    object: rfq,
    createdAt: now,
  })
  return rfq
}

/**
 * The account's requests for a customer; of a signed-in customer all with their address. An e-mail address is no secret, so an
 * account is shown no requests of others.
 */
export async function listRfqs(ctx: Ctx<{ accountId: string } | CustomerCaller>, query: RfqsQuery): Promise<RfqList> {
  const filter = 'customerEmail' in ctx.actor ? { ...query, email: ctx.actor.customerEmail } : query
  const accountId = 'customerEmail' in ctx.actor ? null : ctx.actor.accountId
  const { total, items } = await selectRfqs(ctx, { ...filter, accountId, now: ctx.clock.now() })
  const rfqs = items.map(({ rfq, answerable }) => ({ ...rfq, customerUrl: answerable && linkOf(ctx, answerable) }))
  return { rfqs, meta: pageMeta(total, query) }
}

/** The customer's link to a quote, as long as it works. */
function linkOf(ctx: Ctx, { id, validUntil }: { id: string; validUntil: string }): string | null {
  const until = new Date(validUntil)
  return isLinkValid(ctx, { validUntil: until }) ? customerUrl(ctx, { quoteId: id, validUntil: until }) : null
}

/** Requests made to the pro, of those that contain `text`: a name, an e-mail address, a phone number or words of the request. */
export async function listLeads(
  ctx: Ctx<ActingPro>,
  query: LeadsQuery & { text?: string | undefined },
): Promise<LeadList> {
  const { total, items } = await selectLeads(ctx, {
    ...query,
    professionalId: ctx.actor.professionalId,
    now: ctx.clock.now(),
  })
  return { rfqs: items, meta: pageMeta(total, query) }
}

/** A request made to the pro, with all details and its quotes. Throws rfq_not_found. */
export async function getLead(ctx: Ctx<ActingPro>, { id }: { id: string }): Promise<Lead> {
  const lead = await findLead(ctx, { professionalId: ctx.actor.professionalId, id, now: ctx.clock.now() })
  if (!lead) throw rfqNotFound()
  return { ...lead, photos: lead.photos.map((url) => shownPhoto(ctx, { url })) }
}

/** Archives a request; sent quotes stay valid. Emits no event. Throws rfq_not_found and invalid_transition. */
export const archiveLead = (ctx: Ctx<ActingPro>, { id }: { id: string }): Promise<Lead> =>
  runIdempotently(ctx, { accountId: ctx.actor.accountId, operation: 'archiveLead', request: { id } }, async (ctx) => {
    const rfq = await lockRfq(ctx, { professionalId: ctx.actor.professionalId, id })
    if (!rfq) throw rfqNotFound()
    await setRfqStatus(ctx, { id, status: transition(RFQ, 'request for a quote', rfq.status, 'archive') })
    const archived = await findLead(ctx, { professionalId: ctx.actor.professionalId, id, now: ctx.clock.now() })
    if (!archived) throw rfqNotFound()
    return archived
  })

/** The same for a request that does not exist and one made to another pro. */
export const rfqNotFound = (): AppError =>
  new AppError('rfq_not_found', 'You have no request for a quote with this id.')
