// The proof that a review is by the owner of its e-mail address: a link that goes to the address.
import { type Actor, refuseOwnBusiness } from '../../../../auth/accounts/verbs.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { transition } from '../../../../transition.ts'
import { planMessage } from '../../../messages/messages/verbs/plan-message.ts'
import { type ReviewToConfirm, lockReviewedWork, saveProven, saveWithdrawn } from '../queries/proof.ts'
import { findReviewToConfirm } from '../queries/proof.sql.ts'
import type { ReviewedPro } from '../queries/reviews.ts'
import type { NewReview, ProReview } from '../schemas.ts'
import { publishVerified } from './publish.ts'
import { closeReport } from './reports.ts'
import { REVIEW, type ReviewState } from '../states.ts'

const PURPOSE = 'review'

/** Asks the owner of the address by mail whether they wrote the review. */
export async function askForProof(
  ctx: TxCtx,
  { id, professional, input }: { id: string; professional: ReviewedPro; input: NewReview },
): Promise<void> {
  const { customer, rating, title = null, content } = input
  const token = ctx.encryption.linkToken(PURPOSE, id, { isMailed: true })
  const data = { pro: professional.businessName, customer: customer.name, rating, title, content }
  await planMessage(ctx, {
    kind: 'review-confirmation',
    to: customer.email,
    data: { ...data, confirmUrl: `${ctx.config.baseUrl}/reviews/${token}` },
    key: `review-confirmation:${id}`,
    professionalId: professional.id,
    customerEmail: customer.email,
    ...(input.bookingId ? { bookingId: input.bookingId } : {}),
  })
}

/** The review of a mailed link. Throws review_not_found. */
export async function getReviewToConfirm(ctx: Ctx, { token }: { token: string }): Promise<ReviewToConfirm> {
  const id = ctx.encryption.readLinkToken(PURPOSE, token, ctx.clock.now())?.id
  const review = id === undefined ? undefined : await findReviewToConfirm(ctx, { id })
  if (!review)
    throw new AppError('review_not_found', 'No review has this link. Open the link exactly as you received it.')
  return review
}

/** The author confirms a review by the mailed link, which verifies it if it is of completed work. Throws review_not_found and own_business. */
export async function confirmReview(ctx: Ctx<Actor>, { token }: { token: string }): Promise<void> {
  const { id, professionalId } = await getReviewToConfirm(ctx, { token })
  await ctx.transaction('confirmReview', async (ctx) => {
    await refuseOwnBusiness(ctx, { professionalId })
    await lockReviewedWork(ctx, { id })
    await saveProven(ctx, { id, now: ctx.clock.now() })
    await publishVerified(ctx, { id })
  })
}

const DISOWNED = 'The owner of the e-mail address did not write this review.'

/** Ends a locked review that the owner of its address disowns, and the report of it. A rejected one stays as it is. Emits no event. */
export async function withdrawReview(ctx: TxCtx, { id, status }: { id: string; status: ReviewState }): Promise<void> {
  if (status === 'rejected') return
  const next = transition(REVIEW, 'review', status, 'disown')
  await saveWithdrawn(ctx, { id, status: next, reason: DISOWNED, now: ctx.clock.now() })
  await closeReport(ctx, { reviewId: id, outcome: 'taken_down', answer: DISOWNED, by: null })
}

/** Tells the author, who has shown that the address is theirs, that an operator took the review down, and why. */
export async function tellTakenDown(
  ctx: TxCtx,
  { record, email, reason }: { record: ProReview; email: string; reason: string },
): Promise<void> {
  const url = `${ctx.config.baseUrl}/pros/${record.professional.slug}`
  await planMessage(ctx, {
    kind: 'review-taken-down',
    to: email,
    data: { pro: record.professional.businessName, content: record.content, reason, url },
    key: `review-taken-down:${record.id}`,
    professionalId: record.professional.id,
    customerEmail: email,
  })
}
