// The /reviews and /pro/reviews routes.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { publicRead } from '../../../auth/access.ts'
import { checkOwnAddress } from '../../../auth/caller.ts'
import { guard } from '../../../http/guard.ts'
import { NOT_MODIFIED, problems, returns } from '../../../http/responses.ts'
import { publicJson } from '../../../http/json.ts'
import {
  HelpfulAnswer,
  HelpfulVote,
  NewResponse,
  NewReview,
  ProReviewAnswer,
  ProReviewsPage,
  ProReviewsQuery,
  ReviewParams,
  ReviewSubmitted,
  ReviewsPage,
  ReviewsQuery,
} from './schemas.ts'
import { listProReviews, listReviews, respondToReview, submitReview, voteOnReview } from './verbs/reviews.ts'

export const reviewRoutes = (deps: Deps) =>
  new Elysia({ name: 'reviews' })
    .use(guard(deps))
    .post(
      '/reviews',
      async function postReview({ ctx, body, caller, status }) {
        checkOwnAddress(caller, 'body.customer.email', body.customer.email)
        return status(201, await submitReview(ctx.as({ ...caller, isProven: caller.customer !== null }), body))
      },
      {
        withKey: ['reviews:write'],
        idempotent: true,
        body: NewReview,
        response: {
          201: returns('Submitted for moderation', ReviewSubmitted),
          ...problems({
            403: 'The review is by the business itself, or by a customer who is blocked',
            404: 'The pro does not exist',
          }),
        },
        detail: {
          tags: ['Reviews'],
          summary: 'Submit a review',
          description:
            'A moderator approves the review before it is published, unless verified ones are published at once. A customer can review each booking or job once, and the pro once without either; a second review is a 400 `duplicate_review`, unless the first was rejected. A booking can be reviewed after its visit and a job once it is completed (before: 400 `review_too_early`), but no cancelled one and no booking that was a no-show (400 `no_visit_to_review`). The review of a booking or job of the same customer (by e-mail address) is verified once the pro has completed it and the customer has confirmed the review by the link in a mail; for an app that the customer connected, without the mail. Work that the pro’s own account booked never verifies a review. The owner and the console users of a business cannot review it, nor can a key of its account: 403 `own_business`. A review by the address of a team member is marked for the moderator.',
        },
      },
    )
    .get(
      '/reviews',
      async function getReviews({ ctx, request, query }) {
        return publicJson(ctx, request, await listReviews(ctx, query))
      },
      {
        access: {
          ...publicRead('availability:read', 'reviews:read', 'widget:public'),
          requiredQuery: ['professionalId'],
        },
        query: ReviewsQuery,
        response: {
          200: returns('One page, and statistics of all reviews', ReviewsPage),
          304: NOT_MODIFIED,
        },
        detail: { tags: ['Reviews'], summary: 'List the published reviews of a pro' },
      },
    )
    .post(
      '/reviews/:id/helpful',
      async function postHelpfulVote({ ctx, params, body }) {
        return await voteOnReview(ctx, { reviewId: params.id, helpful: body.helpful })
      },
      {
        withKey: ['reviews:write'],
        idempotent: true,
        params: ReviewParams,
        body: HelpfulVote,
        response: {
          200: returns('The votes of all accounts', HelpfulAnswer),
          ...problems({ 404: 'No published review has this id' }),
        },
        detail: {
          tags: ['Reviews'],
          summary: 'Vote on whether a review helped',
          description: 'One vote per account; a later vote replaces it.',
        },
      },
    )

export const proReviewRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-reviews', prefix: '/pro/reviews' })
    .use(guard(deps))
    .get(
      '',
      async function listOwnReviews({ ctx, query }) {
        return await listProReviews(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: ProReviewsQuery,
        response: { 200: returns('One page, newest first', ProReviewsPage) },
        detail: { tags: ['Pro reviews'], summary: 'List the pro’s reviews in any state' },
      },
    )
    .post(
      '/:id/response',
      async function postReviewResponse({ ctx, params, body }) {
        const responded = await respondToReview(ctx, { id: params.id, content: body.content })
        return { review: responded }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: ReviewParams,
        body: NewResponse,
        response: {
          200: returns('The review with the response', ProReviewAnswer),
          ...problems({ 404: 'This pro has no review with this id', 409: 'The review is not published' }),
        },
        detail: {
          tags: ['Pro reviews'],
          summary: 'Respond to a published review',
          description: 'One response per review; a later response replaces it.',
        },
      },
    )
