// /console/my-reviews: the reviews of a pro, with the answers to the published ones.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { NewResponse, type ProReview, ProReviewsQuery, ReviewParams } from '../../features/reviews/reviews/schemas.ts'
import { listProReviews, respondToReview } from '../../features/reviews/reviews/verbs/reviews.ts'
import { guard } from '../../http/guard.ts'
import { type Session, actingProOf } from '../../http/session.ts'
import { longDay } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { csrfField, disclosure, textArea } from '../ui/forms.ts'
import { type Tone, badge, emptyState, pageHeading, pager, tabs } from '../ui/parts.ts'
import { stars } from '../ui/ratings.ts'
import { renderConsolePage } from '../ui/responses.ts'
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
        const content = html`
          ${pageHeading('Reviews')}
          <p class="lead">Customers read your answer under the review.</p>
          ${tabs('Reviews by status', { path: PATH, parameter: 'status', chosen }, [
            { value: '', label: 'All' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ])}
          ${
            reviews.length === 0
              ? emptyState('No reviews here', 'Customers are asked for a review after each completed visit.')
              : html`<ul class="entries">
                  ${reviews.map((review) => entryOf(by.session, review))}
                </ul>`
          }
          ${pager(PATH, meta, chosen === '' ? {} : { status: chosen })}
        `
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

const entryOf = (session: Session, review: ProReview): Html => html`
  <li class="entry">
    <p>
      ${stars(review.rating)} ${review.author}, ${longDay(review.createdAt)}
      ${badge(STATES[review.status].label, STATES[review.status].tone)}
      ${review.isVerified && badge('Verified visit', 'good')}
    </p>
    ${review.title !== null && html`<h2>${review.title}</h2>`}
    <p class="text">${review.content}</p>
    ${
      review.proResponse &&
      html`<blockquote>
        <p class="text">${review.proResponse.content}</p>
        <p class="hint">Your answer, ${longDay(review.proResponse.date)}</p>
      </blockquote>`
    }
    ${review.rejectionReason !== null && html`<p class="hint">Not published: ${review.rejectionReason}</p>`}
    ${review.status === 'approved' && disclosure(review.proResponse ? 'Edit your answer' : 'Answer', answerForm(session, review))}
  </li>
`

const answerForm = (session: Session, { id, proResponse }: ProReview): Html =>
  html`<form method="post" action="${PATH}/${id}/answer">
    ${csrfField(session)}
    ${textArea({
      id: `answer-${id}`,
      name: 'content',
      label: 'Your answer',
      hint: 'Everyone can read it.',
      maxLength: 5000,
      value: proResponse?.content ?? '',
    })}
    <button class="small">Publish answer</button>
  </form>`
