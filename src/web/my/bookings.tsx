/** @jsxImportSource preact */
// /my/bookings/{id}: a signed-in customer sees, moves and cancels a booking.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { BookingParams } from '../../features/booking/bookings/schemas.ts'
import { getBookingOfCustomer } from '../../features/booking/bookings/verbs/find-booking.ts'
import type { CustomerRequest } from '../../http/customer-session.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
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
} from '../public/my-booking/manage.ts'
import { CancelForm } from '../public/my-booking/cancel-view.tsx'
import { AnswerForm } from '../public/my-booking/view.tsx'
import { TimeForm } from '../public/slot-choice.ts'
import { EMPTY_FORM } from '../ui/form.tsx'
import { CsrfField } from '../ui/form.tsx'
import { renderCustomerPage } from '../ui/responses.tsx'

export const customerBookingPages = (deps: Deps) =>
  new Elysia({ name: 'customer-booking-pages', prefix: '/my/bookings/:id' })
    .use(guard(deps))
    .get(
      '',
      async function getOwnBooking({ ctx, signedIn, params: { id } }) {
        return await renderManagePage(ctx, ownBooking(ctx, signedIn, id), { request: signedIn.request })
      },
      { customer: true, params: BookingParams },
    )
    .get(
      '/cancel',
      async function getOwnCancelPage({ ctx, signedIn, params: { id } }) {
        return await renderCancelPage(ctx, ownBooking(ctx, signedIn, id))
      },
      { customer: true, params: BookingParams },
    )
    .post(
      '/cancel',
      async function cancelOwnBooking({ ctx, signedIn, params: { id } }) {
        return await cancelManaged(ctx, ownBooking(ctx, signedIn, id), signedIn.form)
      },
      { customer: true, params: BookingParams, form: CancelForm },
    )
    .post(
      '/again',
      async function bookOwnAgain({ ctx, signedIn, params: { id } }) {
        return await bookAgain(ctx, ownBooking(ctx, signedIn, id))
      },
      { customer: true, params: BookingParams },
    )
    .get(
      '/receipt',
      async function getOwnReceipt({ ctx, signedIn, params: { id } }) {
        return await renderReceipt(ctx, ownBooking(ctx, signedIn, id))
      },
      { customer: true, params: BookingParams },
    )
    .get(
      '/move',
      async function getOwnMovePage({ ctx, signedIn, params: { id } }) {
        return await renderReschedulePage(ctx, ownBooking(ctx, signedIn, id), queryOf(signedIn.request.url), EMPTY_FORM)
      },
      { customer: true, params: BookingParams },
    )
    .post(
      '/move',
      async function rescheduleOwnBooking({ ctx, signedIn, params: { id } }) {
        return await rescheduleManaged(ctx, ownBooking(ctx, signedIn, id), signedIn.form)
      },
      { customer: true, params: BookingParams, form: TimeForm },
    )
    .post(
      '/proposed-time',
      async function answerOwnProposal({ ctx, signedIn, params: { id } }) {
        return await answerProposal(ctx, ownBooking(ctx, signedIn, id), signedIn.form)
      },
      { customer: true, params: BookingParams, form: AnswerForm },
    )

function ownBooking(ctx: Ctx, signedIn: CustomerRequest, id: string): ManagedBooking {
  const { customer } = signedIn
  return {
    id,
    path: `/my/bookings/${id}`,
    by: { accountId: customer.accountId, customerEmail: customer.customerEmail },
    getBooking: () => getBookingOfCustomer(ctx.as(customer), { id }),
    csrf: <CsrfField session={customer} />,
    isLink: false,
    isProven: true,
    render: (page, init) => renderCustomerPage(ctx, signedIn, page, init),
  }
}
