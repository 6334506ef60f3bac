// Records that others made with a customer’s e-mail address: the owner of the address says "this was not me".
import { SITE_EMAIL } from '../../../../auth/accounts/verbs.ts'
import type { CustomerCaller } from '../../../../auth/caller.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { tryRefund } from '../../../../payments/verbs/refunds.ts'
import { recordAction } from '../../../upkeep/audit/verbs.ts'
import { lockJobOfVisit } from '../../../booking/jobs/verbs/end-job.ts'
import { keepsPayment } from '../../../booking/bookings/rules/cancellation.ts'
import { endBooking, getBookingForUpdate } from '../../../booking/bookings/verbs/transitions.ts'
import { addNotice } from '../../../messages/notices/verbs.ts'
import { closeRequest } from '../../../quoting/quotes/verbs/close-request.ts'
import { withdrawReview } from '../../../reviews/reviews/verbs/proof.ts'
import { type PageQuery, pageMeta, pageOf } from '../../../../platform/schema/paging.ts'
import { type DisownedRow, selectDisowned } from '../queries/disowned.ts'
import {
  type Disowned,
  type ForeignMaker,
  lockRowToDisown,
  markDisowned,
  selectForeignMakers,
} from '../queries/makers.ts'

export type { DisownedRow, ForeignMaker }

/** Who made these bookings, requests or reviews, by id, of those that were not made by the signed-in owner of the address. */
export async function findForeignMakers(
  ctx: Ctx,
  { kind, ids }: { kind: Disowned['kind']; ids: readonly string[] },
): Promise<ReadonlyMap<string, ForeignMaker>> {
  if (ids.length === 0) return new Map()
  return new Map(
    (await selectForeignMakers(ctx, { kind, ids, siteEmail: SITE_EMAIL })).map(({ id, maker }) => [id, maker]),
  )
}

const REASON = 'The owner of the e-mail address did not make this booking.'

/**
 * Removes a booking from the list of the owner of the address, who did not make it, and notifies the pro. A booking that has
 * not started is cancelled, and its payment is refunded by the usual terms. Repeating it changes nothing. Throws
 * booking_not_found, and invalid_transition for a booking that the customer made while signed in.
 */
export async function disownBooking(ctx: Ctx<CustomerCaller>, { id }: { id: string }): Promise<void> {
  const now = ctx.clock.now()
  const refundId = await ctx.transaction('disownBooking', async (ctx) => {
    await lockJobOfVisit(ctx, { bookingId: id })
    if ((await lockRowToDisown(ctx, { kind: 'booking', id, customerEmail: ctx.actor.customerEmail }))?.isDisowned)
      return undefined
    const booking = await getBookingForUpdate(ctx, { access: { customerEmail: ctx.actor.customerEmail }, id, now })
    const { status, startsAt, professionalId } = booking
    await disown(ctx, { kind: 'booking', id, professionalId })
    const isAhead = status === 'pending' || (status === 'confirmed' && Date.parse(startsAt) > now.getTime())
    if (!isAhead) return undefined
    const terms = { reason: REASON, refund: 'cancelled', keep: keepsPayment(booking, now) } as const
    return await endBooking(ctx, { ...terms, booking, action: 'cancel' })
  })
  await tryRefund(ctx, { refundId })
}

/** The same for a request: it is closed, and its open quotes are declined. Throws rfq_not_found and invalid_transition. */
export const disownRequest = (ctx: Ctx<CustomerCaller>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('disownRequest', async (ctx) => {
    const request = await lockRowToDisown(ctx, { kind: 'request', id, customerEmail: ctx.actor.customerEmail })
    if (!request) throw new AppError('rfq_not_found', 'You have no request for a quote with this id.')
    if (request.isDisowned) return
    await disown(ctx, { kind: 'request', id, professionalId: request.professionalId })
    if (request.status !== 'archived') await closeRequest(ctx, { id, status: request.status })
  })

/**
 * The same for a review: it is published no more, and the same transaction updates the pro's rating and statistics. Throws
 * review_not_found and invalid_transition.
 */
export const disownReview = (ctx: Ctx<CustomerCaller>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('disownReview', async (ctx) => {
    const review = await lockRowToDisown(ctx, { kind: 'review', id, customerEmail: ctx.actor.customerEmail })
    if (!review) throw new AppError('review_not_found', 'You have no review with this id.')
    if (review.isDisowned) return
    await disown(ctx, { kind: 'review', id, professionalId: review.professionalId })
    await withdrawReview(ctx, { id, status: review.status })
  })

/** Records it for operators, and tells the pro. */
async function disown(ctx: TxCtx, it: Disowned & { professionalId: string }): Promise<void> {
  const { kind, id, professionalId } = it
  const pro = await markDisowned(ctx, { ...it, now: ctx.clock.now() })
  if (!pro)
    throw new AppError('invalid_transition', `You made this ${kind} while you were signed in.`, {
      extensions: { action: 'disown' },
    })
  await recordAction(ctx, {
    action: `${kind}.disowned`,
    subjectId: id,
    professionalId,
    by: null,
    details: { by: 'customer' },
  })
  if (pro.accountId !== null) await addNotice(ctx, { kind: `${kind}_disowned`, data: { id }, accountId: pro.accountId })
}

/** What customers disowned, for operators, the latest first. */
export async function listDisowned(ctx: Ctx, query: PageQuery) {
  const { total, rows } = await selectDisowned(ctx, pageOf(query))
  return { rows, meta: pageMeta(total, query) }
}
