// submit_review: POST /reviews for a model, for work of the customer that is over.
import { Type } from '@sinclair/typebox'

import type { Caller } from '../../auth/caller.ts'
import type { Ctx } from '../../ctx.ts'
import { AppError } from '../../errors/app-error.ts'
import { NewReview, ReviewSubmitted } from '../../features/reviews/reviews/schemas.ts'
import { getReviewStatus, submitReview as submit } from '../../features/reviews/reviews/verbs/reviews.ts'
import { defineCustomerTool } from '../server/tool.ts'
import { bookingFields, getNamedBooking, getNamedRequest, isMailedBooking, requestFields } from './whose-booking.ts'

const { rating, title, content } = NewReview.properties

export const submitReview = defineCustomerTool({
  name: 'submit_review',
  title: 'Review a pro',
  description:
    'Review finished work in the customer’s own words, after they agreed to the text: a visit by manageUrl or bookingId, a job by the requestUrl or rfqId of its quote. It may be moderated; published with first name and initial.',
  access: 'write',
  quotes: 'names',
  hints: { destructive: false, idempotent: true, openWorld: true },
  idempotent: true,
  input: Type.Object({ ...bookingFields, ...requestFields, rating, title, content }, { additionalProperties: false }),
  output: Type.Object({ review: ReviewSubmitted.properties.review, needsConfirmation: Type.Boolean() }),
  call: async (ctx, { manageUrl, bookingId, requestUrl, rfqId, ...text }) => {
    const named = {
      ...(manageUrl === undefined ? {} : { manageUrl }),
      ...(bookingId === undefined ? {} : { bookingId }),
      ...(requestUrl === undefined ? {} : { requestUrl }),
      ...(rfqId === undefined ? {} : { rfqId }),
    }
    const work = await workOf(ctx, named)
    // Its link proves the customer only if it came by mail.
    const isProven =
      ctx.actor.customer?.customerEmail === work.customer.email ||
      (manageUrl !== undefined && isMailedBooking(ctx, manageUrl))
    const review = { ...work, ...text, source: 'agent' } as const
    const value = await submit(ctx.as({ ...ctx.actor, isProven }), review)
    const sent = { ...value.review, status: await getReviewStatus(ctx, { id: value.review.id }) }
    return { review: sent, needsConfirmation: !isProven }
  },
  next: ({ review: { status }, needsConfirmation }) => {
    if (status !== 'pending') return undefined
    const proof = needsConfirmation
      ? ' They get an e-mail with a link: only once they open it the review counts as verified.'
      : ''
    return `Thank the person. The review waits: it is not published yet.${proof}`
  },
})

interface Named {
  manageUrl?: string
  bookingId?: string
  requestUrl?: string
  rfqId?: string
}

/** The pro, the work and its customer. Throws booking_not_found, rfq_not_found, job_not_found and validation_failed. */
async function workOf(
  ctx: Ctx<Caller>,
  { requestUrl, rfqId, ...named }: Named,
): Promise<Pick<NewReview, 'professionalId' | 'customer' | 'bookingId' | 'projectId'>> {
  if (requestUrl === undefined && rfqId === undefined) {
    const { booking } = await getNamedBooking(ctx, named)
    return { professionalId: booking.professional.id, customer: booking.customer, bookingId: booking.id }
  }
  const link = requestUrl === undefined ? {} : { requestUrl }
  const { rfq, quotes } = await getNamedRequest(ctx, rfqId === undefined ? link : { ...link, rfqId })
  const projectId = quotes.find(({ jobId }) => jobId !== null)?.jobId
  if (!projectId) throw new AppError('job_not_found', 'No quote of this request was accepted, so there is no job yet.')
  return { professionalId: rfq.professional.id, customer: rfq.customer, projectId }
}
