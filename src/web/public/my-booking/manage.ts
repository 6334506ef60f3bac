// What a customer does with a booking on its page: see, move and cancel it, answer the pro's proposal. By the manage link, or
// signed in.
import { Type } from '@sinclair/typebox'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { ProposedTimeAnswer } from '../../../features/bookings/action-schemas.ts'
import type { Booking } from '../../../features/bookings/schemas.ts'
import {
  type BookingCustomer,
  cancelBooking,
  getChangeTerms,
  rescheduleBooking,
} from '../../../features/bookings/verbs/customer-actions.ts'
import { answerProposedTime } from '../../../features/bookings/verbs/proposed-times.ts'
import { queryOf } from '../../../http/request-target.ts'
import { CalendarDate, ClockTime } from '../../../platform/schema/types.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/forms.ts'
import type { Html } from '../../../platform/text/html.ts'
import type { Page } from '../../ui/layout.ts'
import { redirect } from '../../ui/responses.ts'
import { submitForm } from '../../ui/submit.ts'
import { readSlotChoice } from '../slot-picker.ts'
import { movePage, myBookingPage } from './view.ts'

export const MoveForm = Type.Object({ date: CalendarDate(), time: ClockTime() })
export const AnswerForm = Type.Object({ answer: ProposedTimeAnswer.properties.answer })

/** A booking in the hands of its customer. */
export interface ManagedBooking {
  id: string
  /** Of the booking's page. */
  path: string
  by: BookingCustomer
  getBooking: () => Promise<Booking>
  /** In each form. */
  csrf?: Html
  /** Everyone who has the page's URL can change the booking. */
  isLink: boolean
  render: (page: Page, init?: { status: number }) => Response
}

/** The booking's page; `?moved` tells that it was just moved. */
export async function renderManagePage(
  deps: Deps,
  it: ManagedBooking,
  { formState = EMPTY_FORM, request }: { formState?: FormState; request?: Request },
): Promise<Response> {
  const booking = await it.getBooking()
  const terms = await getChangeTerms(deps, booking.id)
  const hasMoved = request !== undefined && queryOf(request.url).has('moved')
  const wasMoved = hasMoved && (booking.status === 'confirmed' || booking.status === 'pending')
  const manage = { path: it.path, csrf: it.csrf, isLink: it.isLink, ...terms, wasMoved, formState }
  return it.render(myBookingPage({ now: deps.clock.now(), booking, manage }), formStatus(formState))
}

/** The page shows the state, also when the booking is already cancelled or has begun. */
export async function cancelManaged(deps: Deps, { by, id, path }: ManagedBooking): Promise<Response> {
  await cancelBooking(deps, by, id, {}).catch((error: unknown) => {
    if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
  })
  return redirect(path)
}

/** The open times for a booking, or the reason why it cannot be moved. */
export async function renderMovePage(
  deps: Deps,
  it: ManagedBooking,
  query: URLSearchParams,
  formState: FormState,
): Promise<Response> {
  const booking = await it.getBooking()
  const { cancellationCost, canMove } = await getChangeTerms(deps, booking.id)
  const { id, professional } = booking
  const slot = canMove ? await readSlotChoice(deps, professional.id, { movedBookingId: id }, query) : undefined
  return it.render(movePage({ booking, path: it.path, csrf: it.csrf, cancellationCost, slot, formState }))
}

export const moveManaged = (deps: Deps, it: ManagedBooking, form: URLSearchParams): Promise<Response> =>
  submitForm(
    MoveForm,
    form,
    async (input) => {
      await rescheduleBooking(deps, it.by, it.id, input)
      return redirect(`${it.path}?moved`)
    },
    async (formState) => await renderMovePage(deps, it, form, formState),
  )

/** The answer to a time that the pro proposes. */
export const answerProposal = (deps: Deps, it: ManagedBooking, form: URLSearchParams): Promise<Response> =>
  submitForm(
    AnswerForm,
    form,
    async (input) => {
      await answerProposedTime(deps, it.by, it.id, input)
      return redirect(input.answer === 'agree' ? `${it.path}?moved` : it.path)
    },
    async (formState) => await renderManagePage(deps, it, { formState }),
  )
