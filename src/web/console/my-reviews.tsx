/** @jsxImportSource preact */
// /console/my-reviews: the reviews of a pro, with the answers to the published ones.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { NewResponse, type ProReview, ProReviewsQuery, ReviewParams } from '../../features/reviews/reviews/schemas.ts'
import { listProReviews, respondToReview } from '../../features/reviews/reviews/verbs/reviews.ts'
import { guard } from '../../http/guard.ts'
import { type Session, actingProOf } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { TextArea } from '../ui/fields.tsx'
import { type Tone, Badge } from '../ui/badge.tsx'
import { EmptyState, Pager, Tabs } from '../ui/lists.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Stars } from '../ui/ratings.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { runFormAction } from '../ui/submit.ts'

const PATH = '/console/my-reviews'
const session = ['pro'] as const

const STATES: Record<ProReview['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Being checked', tone: 'wait' },
  approved: { label: 'Published', tone: 'good' },
  rejected: { label: 'Not published', tone: 'plain' },
}

export const proReviewPages = (deps: Deps) =>
  new Elysia({ name: 'pro-review-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getOwnReviews({ ctx, authenticated: by, query }) {
        const { reviews, meta } = await listProReviews(ctx.as(actingProOf(by)), query)
        const chosen = query.status ?? ''
        const content = (
          <>
            <PageHeading>Reviews</PageHeading>
            <p class="lead">Customers read your answer under the review.</p>
            <Tabs
              label="Reviews by status"
              path={PATH}
              parameter="status"
              chosen={chosen}
              choices={[
                { value: '', label: 'All' },
                ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
              ]}
            />
            {reviews.length === 0 ? (
              <EmptyState title="No reviews here">
                Customers are asked for a review after each completed visit.
              </EmptyState>
            ) : (
              <ul class="entries">{reviews.map((review) => entryOf(by.session, review))}</ul>
            )}
            <Pager path={PATH} meta={meta} query={chosen === '' ? {} : { status: chosen }} />
          </>
        )
        return renderConsolePage(ctx, by, { title: 'Reviews', content })
      },
      { session, query: ProReviewsQuery },
    )
    .post(
      `${PATH}/:id/answer`,
      async function postAnswer({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, PATH, NewResponse, async ({ content }) => {
          await respondToReview(ctx.as(actingProOf(by)), { id, content })
          return 'Your answer is published.'
        })
      },
      { session, params: ReviewParams, form: NewResponse },
    )

const entryOf = (session: Session, review: ProReview): VNode => (
  <li class="entry">
    <p>
      <Stars given={review.rating} /> {review.author}, {longDay(review.createdAt)}{' '}
      <Badge tone={STATES[review.status].tone}>{STATES[review.status].label}</Badge>{' '}
      {review.isVerified && <Badge tone="good">Verified visit</Badge>}
    </p>
    {review.title !== null && <h2>{review.title}</h2>}
    <p class="text">{review.content}</p>
    {review.proResponse && (
      <blockquote>
        <p class="text">{review.proResponse.content}</p>
        <p class="hint">Your answer, {longDay(review.proResponse.date)}</p>
      </blockquote>
    )}
    {review.rejectionReason !== null && <p class="hint">Not published: {review.rejectionReason}</p>}
    {review.status === 'approved' && (
      <Disclosure label={review.proResponse ? 'Edit your answer' : 'Answer'}>{answerForm(session, review)}</Disclosure>
    )}
  </li>
)

const answerForm = (session: Session, { id, proResponse }: ProReview): VNode => (
  <Form action={`${PATH}/${id}/answer`} session={session}>
    <TextArea
      id={`answer-${id}`}
      name="content"
      label="Your answer"
      hint="Everyone can read it."
      maxLength={5000}
      value={proResponse?.content ?? ''}
    />
    <Button isSmall>Publish answer</Button>
  </Form>
)
