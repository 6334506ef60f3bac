// list_reviews: GET /pro/reviews for a model.
import { Type } from '@sinclair/typebox'

import { ProReview, ProReviewsQuery } from '../../features/reviews/reviews/schemas.ts'
import { listProReviews } from '../../features/reviews/reviews/verbs/reviews.ts'
import { PageMeta } from '../../platform/schema/paging.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { nextPage, page, pick, truncate, withDefaultLimit } from '../server/results.ts'
import { defineProTool } from '../server/tool.ts'

const MAX_CONTENT = 600

const { id, rating, title, content, author, isVerified, status, bookingId, createdAt } = ProReview.properties
const BriefReview = Type.Object({
  id,
  status,
  rating,
  title,
  content,
  author,
  isVerified,
  bookingId,
  answer: Nullable(Type.String()),
  createdAt,
})

export const listReviews = defineProTool({
  name: 'list_reviews',
  title: 'List reviews',
  description:
    'Reviews of your work, newest first, also those that wait for a moderator, with your answer. People answer on `answerPage`.',
  access: 'read',
  quotes: 'reviews',
  input: Type.Object({ status: ProReviewsQuery.properties.status, ...page }, { additionalProperties: false }),
  output: Type.Object({ reviews: Type.Array(BriefReview), answerPage: Type.String(), meta: PageMeta }),
  call: async (ctx, query) => {
    const { reviews, meta } = await listProReviews(ctx, withDefaultLimit(query))
    return {
      reviews: reviews.map((review) =>
        pick(BriefReview, {
          ...review,
          content: truncate(review.content, MAX_CONTENT),
          answer: review.proResponse && truncate(review.proResponse.content, MAX_CONTENT),
        }),
      ),
      answerPage: `${ctx.config.baseUrl}/console/reviews`,
      meta,
    }
  },
  next: ({ reviews, meta }) => (reviews.length === 0 ? 'No reviews.' : nextPage(meta)),
})
