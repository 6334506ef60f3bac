// The page of a booking for its customer, by the manage link or signed in: see, reschedule and cancel it, and answer the time
// that the pro proposes.
import { PUBLIC } from '../../../auth/caller.ts'

import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { getOpenSlots } from '../../../features/calendar/availability/verbs.ts'
import type { Booking } from '../../../features/booking/bookings/schemas.ts'
import { addressText } from '../../../features/booking/bookings/texts.ts'
import { findTypedContact } from '../../../features/booking/bookings/verbs/find-booking.ts'
import {
  type BookingCustomer,
  cancelBooking,
  getCustomerTerms,
  rescheduleBooking,
} from '../../../features/booking/bookings/verbs/customer-actions.ts'
import { answerProposedTime } from '../../../features/booking/bookings/verbs/proposed-times.ts'
import { queryOf } from '../../../http/request-target.ts'
import { isWorkReviewed } from '../../../features/customers/customers/verbs/finished-work.ts'
import { findPaymentsDue } from '../../../payments/verbs/payments.ts'
import { datedVisitTime, priceOf } from '../../../platform/text/format.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import type { VNode } from 'preact'
import type { Page } from '../../ui/layout.tsx'
import { redirect } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { receiptPage } from '../receipt.tsx'
import { TimeForm, readSlotChoice } from '../slot-choice.ts'
import { detailsOf, typedDetailsCookie } from '../typed-details.ts'
import { CancelForm, cancelPage } from './cancel-view.tsx'
import { reschedulePage } from './reschedule-view.tsx'
import { AnswerForm, myBookingPage } from './view.tsx'

/** A booking on a page for its customer. */
export interface ManagedBooking {
  id: string
  /** Of the booking's page. */
  path: string
  by: BookingCustomer
  getBooking: () => Promise<Booking>
  /** In each form. */
  csrf?: VNode
  /** Everyone who has the page's URL can change the booking. */
  isLink: boolean
  /** Signed in, or by a link in their mail. */
  isProven: boolean
  render: (page: Page, init?: { status: number }) => Response
}

/** The booking's page. `?moved` shows that the booking was just rescheduled. */
export async function renderManagePage(
  ctx: Ctx,
  it: ManagedBooking,
  { formState = EMPTY_FORM, request }: { formState?: FormState; request?: Request },
): Promise<Response> {
  const booking = await it.getBooking()
  const terms = await getCustomerTerms(ctx, { id: booking.id })
  const hasRescheduled = request !== undefined && queryOf(request.url).has('moved')
  const wasRescheduled = hasRescheduled && (booking.status === 'confirmed' || booking.status === 'pending')
  const due = (await findPaymentsDue(ctx, { bookings: [booking] })).get(booking.id)
  const manage = {
    path: it.path,
    csrf: it.csrf,
    isLink: it.isLink,
    terms,
    payPath: due && new URL(due.payUrl).pathname,
    wasRescheduled,
    isReviewed: await isReviewed(ctx, it, booking),
    formState,
  }
  return it.render(myBookingPage({ now: ctx.clock.now(), booking, manage }), formStatus(formState))
}

const isReviewed = async (
  ctx: Ctx,
  { isProven }: ManagedBooking,
  { id, status, customer }: Booking,
): Promise<boolean> =>
  status === 'completed' && (await isWorkReviewed(ctx.as({ customerEmail: customer.email, isProven }), { id }))

/** The question before the booking is cancelled. */
export async function renderCancelPage(
  ctx: Ctx,
  it: ManagedBooking,
  formState: FormState = EMPTY_FORM,
): Promise<Response> {
  const booking = await it.getBooking()
  const terms = await getCustomerTerms(ctx, { id: booking.id })
  return it.render(cancelPage({ booking, terms, path: it.path, csrf: it.csrf, formState }), formStatus(formState))
}

/** Redirects to the page of the booking, which shows the state even if the booking was already cancelled or has begun. */
export const cancelManaged = (ctx: Ctx, it: ManagedBooking, form: URLSearchParams): Promise<Response> =>
  submitForm(
    CancelForm,
    form,
    async (input) => {
      await cancelBooking(ctx.as(it.by), { ...input, id: it.id }).catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
      })
      return redirect(it.path)
    },
    async (formState) => await renderCancelPage(ctx, it, formState),
  )

/** The booking page of the same service, filled in with the details that its customer typed for this booking. */
export async function bookAgain(ctx: Ctx, { id, getBooking }: ManagedBooking): Promise<Response> {
  const { professional, service, package: booked } = await getBooking()
  const offer: Record<string, string> = booked ? { package: booked.id } : { service: service.id }
  const contact = await findTypedContact(ctx, { id })
  return redirect(
    `/pros/${professional.id}/book?${new URLSearchParams(offer).toString()}`,
    contact ? [typedDetailsCookie(ctx, detailsOf(contact))] : [],
  )
}

/** The receipt of what was paid when booking. */
export async function renderReceipt(ctx: Ctx, { id, path, getBooking, render }: ManagedBooking): Promise<Response> {
  const booking = await getBooking()
  const { professional, service, package: booked, scheduledDate, scheduledTime } = booking
  return render(
    await receiptPage(ctx, {
      purpose: { bookingId: id },
      payment: booking.payment,
      balance: booking.balance,
      pro: `${professional.businessName}, ${professional.location}`,
      customer: booking.customer.name,
      bookedAt: booking.createdAt,
      facts: [
        ['For', booked?.name ?? service.name],
        ['When', datedVisitTime(scheduledDate, scheduledTime)],
        ['Address', addressText(booking.address)],
        ['Price', priceOf(booking.price)],
        ['Confirmation code', booking.confirmationCode],
      ],
      back: { label: 'Your booking', href: path },
    }),
  )
}

/** The open times for a booking, or the reason why it cannot be moved. */
export async function renderReschedulePage(
  ctx: Ctx,
  it: ManagedBooking,
  query: URLSearchParams,
  formState: FormState,
): Promise<Response> {
  const booking = await it.getBooking()
  const { canReschedule, ...terms } = await getCustomerTerms(ctx, { id: booking.id })
  const { id, professional } = booking
  const slot = canReschedule
    ? await readSlotChoice(
        ctx,
        (days) => getOpenSlots(ctx.as(PUBLIC), { rescheduledBookingId: id, ...days, pro: professional.id }),
        query,
      )
    : undefined
  const page = reschedulePage({ ...terms, booking, path: it.path, csrf: it.csrf, slot, formState })
  return it.render(page, formStatus(formState))
}

export const rescheduleManaged = (ctx: Ctx, it: ManagedBooking, form: URLSearchParams): Promise<Response> =>
  submitForm(
    TimeForm,
    form,
    async (input) => {
      await rescheduleBooking(ctx.as(it.by), { ...input, id: it.id })
      return redirect(`${it.path}?moved`)
    },
    async (formState) => await renderReschedulePage(ctx, it, form, formState),
  )

/** The answer to a time that the pro proposes. */
export const answerProposal = (ctx: Ctx, it: ManagedBooking, form: URLSearchParams): Promise<Response> =>
  submitForm(
    AnswerForm,
    form,
    async (input) => {
      await answerProposedTime(ctx.as(it.by), { ...input, id: it.id })
      return redirect(input.answer === 'agree' ? `${it.path}?moved` : it.path)
    },
    async (formState) => await renderManagePage(ctx, it, { formState }),
  )
