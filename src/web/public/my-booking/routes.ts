// /bookings: a customer finds a booking by its confirmation code, and moves and cancels it through its manage link.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { siteAccountOf } from '../../../auth/accounts/verbs.ts'
import {
  type BookingCustomer,
  cancelBooking,
  getChangeTerms,
  rescheduleBooking,
} from '../../../features/bookings/verbs/customer-actions.ts'
import { getBookingByCode, getBookingOfLink, normalizeCode } from '../../../features/bookings/verbs/find-booking.ts'
import { readBookingFile } from '../../../features/calendar-feeds/verbs.ts'
import { readManageToken } from '../../../features/bookings/verbs/manage-link.ts'
import { answerProposedTime } from '../../../features/bookings/verbs/proposed-times.ts'
import { ProposedTimeAnswer } from '../../../features/bookings/action-schemas.ts'
import { type Access, publicPage } from '../../../auth/access.ts'
import { readForm } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { CalendarDate, ClockTime } from '../../../platform/schema/types.ts'
import { submitForm } from '../../ui/submit.ts'
import { type FormState, EMPTY_FORM, formStatus } from '../../ui/forms.ts'
import { renderPersonalPage, redirect } from '../../ui/responses.ts'
import { bookingFile, codeOfFile } from '../calendar.ts'
import { codePage, movePage, myBookingPage } from './view.ts'
import { readSlotChoice } from '../slot-picker.ts'

const byCode: Access = { ...publicPage, limit: 'codeLookups' }

export const MoveForm = Type.Object({ date: CalendarDate(), time: ClockTime() })

export const myBookingPages = (deps: Deps) =>
  new Elysia({ name: 'my-booking-pages' })
    .use(guard(deps))
    .use(managePages(deps))
    .use(answerPages(deps))
    .get(
      '/bookings',
      function getCodePage({ request }) {
        const code = queryOf(request.url).get('code')
        return code === null || code.trim() === ''
          ? renderPersonalPage(codePage)
          : redirect(`/bookings/${encodeURIComponent(normalizeCode(code))}`)
      },
      { access: publicPage, caching: 'personal' },
    )
    .get(
      '/bookings/:code',
      async function getBookingOfCode({ params: { code } }) {
        const fileCode = codeOfFile(code)
        if (fileCode !== undefined) return bookingFile(await readBookingFile(deps, fileCode))
        return renderPersonalPage(myBookingPage({ now: deps.clock.now(), booking: await getBookingByCode(deps, code) }))
      },
      { access: byCode, caching: 'personal' },
    )

/** What the manage link allows. */
const managePages = (deps: Deps) =>
  new Elysia({ name: 'manage-booking-pages', prefix: '/bookings/manage/:token' })
    .use(guard(deps))
    .get(
      '',
      async function getManagedBooking({ request, params: { token } }) {
        return await renderManagePage(deps, token, { hasMoved: queryOf(request.url).has('moved') })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/cancel',
      async function cancelManagedBooking({ params: { token } }) {
        const id = readManageToken(deps, token)
        await cancelBooking(deps, await linkHolder(deps), id, {}).catch(ignoreInvalidTransition)
        return redirect(pathOf(token))
      },
      { access: publicPage },
    )
    .get(
      '/move',
      async function getMovePage({ request, params: { token } }) {
        return await renderMovePage(deps, token, queryOf(request.url), EMPTY_FORM)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/move',
      async function moveManagedBooking({ request, params: { token } }) {
        const form = await readForm(deps, request)
        return await submitForm(
          MoveForm,
          form,
          async (input) => {
            await rescheduleBooking(deps, await linkHolder(deps), readManageToken(deps, token), input)
            return redirect(`${pathOf(token)}?moved`)
          },
          async (formState) => await renderMovePage(deps, token, form, formState),
        )
      },
      { access: publicPage },
    )

export const AnswerForm = Type.Object({ answer: ProposedTimeAnswer.properties.answer })

/** The answer to a time that the pro proposes. */
const answerPages = (deps: Deps) =>
  new Elysia({ name: 'proposal-answer-pages' }).use(guard(deps)).post(
    '/bookings/manage/:token/proposed-time',
    async function answerProposal({ request, params: { token } }) {
      return await submitForm(
        AnswerForm,
        await readForm(deps, request),
        async (input) => {
          await answerProposedTime(deps, await linkHolder(deps), readManageToken(deps, token), input)
          return redirect(input.answer === 'agree' ? `${pathOf(token)}?moved` : pathOf(token))
        },
        async (formState) => await renderManagePage(deps, token, { formState }),
      )
    },
    { access: publicPage },
  )

async function renderManagePage(
  deps: Deps,
  token: string,
  { formState = EMPTY_FORM, hasMoved = false }: { formState?: FormState; hasMoved?: boolean },
): Promise<Response> {
  const booking = await getBookingOfLink(deps, token)
  const terms = await getChangeTerms(deps, booking.id)
  const wasMoved = hasMoved && (booking.status === 'confirmed' || booking.status === 'pending')
  const manage = { path: pathOf(token), ...terms, wasMoved, formState }
  return renderPersonalPage(myBookingPage({ now: deps.clock.now(), booking, manage }), formStatus(formState))
}

const pathOf = (token: string) => `/bookings/manage/${encodeURIComponent(token)}`

const linkHolder = async (deps: Deps): Promise<BookingCustomer> => ({
  accountId: (await siteAccountOf(deps)()).id,
  hasManageLink: true,
})

/** The page shows the state, also when the booking is already cancelled or has begun. */
function ignoreInvalidTransition(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
}

/** The open times for a booking, or the reason why it cannot be moved. */
async function renderMovePage(
  deps: Deps,
  token: string,
  query: URLSearchParams,
  formState: FormState,
): Promise<Response> {
  const booking = await getBookingOfLink(deps, token)
  const { cancellationCost, canMove } = await getChangeTerms(deps, booking.id)
  const { id, professional } = booking
  const slot = canMove ? await readSlotChoice(deps, professional.id, { movedBookingId: id }, query) : undefined
  return renderPersonalPage(movePage({ booking, path: pathOf(token), cancellationCost, slot, formState }))
}
