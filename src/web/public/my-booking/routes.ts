// /bookings: a customer finds a booking by its confirmation code, and moves and cancels it through its manage link.
import { normalizeCode } from '../../../features/booking/bookings/rules/confirmation-codes.ts'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { pageAccountOf, viewerOfProLink } from '../../../features/upkeep/test-mode/verbs.ts'
import { refuseOwnBusiness, siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { getBookingByCode, getBookingOfLink } from '../../../features/booking/bookings/verbs/find-booking.ts'
import { readBookingFile } from '../../../features/calendar/calendar-feeds/verbs.ts'
import { readManageToken } from '../../../features/booking/bookings/verbs/manage-link.ts'
import { type Access, publicPage } from '../../../auth/access.ts'
import { readForm } from '../../../http/form.ts'
import { OneFileForm } from '../../ui/uploads.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { actorOfBrowser } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { submitForm } from '../../ui/submit.ts'
import { renderPersonalPage, redirect, withPageFor } from '../../ui/responses.tsx'
import { bookingFile, codeOfFile } from '../calendar.ts'
import { heldLinkCookie } from '../held-links.ts'
import {
  type ManagedBooking,
  answerProposal,
  bookAgain,
  cancelManaged,
  rescheduleManaged,
  renderCancelPage,
  renderManagePage,
  renderReschedulePage,
  renderReceipt,
} from './manage.ts'
import { CancelForm } from './cancel-view.tsx'
import { AnswerForm, myBookingPage } from './view.tsx'
import { TimeForm } from '../slot-choice.ts'
import { getPhotoState, receiveVisitorPhoto } from '../photo-uploads.ts'
import { type Reviewer, ReviewForm, postReview, renderReviewPage, senderOf } from './review.tsx'
import { FindForm, codePage, wrongCodePage, wrongLinkPage } from './code-view.tsx'

const PhotoParams = Type.Object({ token: Type.String(), photo: Uuid() })

const byCode: Access = { ...publicPage, limit: 'codeLookups' }

export const myBookingPages = (deps: Deps) =>
  new Elysia({ name: 'my-booking-pages' })
    .use(guard(deps))
    .use(managePages(deps))
    .get(
      '/bookings',
      async function getCodePage({ request }) {
        const query = queryOf(request.url)
        const show = (formState: FormState) => renderPersonalPage(request, codePage(formState), formStatus(formState))
        if (!query.has('code')) return show(EMPTY_FORM)
        const find = (code: string) => redirect(`/bookings/${encodeURIComponent(normalizeCode(withPrefix(code)))}`)
        return await submitForm(FindForm, query, ({ code }) => Promise.resolve(find(code)), show)
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/bookings/:code',
      async function getBookingOfCode({ ctx, request, params: { code } }) {
        const fileCode = codeOfFile(code)
        if (fileCode !== undefined) return bookingFile(await readBookingFile(ctx, { code: fileCode }))
        return await withPageFor(
          request,
          'booking_not_found',
          async () => {
            const booking = await getBookingByCode(ctx, { code })
            return renderPersonalPage(request, myBookingPage({ now: ctx.clock.now(), booking }))
          },
          () => wrongCodePage(code.slice(0, 40)),
        )
      },
      { access: byCode, caching: 'personal' },
    )

/** The code with its prefix, which a person may leave out. */
const withPrefix = (code: string): string => (/^\w{12}$/.test(code.trim()) ? `HTH-${code.trim()}` : code)

/** What the manage link allows. */
const managePages = (deps: Deps) =>
  new Elysia({ name: 'manage-booking-pages', prefix: '/bookings/manage/:token' })
    .use(guard(deps))
    .get(
      '',
      async function getManagedBooking({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, (it) => renderManagePage(ctx, it, { request }))
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/cancel',
      async function getCancelPage({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, (it) => renderCancelPage(ctx, it))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/cancel',
      async function cancelManagedBooking({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        return await withBooking(ctx, request, token, (it) => cancelManaged(ctx, it, form))
      },
      { access: publicPage, form: CancelForm },
    )
    .post(
      '/again',
      async function bookManagedAgain({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, (it) => bookAgain(ctx, it))
      },
      { access: publicPage },
    )
    .get(
      '/receipt',
      async function getManagedReceipt({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, (it) => renderReceipt(ctx, it))
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/move',
      async function getMovePage({ ctx, request, params: { token } }) {
        const query = queryOf(request.url)
        return await withBooking(ctx, request, token, (it) => renderReschedulePage(ctx, it, query, EMPTY_FORM))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/move',
      async function rescheduleManagedBooking({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        return await withBooking(ctx, request, token, (it) => rescheduleManaged(ctx, it, form))
      },
      { access: publicPage, form: TimeForm },
    )
    .post(
      '/proposed-time',
      async function answerManagedProposal({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        return await withBooking(ctx, request, token, (it) => answerProposal(ctx, it, form))
      },
      { access: publicPage, form: AnswerForm },
    )
    .get(
      '/review',
      async function getReviewPage({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, async (it) =>
          renderReviewPage(ctx, await reviewerOf(ctx, it), { kind: 'booking', id: it.id }),
        )
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/review',
      async function postReviewPage({ ctx, request, params: { token } }) {
        return await withBooking(ctx, request, token, async (it) =>
          postReview(ctx, await reviewerOf(ctx, it), { kind: 'booking', id: it.id }, request),
        )
      },
      { access: publicPage, form: ReviewForm, upload: ReviewForm },
    )
    .post(
      '/review/photos',
      async function postReviewPhoto({ ctx, request, params: { token }, status }) {
        const sender = senderOf(await reviewerOf(ctx, await bookingOfLink(ctx, request, token)))
        return status(202, await receiveVisitorPhoto(ctx.as(sender), request, { purpose: 'review' }))
      },
      { access: publicPage, upload: OneFileForm },
    )
    .get(
      '/review/photos/:photo',
      async function getReviewPhoto({ ctx, request, params: { token, photo } }) {
        const sender = senderOf(await reviewerOf(ctx, await bookingOfLink(ctx, request, token)))
        return await getPhotoState(ctx.as(sender), { id: photo, purpose: 'review' })
      },
      { access: publicPage, caching: 'personal', params: PhotoParams },
    )

/** Answers for the booking of a manage link, or with a page that says that the link leads to none. */
const withBooking = (
  ctx: Ctx,
  request: Request,
  token: string,
  answer: (it: ManagedBooking) => Promise<Response>,
): Promise<Response> =>
  withPageFor(
    request,
    'booking_not_found',
    async () => await answer(await bookingOfLink(ctx, request, token)),
    () => wrongLinkPage,
  )

/** The booking of a manage link. Throws booking_not_found, and own_business in the browser of its pro. */
async function bookingOfLink(ctx: Ctx, request: Request, token: string): Promise<ManagedBooking> {
  const { id, isMailed: isProven } = readManageToken(ctx, { token })
  const actor = await actorOfBrowser(ctx, request)
  // Also checked before pages that change nothing, because they show what the customer typed.
  if (actor.accountId !== null)
    await refuseOwnBusiness(ctx.as(actor), { professionalId: (await getBookingOfLink(ctx, { token })).professional.id })
  const headers = { 'set-cookie': heldLinkCookie(ctx, request, id) }
  return {
    id,
    path: `/bookings/manage/${encodeURIComponent(token)}`,
    by: { accountId: actor.accountId ?? (await siteAccountOf(ctx)()).id, hasManageLink: true },
    getBooking: () => getBookingOfLink(ctx, { token }),
    isLink: true,
    isProven,
    render: (page, init) => renderPersonalPage(request, page, { ...init, headers }),
  }
}

/** The holder of a manage link reviews as the booking's customer. */
async function reviewerOf(ctx: Ctx, { path, getBooking, isProven, render }: ManagedBooking): Promise<Reviewer> {
  const { customer, professional } = await getBooking()
  return {
    accountId: await pageAccountOf(ctx.as(await viewerOfProLink(ctx, { pro: professional.id }))),
    customerEmail: customer.email,
    path: `${path}/review`,
    photosPath: `${path}/review/photos`,
    isLink: true,
    isProven,
    back: { label: 'Your booking', href: path },
    render,
    thank: () => redirect(`${path}/review`),
  }
}
