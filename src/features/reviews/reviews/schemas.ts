// The schemas of reviews (spec §2 and §4.4).
import { type Static, Type } from '@sinclair/typebox'

import { Integer, Natural } from '../../../platform/schema/numbers.ts'
import {
  Email,
  FreeText,
  HttpUrl,
  Instant,
  Name,
  Nullable,
  OneOf,
  Text,
  Uri,
  Uuid,
} from '../../../platform/schema/types.ts'
import { Source } from '../../booking/bookings/schemas.ts'
import { PageMeta, pageParameters } from '../../../platform/schema/paging.ts'

const Stars = (description?: string) => Integer({ minimum: 1, maximum: 5, ...(description ? { description } : {}) })

export const ScoreBreakdown = Type.Object(
  { punctuality: Type.Number(), communication: Type.Number(), quality: Type.Number(), value: Type.Number() },
  {
    $id: 'ScoreBreakdown',
    description: 'The mean of each score over the reviews that give it; 0 if none does: see `scored`',
  },
)

export const ScoreCounts = Type.Object(
  { punctuality: Natural(), communication: Natural(), quality: Natural(), value: Natural() },
  { $id: 'ScoreCounts', description: 'How many reviews give each score; with 0 its mean says nothing' },
)

const SCORES = ['punctuality', 'communication', 'quality', 'value'] as const

export const MAX_PHOTOS = 10

export const NewReview = Type.Object(
  {
    professionalId: Uuid(),
    projectId: Type.Optional(Nullable(Uuid({ description: 'The reviewed job' }))),
    bookingId: Type.Optional(Nullable(Uuid({ description: 'The reviewed booking' }))),
    rating: Stars(),
    title: Type.Optional(Nullable(Name())),
    content: FreeText({ minLength: 1 }),
    customer: Type.Object(
      {
        name: Name({ description: 'Published as first name and initial' }),
        email: Email({ description: 'Never shown' }),
      },
      { additionalProperties: false },
    ),
    scores: Type.Optional(
      Nullable(
        Type.Object(
          {
            punctuality: Type.Optional(Stars()),
            quality: Type.Optional(Stars()),
            communication: Type.Optional(Stars()),
            value: Type.Optional(Stars()),
          },
          { additionalProperties: false, description: 'A missing score does not count' },
        ),
      ),
    ),
    photos: Type.Optional(Type.Array(HttpUrl(), { maxItems: MAX_PHOTOS })),
    source: Type.Optional(Source),
  },
  { $id: 'NewReview', additionalProperties: false },
)
export type NewReview = Static<typeof NewReview>

const STATUSES = ['pending', 'approved', 'rejected'] as const

const ReviewedPro = Type.Object({ id: Type.String(), slug: Type.String(), businessName: Type.String() })

export const ReviewSubmitted = Type.Object(
  {
    success: Type.Boolean(),
    message: Type.String(),
    review: Type.Object({
      id: Type.String(),
      status: OneOf(STATUSES),
      rating: Stars(),
      title: Nullable(Type.String()),
      professional: ReviewedPro,
    }),
    nextSteps: Type.Array(Type.String()),
  },
  { $id: 'ReviewSubmitted' },
)
export type ReviewSubmitted = Static<typeof ReviewSubmitted>

const HelpfulCounts = Type.Object({ yes: Natural(), no: Natural() }, { $id: 'HelpfulCounts' })

const reviewFields = {
  id: Type.String(),
  rating: Stars(),
  title: Nullable(Type.String()),
  content: Type.String(),
  scores: Type.Object(
    { punctuality: Stars(), communication: Stars(), quality: Stars(), value: Stars() },
    { description: 'A score that was not given is shown as the rating' },
  ),
  scoresGiven: Type.Array(OneOf(SCORES), { description: 'The scores that the customer gave: those that count' }),
  author: Type.String({ description: 'First name and initial: “Maria G.”' }),
  isVerified: Type.Boolean({
    description: 'The review is of a booking or job that the pro completed for this customer',
  }),
  helpful: HelpfulCounts,
  photos: Type.Array(Type.Object({ url: Uri(), caption: Nullable(Type.String()) })),
  project: Nullable(Type.Object({ id: Type.String(), title: Type.String() })),
  proResponse: Nullable(Type.Object({ content: Type.String(), date: Instant() })),
  createdAt: Instant(),
}

