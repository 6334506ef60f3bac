// /bookings: a customer finds a booking by its confirmation code, and moves and cancels it through its manage link.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { pageAccountOf, viewerOfProLink } from '../../../features/test-mode/verbs.ts'
import { refuseOwnBusiness, siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { getBookingByCode, getBookingOfLink, normalizeCode } from '../../../features/bookings/verbs/find-booking.ts'
import { readBookingFile } from '../../../features/calendar-feeds/verbs.ts'
import { readManageToken } from '../../../features/bookings/verbs/manage-link.ts'
import { type Access, publicPage } from '../../../auth/access.ts'
import { readForm } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { actorOfBrowser } from '../../../http/session.ts'
import { EMPTY_FORM } from '../../ui/forms.ts'
import { renderPersonalPage, redirect, withPageFor } from '../../ui/responses.ts'
import { bookingFile, codeOfFile } from '../calendar.ts'
import { heldLinkCookie } from '../held-links.ts'
import {
  AnswerForm,
  CancelForm,
  type ManagedBooking,
  MoveForm,
  answerProposal,
  bookAgain,
  cancelManaged,
  moveManaged,
  renderCancelPage,
  renderManagePage,
  renderMovePage,
  renderReceipt,
} from './manage.ts'
import { type Reviewer, ReviewForm, postReview, renderReviewPage } from './review.ts'
import { codePage, wrongCodePage, wrongLinkPage } from './code-view.ts'
import { myBookingPage } from './view.ts'

const byCode: Access = { ...publicPage, limit: 'codeLookups' }

export const myBookingPages = (deps: Deps) =>
  new Elysia({ name: 'my-booking-pages' })
    .use(guard(deps))
    .use(managePages(deps))
    .get(
      '/bookings',
      function getCodePage({ request }) {
        const code = queryOf(request.url).get('code')
        return code === null || code.trim() === ''
          ? renderPersonalPage(request, codePage)
          : redirect(`/bookings/${encodeURIComponent(normalizeCode(withPrefix(code)))}`)
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/bookings/:code',
      async function getBookingOfCode({ request, params: { code } }) {
        const fileCode = codeOfFile(code)
        if (fileCode !== undefined) return bookingFile(await readBookingFile(deps, fileCode))
        return await withPageFor(
          request,
          'booking_not_found',
          async () => {
            const booking = await getBookingByCode(deps, code)
            return renderPersonalPage(request, myBookingPage({ now: deps.clock.now(), booking }))
          },
          () => wrongCodePage(code.slice(0, 40)),
        )
      },
      { access: byCode, caching: 'personal' },
    )

/** A code of which a person typed the part that differs. */
const withPrefix = (code: string): string => (/^\w{12}$/.test(code.trim()) ? `HTH-${code.trim()}` : code)

/** What the manage link allows. */
const managePages = (deps: Deps) =>
  new Elysia({ name: 'manage-booking-pages', prefix: '/bookings/manage/:token' })
    .use(guard(deps))
    .get(
      '',
      async function getManagedBooking({ request, params: { token } }) {
        return await withBooking(deps, request, token, (it) => renderManagePage(deps, it, { request }))
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/cancel',
      async function getCancelPage({ request, params: { token } }) {
        return await withBooking(deps, request, token, (it) => renderCancelPage(deps, it))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/cancel',
      async function cancelManagedBooking({ request, params: { token } }) {
        const form = await readForm(deps, request)
        return await withBooking(deps, request, token, (it) => cancelManaged(deps, it, form))
      },
      { access: publicPage, form: CancelForm },
    )
    .post(
      '/again',
      async function bookManagedAgain({ request, params: { token } }) {
        return await withBooking(deps, request, token, (it) => bookAgain(deps, it))
      },
      { access: publicPage },
    )
    .get(
      '/receipt',
      async function getManagedReceipt({ request, params: { token } }) {
        return await withBooking(deps, request, token, (it) => renderReceipt(deps, it))
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/move',
      async function getMovePage({ request, params: { token } }) {
        const query = queryOf(request.url)
        return await withBooking(deps, request, token, (it) => renderMovePage(deps, it, query, EMPTY_FORM))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/move',
      async function moveManagedBooking({ request, params: { token } }) {
        const form = await readForm(deps, request)
        return await withBooking(deps, request, token, (it) => moveManaged(deps, it, form))
      },
      { access: publicPage, form: MoveForm },
    )
    .post(
      '/proposed-time',
      async function answerManagedProposal({ request, params: { token } }) {
        const form = await readForm(deps, request)
        return await withBooking(deps, request, token, (it) => answerProposal(deps, it, form))
      },
      { access: publicPage, form: AnswerForm },
    )
    .get(
      '/review',
      async function getReviewPage({ request, params: { token } }) {
        return await withBooking(deps, request, token, async (it) =>
          renderReviewPage(deps, await reviewerOf(deps, it, token), { kind: 'booking', id: it.id }),
        )
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/review',
      async function postReviewPage({ request, params: { token } }) {
        const form = await readForm(deps, request)
        return await withBooking(deps, request, token, async (it) =>
          postReview(deps, await reviewerOf(deps, it, token), { kind: 'booking', id: it.id }, form),
        )
      },
      { access: publicPage, form: ReviewForm },
    )

/** Answers for the booking of a manage link, or with a page that says that the link leads to none. */
const withBooking = (
  deps: Deps,
  request: Request,
  token: string,
  answer: (it: ManagedBooking) => Promise<Response>,
): Promise<Response> =>
  withPageFor(
    request,
    'booking_not_found',
    async () => await answer(await bookingOfLink(deps, request, token)),
    () => wrongLinkPage,
  )

/** The booking of a manage link. Throws booking_not_found, and own_business in the browser of its pro. */
async function bookingOfLink(deps: Deps, request: Request, token: string): Promise<ManagedBooking> {
  const { id } = readManageToken(deps, token)
  const actor = await actorOfBrowser(deps, request)
  // Also before what changes nothing: it shows what the customer typed.
  if (actor.accountId !== null)
    await refuseOwnBusiness(deps.write, actor, (await getBookingOfLink(deps, token)).professional.id)
  const headers = { 'set-cookie': heldLinkCookie(deps, request, id) }
  return {
    id,
    path: `/bookings/manage/${encodeURIComponent(token)}`,
    by: { accountId: actor.accountId ?? (await siteAccountOf(deps)()).id, hasManageLink: true },
    getBooking: () => getBookingOfLink(deps, token),
    isLink: true,
    render: (page, init) => renderPersonalPage(request, page, { ...init, headers }),
  }
}

/** The holder of a manage link reviews as the booking's customer. */
async function reviewerOf(deps: Deps, { path, getBooking, render }: ManagedBooking, token: string): Promise<Reviewer> {
  const { isMailed: isProven } = readManageToken(deps, token)
  const { customer, professional } = await getBooking()
  return {
    accountId: await pageAccountOf(deps, await viewerOfProLink(deps, professional.id)),
    customerEmail: customer.email,
    path: `${path}/review`,
    isLink: true,
    isProven,
    back: { label: 'Your booking', href: path },
    render,
    thank: () => redirect(`${path}/review`),
  }
}
