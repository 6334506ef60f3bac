/** @jsxImportSource preact */
// /my/reviews, /my/bookings/{id}/review and /my/jobs/{id}/review: a signed-in customer's reviews, and reviewing finished work.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { BookingParams } from '../../features/booking/bookings/schemas.ts'
import type { FinishedWork } from '../../features/customers/customers/schemas.ts'
import { findForeignMakers } from '../../features/customers/customers/verbs/disown.ts'
import { listReviewsOfCustomer } from '../../features/reviews/reviews/verbs/reviews.ts'
import type { CustomerRequest } from '../../http/customer-session.ts'
import { OneFileForm } from '../ui/uploads.ts'
import { guard } from '../../http/guard.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { type Reviewer, ReviewForm, postReview, renderReviewPage, senderOf } from '../public/my-booking/review.tsx'
import { getPhotoState, receiveVisitorPhoto } from '../public/photo-uploads.ts'
import { BackLink } from '../ui/headings.tsx'
import { EmptyState, Pager, WholeList } from '../ui/lists.tsx'
import { MY_PAGE, redirectWithFlash, renderCustomerPage } from '../ui/responses.tsx'
import { reviewRow } from './review-row.tsx'

const PhotoParams = Type.Object({ photo: Uuid() })

export const customerReviewPages = (deps: Deps) =>
  new Elysia({ name: 'customer-review-pages', prefix: '/my' })
    .use(guard(deps))
    .get(
      '/reviews',
      async function getReviews({ ctx, signedIn, query }) {
        const { customer } = signedIn
        const { reviews, meta } = await listReviewsOfCustomer(ctx.as(customer), query)
        const ids = reviews.map(({ id }) => id)
        const makers = await findForeignMakers(ctx, { kind: 'review', ids })
        const rows = reviews.map((review) => reviewRow({ customer, review, maker: makers.get(review.id) }))
        return renderCustomerPage(ctx, signedIn, {
          title: 'Your reviews',
          content: (
            <>
              <BackLink href={MY_PAGE}>My bookings</BackLink>
              <h1>Your reviews</h1>
              {rows.length > 0 ? (
                <WholeList heading="From the newest on" rows={rows} />
              ) : (
                <EmptyState title="No reviews yet">Reviews that you write appear here.</EmptyState>
              )}
              <Pager path={`${MY_PAGE}/reviews`} meta={meta} />
            </>
          ),
        })
      },
      { customer: true, query: PageQuery },
    )
    .get(
      '/bookings/:id/review',
      async function getBookingReview({ ctx, signedIn, params: { id } }) {
        return await renderReviewPage(ctx, reviewer(ctx, signedIn, 'booking', id), { kind: 'booking', id })
      },
      { customer: true, params: BookingParams },
    )
    .post(
      '/bookings/:id/review',
      async function postBookingReview({ ctx, signedIn, params: { id } }) {
        const by = reviewer(ctx, signedIn, 'booking', id)
        return await postReview(ctx, by, { kind: 'booking', id }, signedIn.request)
      },
      { customer: true, params: BookingParams, form: ReviewForm, upload: ReviewForm },
    )
    .get(
      '/jobs/:id/review',
      async function getJobReview({ ctx, signedIn, params: { id } }) {
        return await renderReviewPage(ctx, reviewer(ctx, signedIn, 'job', id), { kind: 'job', id })
      },
      { customer: true, params: BookingParams },
    )
    .post(
      '/jobs/:id/review',
      async function postJobReview({ ctx, signedIn, params: { id } }) {
        const by = reviewer(ctx, signedIn, 'job', id)
        return await postReview(ctx, by, { kind: 'job', id }, signedIn.request)
      },
      { customer: true, params: BookingParams, form: ReviewForm, upload: ReviewForm },
    )

/** Photos that the script of a review's form sends at once. */
export const customerPhotoPages = (deps: Deps) =>
  new Elysia({ name: 'customer-photo-pages', prefix: `${MY_PAGE}/photos` })
    .use(guard(deps))
    .post(
      '',
      async function postPhoto({ ctx, signedIn: { customer, request }, status }) {
        const sender = senderOf({ accountId: customer.accountId, session: customer })
        return status(202, await receiveVisitorPhoto(ctx.as(sender), request, { purpose: 'review' }))
      },
      { customer: true, upload: OneFileForm },
    )
    .get(
      '/:photo',
      async function getPhoto({ ctx, signedIn: { customer }, params: { photo } }) {
        const sender = senderOf({ accountId: customer.accountId, session: customer })
        return await getPhotoState(ctx.as(sender), { id: photo, purpose: 'review' })
      },
      { customer: true, params: PhotoParams },
    )

function reviewer(deps: Deps, signedIn: CustomerRequest, kind: FinishedWork['kind'], id: string): Reviewer {
  const { accountId, customerEmail } = signedIn.customer
  return {
    accountId,
    customerEmail,
    path: `${MY_PAGE}/${kind}s/${id}/review`,
    photosPath: `${MY_PAGE}/photos`,
    isLink: false,
    isProven: true,
    back: { label: 'My bookings', href: MY_PAGE },
    session: signedIn.customer,
    render: (page, init) => renderCustomerPage(deps, signedIn, page, init),
    thank: (text) => redirectWithFlash(deps, signedIn.customer, MY_PAGE, { tone: 'good', text }),
  }
}