export const Review = Type.Object(reviewFields, { $id: 'Review' })

const Count = Natural()

export const ReviewStats = Type.Object(
  {
    average: Type.Number({ description: '0 without reviews' }),
    total: Count,
    breakdown: ScoreBreakdown,
    scored: ScoreCounts,
    distribution: Type.Object(
      { '1': Count, '2': Count, '3': Count, '4': Count, '5': Count },
      { description: 'The number of reviews by number of stars' },
    ),
  },
  { $id: 'ReviewStats' },
)

export const ReviewsPage = Type.Object(
  { reviews: Type.Array(Review), stats: ReviewStats, meta: PageMeta },
  { $id: 'ReviewsPage' },
)
export type ReviewsPage = Static<typeof ReviewsPage>

export const SORTS = ['recent', 'rating_high', 'rating_low', 'helpful'] as const

export const ReviewsQuery = Type.Object({
  professionalId: Uuid(),
  ...pageParameters,
  sort: Type.Optional(
    OneOf(SORTS, {
      default: 'recent',
      description: 'Newer reviews first among equals. `helpful` sorts by yes minus no votes.',
    }),
  ),
})
export type ReviewsQuery = Static<typeof ReviewsQuery>

export const ReviewParams = Type.Object({ id: Uuid() })

export const HelpfulVote = Type.Object({ helpful: Type.Boolean() }, { $id: 'HelpfulVote', additionalProperties: false })

export const HelpfulAnswer = Type.Object({ helpful: HelpfulCounts }, { $id: 'HelpfulAnswer' })
export type HelpfulAnswer = Static<typeof HelpfulAnswer>

/** A review as its pro sees it. */
export const ProReview = Type.Object(
  {
    ...reviewFields,
    author: Type.String({ description: 'The full name; the public sees first name and initial' }),
    status: OneOf(STATUSES),
    bookingId: Nullable(Type.String()),
    professional: ReviewedPro,
    approvedAt: Nullable(Instant()),
    rejectedAt: Nullable(Instant()),
    rejectionReason: Nullable(Type.String()),
  },
  { $id: 'ProReview' },
)
export type ProReview = Static<typeof ProReview>

export const ProReviewsQuery = Type.Object({ status: Type.Optional(OneOf(STATUSES)), ...pageParameters })
export type ProReviewsQuery = Static<typeof ProReviewsQuery>

export const ProReviewsPage = Type.Object({ reviews: Type.Array(ProReview), meta: PageMeta }, { $id: 'ProReviewsPage' })

export const NewResponse = Type.Object(
  { content: FreeText({ minLength: 1 }) },
  { $id: 'NewReviewResponse', additionalProperties: false },
)

export const ProReviewAnswer = Type.Object({ review: ProReview }, { $id: 'ProReviewAnswer' })

const REPORT_REASONS = ['not_a_customer', 'another_business', 'insulting_or_private', 'untrue'] as const
export type ReportReason = (typeof REPORT_REASONS)[number]

/** What a pro says is wrong with a published review. */
export const NewReviewReport = Type.Object({ reason: OneOf(REPORT_REASONS), words: Text(2000, { minLength: 1 }) })
export type NewReviewReport = Static<typeof NewReviewReport>

/** What people call the reasons. */
export const REPORT_REASON_LABELS: Readonly<Record<ReportReason, string>> = {
  not_a_customer: 'It is not by a customer of ours',
  another_business: 'It is about another business',
  insulting_or_private: 'It insults, or tells private things',
  untrue: 'What it says is not true',
}

export type ReportOutcome = 'kept' | 'taken_down'

/** A report as its pro sees it. */
export interface ReviewReport {
  readonly createdAt: string
  /** Null while it waits for an operator, as outcome and answer are. */
  readonly decidedAt: string | null
  readonly outcome: ReportOutcome | null
  readonly answer: string | null
  /** The review cannot be reported again. */
  readonly isLast: boolean
}
