/** @jsxImportSource preact */
// /reviews/{token}: the owner of an e-mail address confirms a review that was sent with it. The link is mailed to that address.
import { Form } from '../ui/form.tsx'
import { LinkButton, Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import type { Deps } from '../../deps.ts'
import { confirmReview, getReviewToConfirm } from '../../features/reviews/reviews/verbs/proof.ts'
import { type Defaults, reviewPolicyText } from '../../features/upkeep/marketplace/rules/defaults.ts'
import { getDefaults } from '../../features/upkeep/marketplace/verbs.ts'
import { guard } from '../../http/guard.ts'
import { actorOfBrowser } from '../../http/session.ts'
import { plural } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import type { Page } from '../ui/layout.tsx'
import { redirect, renderPersonalPage, withPageFor } from '../ui/responses.tsx'

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
          async () => {
            const [review, defaults] = await Promise.all([getReviewToConfirm(ctx, { token }), getDefaults(ctx)])
            return renderPersonalPage(request, confirmationPage(token, review, defaults))
          },
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
  content: (
    <>
      <h1>This link does not lead to a review</h1>
      <p>A part of it may be missing. Open it exactly as you received it.</p>
      <p class="actions">
        <LinkButton href="/my">See your bookings</LinkButton>
      </p>
    </>
  ),
}

type Review = Awaited<ReturnType<typeof getReviewToConfirm>>

const confirmationPage = (token: string, review: Review, defaults: Defaults): Page => ({
  title: `Your review of ${review.businessName}`,
  content: (
    <>
      <h1>{review.isProven ? 'Thank you for your review' : `Did you review ${review.businessName}?`}</h1>
      <p class="lead">
        {plural(review.rating, 'star')} for {review.businessName}
        {review.title !== null && <>: {review.title}</>}
      </p>
      <p class="prose">{review.content}</p>
      {whatNow(token, review, reviewPolicyText(defaults))}
    </>
  ),
})

function whatNow(token: string, { status, isProven, professionalId, businessName }: Review, policy: string): VNode {
  if (status === 'rejected') return <p class="notice">This review is not published.</p>
  if (isProven)
    return (
      <>
        <p>{status === 'pending' ? policy : 'It is published.'}</p>
        <p class="actions">
          <LinkButton href={`/pros/${professionalId}`} look="quiet">
            See the reviews of {businessName}
          </LinkButton>
        </p>
      </>
    )
  return (
    <Form action={`/reviews/${token}`}>
      <p class="actions">
        <Button>Yes, I wrote it</Button>
      </p>
      <p class="hint">You did not write it? Then do nothing: it does not count as verified.</p>
    </Form>
  )
}
