// POST /reviews, GET /reviews, POST /reviews/{id}/helpful; GET /pro/reviews, POST /pro/reviews/{id}/response.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { publicRead } from '../../auth/access.ts'
import { guard } from '../../http/guard.ts'
import { NOT_MODIFIED, problems, returns } from '../../http/responses.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json, publicJson } from '../../http/json.ts'
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
        return json(markReplayed(request, await submitReview(deps, caller, body, idempotency)), {
          status: 201,
        })
      },
      {
        withKey: ['reviews:write'],
        idempotent: true,
        body: NewReview,
        response: {
          201: returns('Kept for moderation', ReviewSubmitted),
          ...problems({ 404: 'No such pro' }),
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
        response: {
          200: returns('One page, and the figures of all', ReviewsPage),
          304: NOT_MODIFIED,
        },
        detail: { tags: ['Reviews'], summary: 'Published reviews of a pro' },
      },
    )
    .post(
      '/reviews/:id/helpful',
      async function postHelpfulVote({ params, body, caller }) {
        return json(await voteOnReview(deps, caller, params.id, body.helpful))
      },
      {
        withKey: ['reviews:write'],
        params: ReviewParams,
        body: HelpfulVote,
        response: {
          200: returns('What all votes come to', HelpfulAnswer),
          ...problems({ 404: 'No published review has this id' }),
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
        return json(await listProReviews(deps, caller, query))
      },
      {
        proKey: 'pro:read',
        query: ProReviewsQuery,
        response: { 200: returns('One page, newest first', ProReviewsPage) },
        detail: { tags: ['Pro reviews'], summary: 'The pro’s reviews, in any state' },
      },
    )
    .post(
      '/:id/response',
      async function postReviewResponse({ params, body, caller }) {
        return json({ review: await respondToReview(deps, caller, params.id, body.content) })
      },
      {
        proKey: 'pro:write',
        params: ReviewParams,
        body: NewResponse,
        response: {
          200: returns('The review with the response', ProReviewAnswer),
          ...problems({ 404: 'No review of this pro has this id', 409: 'The review is not published' }),
        },
        detail: {
          tags: ['Pro reviews'],
          summary: 'Answer a published review',
          description: 'One response per review: a later one takes its place.',
        },
      },
    )
