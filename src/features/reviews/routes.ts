// POST /reviews, GET /reviews, POST /reviews/{id}/helpful; GET /pro/reviews, POST /pro/reviews/{id}/response.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { proKey, publicRead, withKey } from '../../auth/access.ts'
import { callerOf, guard } from '../../http/guard.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { NOT_MODIFIED, json, publicJson } from '../../http/json.ts'
import { proOf } from '../../auth/pro-caller.ts'
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
import { listProReviews, listReviews, respondToReview, submitReview, voteOnReview } from './verbs.ts'

export const reviewRoutes = (deps: Deps) =>
  new Elysia({ name: 'reviews' })
    .use(guard(deps))
    .post(
      '/reviews',
      async function postReview({ body, caller, idempotency, request }) {
        return json(markReplayed(request, await submitReview(deps, callerOf(caller), body, idempotency)), {
          status: 201,
        })
      },
      {
        access: withKey('reviews:write'),
        idempotent: true,
        body: NewReview,
        answers: {
          201: { description: 'Kept for moderation', schema: ReviewSubmitted },
          404: { description: 'No such pro' },
        },
        detail: {
          tags: ['Reviews'],
          summary: 'Submit a review',
          description:
            'It is published once a moderator has approved it. One per customer, pro and booking (or job, or neither): another is a 400 `duplicate_review`. It is verified when it names a completed booking or job of the same customer (by e-mail address) with the pro.',
        },
      },
    )
    .get(
      '/reviews',
      async function getReviews({ request, query }) {
        return publicJson(request, await listReviews(deps, query))
      },
      {
        access: {
          ...publicRead('availability:read', 'reviews:read', 'widget:public'),
          requiredQuery: ['professionalId'],
        },
        query: ReviewsQuery,
        answers: {
          200: { description: 'One page, and the figures of all', schema: ReviewsPage },
          304: NOT_MODIFIED,
        },
        detail: { tags: ['Reviews'], summary: 'Published reviews of a pro' },
      },
    )
    .post(
      '/reviews/:id/helpful',
      async function postHelpfulVote({ params, body, caller }) {
        return json(await voteOnReview(deps, callerOf(caller), params.id, body.helpful))
      },
      {
        access: withKey('reviews:write'),
        params: ReviewParams,
        body: HelpfulVote,
        answers: {
          200: { description: 'What all votes come to', schema: HelpfulAnswer },
          404: { description: 'No published review has this id' },
        },
        detail: {
          tags: ['Reviews'],
          summary: 'Say whether a review helped',
          description: 'One vote per account: a later one takes its place.',
        },
      },
    )

export const proReviewRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-reviews', prefix: '/pro/reviews' })
    .use(guard(deps))
    .get(
      '',
      async function listOwnReviews({ query, caller }) {
        return json(await listProReviews(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: ProReviewsQuery,
        answers: { 200: { description: 'One page, newest first', schema: ProReviewsPage } },
        detail: { tags: ['Pro reviews'], summary: 'The pro’s reviews, in any state' },
      },
    )
    .post(
      '/:id/response',
      async function postReviewResponse({ params, body, caller }) {
        return json({ review: await respondToReview(deps, proOf(caller), params.id, body.content) })
      },
      {
        access: proKey('pro:write'),
        params: ReviewParams,
        body: NewResponse,
        answers: {
          200: { description: 'The review with the response', schema: ProReviewAnswer },
          404: { description: 'No review of this pro has this id' },
          409: { description: 'The review is not published' },
        },
        detail: {
          tags: ['Pro reviews'],
          summary: 'Answer a published review',
          description: 'One response per review: a later one takes its place.',
        },
      },
    )
