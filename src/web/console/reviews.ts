// /console/reviews: an operator publishes or rejects submitted reviews.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { pageMeta } from '../../platform/schema/paging.ts'
import { type ProReview, ProReviewsQuery, ReviewParams } from '../../features/reviews/schemas.ts'
import { approveReview, listReviewsToModerate, rejectReview } from '../../features/reviews/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type Session } from '../../http/session.ts'
import { FreeText } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { runAction, runFormAction } from '../ui/submit.ts'
import { dateTime, plural } from '../../platform/text/format.ts'
import { actionButton, disclosure, csrfField, textArea } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { type Tone, badge, emptyState, pageHeading, pager, tabs } from '../ui/parts.ts'
import { stars } from '../ui/ratings.ts'

const PATH = '/console/reviews'
const session = ['operator'] as const
const RejectForm = Type.Object({ reason: FreeText({ minLength: 1 }) })

export const reviewPages = (deps: Deps) =>
  new Elysia({ name: 'review-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getReviewsToModerate({ authenticated: by, query }) {
        const status = query.status ?? 'pending'
        const { reviews, total } = await listReviewsToModerate(deps, { ...query, status })
        const content = html`
          ${pageHeading('Reviews')}
          ${tabs('Reviews by status', { path: PATH, parameter: 'status', chosen: status === 'pending' ? '' : status }, [
            { value: '', label: 'To moderate' },
            { value: 'approved', label: 'Published' },
            { value: 'rejected', label: 'Rejected' },
          ])}
          ${
            reviews.length === 0
              ? emptyState(
                  'No reviews',
                  status === 'pending' ? 'All reviews have been moderated.' : 'There are no reviews with this status.',
                )
              : html`<ul class="entries">
                  ${reviews.map((review) => entryOf(by.session, review))}
                </ul>`
          }
          ${pager(PATH, pageMeta(total, query), { status })}
        `
        return renderConsolePage(deps, by, { title: 'Reviews', content })
      },
      { session, query: ProReviewsQuery },
    )
    .post(
      `${PATH}/:id/approve`,
      async function postApproval({ authenticated, params: { id } }) {
        return await runAction(deps, authenticated, PATH, async () => {
          const { professional } = await approveReview(deps, id)
          return `The review of ${professional.businessName} is published.`
        })
      },
      { session, params: ReviewParams },
    )
    .post(
      `${PATH}/:id/reject`,
      async function postRejection({ authenticated, params: { id } }) {
        return await runFormAction(deps, authenticated, PATH, RejectForm, async ({ reason }) => {
          await rejectReview(deps, id, reason)
          return 'The review is rejected. The pro can read the reason.'
        })
      },
      { session, params: ReviewParams, form: RejectForm },
    )

const TONES: Record<ProReview['status'], Tone> = { pending: 'wait', approved: 'good', rejected: 'bad' }

const entryOf = (session: Session, review: ProReview): Html => html`
  <li class="entry">
    <p>
      ${stars(review.rating)} for <strong>${review.professional.businessName}</strong>
      ${review.isVerified && badge('Verified', 'good')} ${badge(review.status, TONES[review.status])}
    </p>
    ${review.title !== null && html`<h2>${review.title}</h2>`}
    <p class="text">${review.content}</p>
    ${
      review.photos.length > 0 &&
      html`<p>
        ${plural(review.photos.length, 'photo')}:
        ${review.photos.map(({ url, caption }) => html`<a href="${url}" rel="noreferrer">${caption ?? url}</a> `)}
      </p>`
    }
    <p class="hint">${review.author}, ${dateTime(review.createdAt)}</p>
    ${review.rejectionReason !== null && html`<p class="hint">Rejected: ${review.rejectionReason}</p>`}
    ${review.status === 'pending' && moderation(session, review)}
  </li>
`

const moderation = (session: Session, { id }: ProReview): Html => html`
  <div class="choices">
    ${actionButton(session, { action: `${PATH}/${id}/approve`, label: 'Publish', tone: 'plain' })}
    ${disclosure(
      'Reject',
      html`<form method="post" action="${PATH}/${id}/reject">
        ${csrfField(session)}
        ${textArea({ id: `reason-${id}`, name: 'reason', label: 'Reason', hint: 'The pro can read it.', maxLength: 5000 })}
        <button class="small danger">Reject review</button>
      </form>`,
    )}
  </div>
`
