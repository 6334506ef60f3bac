// /bookings: a customer finds, moves and cancels a booking by its confirmation code.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { cancelBooking, getChangeTerms, rescheduleBooking } from '../../../features/bookings/verbs/customer-actions.ts'
import { getBookingByCode, normalizeCode } from '../../../features/bookings/verbs/find-booking.ts'
import { type Access, publicPage } from '../../../auth/access.ts'
import { readForm, refuseForeign } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { CalendarDate, ClockTime } from '../../../platform/schema/types.ts'
import { submitForm } from '../../ui/submit.ts'
import { type FormState, EMPTY_FORM } from '../../ui/forms.ts'
import { renderPersonalPage, redirect } from '../../ui/responses.ts'
import { codePage, movePage, myBookingPage } from './view.ts'
import { readSlotChoice } from '../slot-picker.ts'

const byCode: Access = { ...publicPage, limit: 'codeLookups' }

export const MoveForm = Type.Object({ date: CalendarDate(), time: ClockTime() })

export const myBookingPages = (deps: Deps) =>
  new Elysia({ name: 'my-booking-pages' })
    .use(guard(deps))
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
      async function getBookingOfCode({ request, params: { code } }) {
        const booking = await getBookingByCode(deps, code)
        const terms = await getChangeTerms(deps, booking.id)
        const wasMoved = queryOf(request.url).has('moved') && booking.status === 'confirmed'
        return renderPersonalPage(myBookingPage({ booking, ...terms, wasMoved }))
      },
      { access: byCode, caching: 'personal' },
    )
    .post(
      '/bookings/:code/cancel',
      async function cancelBookingOfCode({ request, params: { code } }) {
        refuseForeign(request, new URL(deps.config.baseUrl).origin)
        const { id, confirmationCode } = await getBookingByCode(deps, code)
        await cancelBooking(deps, await siteCaller(deps), id, { confirmationCode }).catch(ignoreInvalidTransition)
        return redirect(`/bookings/${confirmationCode}`)
      },
      { access: byCode },
    )
    .get(
      '/bookings/:code/move',
      async function getMovePage({ request, params: { code } }) {
        return await renderMovePage(deps, code, queryOf(request.url), EMPTY_FORM)
      },
      { access: byCode, caching: 'personal' },
    )
    .post(
      '/bookings/:code/move',
      async function moveBookingOfCode({ request, params: { code } }) {
        refuseForeign(request, new URL(deps.config.baseUrl).origin)
        const form = await readForm(request)
        return await submitForm(
          MoveForm,
          form,
          async (input) => await submitMove(deps, code, input),
          async (formState) => await renderMovePage(deps, code, form, formState),
        )
      },
      { access: byCode },
    )

const siteCaller = async (deps: Deps) => ({ accountId: (await siteAccountOf(deps)()).id })

/** The page shows the state, also when the booking is already cancelled or has begun. */
function ignoreInvalidTransition(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'invalid_transition')) throw error
}

/** Moves the booking as `POST /api/v1/bookings/{id}/reschedule` does. */
async function submitMove(deps: Deps, code: string, input: { date: string; time: string }): Promise<Response> {
  const { id, confirmationCode } = await getBookingByCode(deps, code)
  await rescheduleBooking(deps, await siteCaller(deps), id, { confirmationCode, ...input })
  return redirect(`/bookings/${confirmationCode}?moved`)
}

/** The open times for a booking, or the reason why it cannot be moved. */
async function renderMovePage(
  deps: Deps,
  code: string,
  query: URLSearchParams,
  formState: FormState,
): Promise<Response> {
  const booking = await getBookingByCode(deps, code)
  const { cancellationCost, canMove } = await getChangeTerms(deps, booking.id)
  const { id, professional } = booking
  const slot = canMove ? await readSlotChoice(deps, professional.id, { movedBookingId: id }, query) : undefined
  return renderPersonalPage(movePage({ booking, cancellationCost, slot, formState }))
}
