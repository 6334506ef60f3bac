// get_reviews: GET /reviews for a model, in shorter pages.
import { type Static, Type } from '@sinclair/typebox'

import { PageMeta } from '../../platform/schema/paging.ts'
import { Review, ReviewStats, type ReviewsPage, ReviewsQuery } from '../../features/reviews/reviews/schemas.ts'
import { getPro } from '../../features/search/pros/verbs/pros.ts'
import { listReviews } from '../../features/reviews/reviews/verbs/reviews.ts'
import { Integer } from '../../platform/schema/numbers.ts'
import { Nullable } from '../../platform/schema/types.ts'
import { nextPage, pick, truncate } from '../server/results.ts'
import { defineOpenTool, described } from '../server/tool.ts'

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20
const MAX_CONTENT = 600

const { professionalId, sort, offset } = ReviewsQuery.properties
const { id, rating, title, content, author, isVerified, createdAt } = Review.properties

const BriefReview = Type.Object({
  id,
  rating,
  title,
  content,
  author,
  isVerified,
  proResponse: Nullable(Type.String()),
  createdAt,
})

const { total, distribution } = ReviewStats.properties

const Mean = Nullable(Type.Number(), { description: 'Null without any score yet' })

/** Without the zeros that stand for no reviews and no scores, which a model would repeat as a bad mark. */
const KnownStats = Type.Object({
  average: Mean,
  total,
  breakdown: Type.Object({ punctuality: Mean, communication: Mean, quality: Mean, value: Mean }),
  distribution,
})

function knownStats({
  average,
  total,
  breakdown,
  scored,
  distribution,
}: ReviewsPage['stats']): Static<typeof KnownStats> {
  const mean = (score: keyof typeof breakdown) => (scored[score] === 0 ? null : breakdown[score])
  return {
    average: total === 0 ? null : average,
    total,
    breakdown: {
      punctuality: mean('punctuality'),
      communication: mean('communication'),
      quality: mean('quality'),
      value: mean('value'),
    },
    distribution,
  }
}

export const getReviews = defineOpenTool({
  name: 'get_reviews',
  title: 'Read reviews',
  description: 'Published reviews of a pro, with statistics.',
  access: 'read',
  quotes: 'reviews',
  input: Type.Object(
    {
      professionalId,
      sort: described(sort),
      limit: Type.Optional(Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
      offset,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    stats: KnownStats,
    reviews: Type.Array(BriefReview),
    meta: PageMeta,
  }),
  call: async (ctx, query) => {
    const text = await listReviews(ctx, { ...query, limit: query.limit ?? DEFAULT_LIMIT })
    const { stats, reviews, meta } = JSON.parse(text) as Static<typeof ReviewsPage>
    if (meta.total === 0) await getPro(ctx, { pro: query.professionalId })
    return {
      stats: knownStats(stats),
      reviews: reviews.map((review) =>
        pick(BriefReview, {
          ...review,
          content: truncate(review.content, MAX_CONTENT),
          proResponse: review.proResponse && truncate(review.proResponse.content, MAX_CONTENT),
        }),
      ),
      meta,
    }
  },
  next: ({ meta }) => nextPage(meta),
})
