// /reviews/{token}: the owner of an e-mail address confirms a review that was sent with it. The link is mailed to that address.
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import type { Deps } from '../../deps.ts'
import { confirmReview, getReviewToConfirm } from '../../features/reviews/reviews/verbs/proof.ts'
import { guard } from '../../http/guard.ts'
import { actorOfBrowser } from '../../http/session.ts'
import { plural } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'
import { redirect, renderPersonalPage, withPageFor } from '../ui/responses.ts'

const PATH = '/reviews/:token'

export const reviewConfirmationPages = (deps: Deps) =>
  new Elysia({ name: 'review-confirmation-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getReviewConfirmation({ ctx, request, params: { token } }) {
        return await withPageFor(
          request,
          'review_not_found',
          async () => renderPersonalPage(request, confirmationPage(token, await getReviewToConfirm(ctx, { token }))),
          () => wrongReviewLinkPage,
        )
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      async function postReviewConfirmation({ ctx, request, params: { token } }) {
        return await withPageFor(
          request,
          'review_not_found',
          async () => {
            await confirmReview(ctx.as(await actorOfBrowser(ctx, request)), { token })
            return redirect(`/reviews/${encodeURIComponent(token)}`)
          },
          () => wrongReviewLinkPage,
        )
      },
      { access: publicPage },
    )

const wrongReviewLinkPage: Page = {
  title: 'This link does not lead to a review',
  content: html`
    <h1>This link does not lead to a review</h1>
    <p>A part of it may be missing. Open it exactly as you received it.</p>
    <p class="actions"><a class="button" href="/my">See your bookings</a></p>
  `,
}

type Review = Awaited<ReturnType<typeof getReviewToConfirm>>

const confirmationPage = (token: string, review: Review): Page => ({
  title: `Your review of ${review.businessName}`,
  content: html`
    <h1>${review.isProven ? 'Thank you for your review' : `Did you review ${review.businessName}?`}</h1>
    <p class="lead">
      ${plural(review.rating, 'star')} for ${review.businessName}${review.title !== null && html`: ${review.title}`}
    </p>
    <p class="prose">${review.content}</p>
    ${whatNow(token, review)}
  `,
})

function whatNow(token: string, { status, isProven, professionalId, businessName }: Review): Html {
  if (status === 'rejected') return html`<p class="notice">This review is not published.</p>`
  if (isProven)
    return html`<p>
        ${status === 'pending' ? 'A moderator reads each review before it is published.' : 'It is published.'}
      </p>
      <p class="actions">
        <a class="button quiet" href="/pros/${professionalId}">See the reviews of ${businessName}</a>
      </p>`
  return html`<form method="post" action="/reviews/${token}">
    <p class="actions"><button>Yes, I wrote it</button></p>
    <p class="hint">You did not write it? Then do nothing: it does not count as verified.</p>
  </form>`
}
