// /console/bookings: a pro's bookings and their actions. An operator sees the story of one.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import type { ProAction } from '../../../features/booking/bookings/action-schemas.ts'
import { BookingParams, BookingView } from '../../../features/booking/bookings/schemas.ts'
import { getProBooking } from '../../../features/booking/bookings/verbs/find-booking.ts'
import { actOnBooking } from '../../../features/booking/bookings/verbs/pro-actions.ts'
import { searchBookings } from '../../../features/booking/bookings/verbs/pro-lists.ts'
import { listTeam } from '../../../features/business/members/verbs/team.ts'
import { listBookingMessages } from '../../../features/messages/messages/verbs/message-log.ts'
import { getSchedule } from '../../../features/calendar/schedule/verbs.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { pageParameters } from '../../../platform/schema/paging.ts'
import { day } from '../../../platform/text/format.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { bookingListView } from './list.tsx'
import { renderStory } from './operator-routes.ts'
import { BookingForm, bookingView } from './view.tsx'
import { BOOKINGS_PATH as PATH, hasStarted } from './visit.tsx'

const session = ['pro'] as const
const styles = ['console.css'] as const

export const BookingsQuery = Type.Object({
  show: Type.Optional(BookingView),
  q: Type.Optional(Type.String({ maxLength: 200 })),
  ...pageParameters,
})

export const consoleBookingPages = (deps: Deps) =>
  new Elysia({ name: 'console-booking-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getBookings({
        ctx,
        authenticated: by,
        query: { show: view = 'upcoming', q: text = '', ...page },
      }) {
        const list = await searchBookings(ctx.as(actingProOf(by)), { view, text, ...page })
        const content = bookingListView(by.session, { ...list, view, text: text.trim() })
        return renderConsolePage(ctx, by, { title: 'Bookings', content, styles })
      },
      { session, query: BookingsQuery },
    )
    .get(
      `${PATH}/:id`,
      async function getBooking({ ctx, authenticated: by, params: { id } }) {
        return by.session.role === 'operator' ? await renderStory(ctx, by, id) : await renderBooking(ctx, by, id)
      },
      { session: ['operator', 'pro'], params: BookingParams },
    )
    .post(
      `${PATH}/:id`,
      async function postBooking({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          BookingForm,
          by.form,
          async (input) => {
            await actOnBooking(ctx.as(actingProOf(by)), { ...input, id })
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, { tone: 'good', text: DONE[input.action] })
          },
          (formState) => renderBooking(ctx, by, id, formState),
        )
      },
      { session, params: BookingParams, form: BookingForm },
    )

const DONE: Record<ProAction['action'], string> = {
  confirm: 'The booking is confirmed.',
  reject: 'The booking is rejected. Any payment is refunded.',
  complete: 'The booking is completed.',
  no_show: 'The booking is marked as a no-show.',
  cancel: 'The booking is cancelled. Any payment is refunded.',
  assign: 'The booking is assigned.',
  propose: 'The time is proposed. The booking moves when the customer agrees.',
}

async function renderBooking(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const pro = actingProOf(by)
  const booking = await getProBooking(ctx, { ...pro, id })
  const [{ members }, messages, { settings }] = await Promise.all([
    listTeam(ctx.as(pro), { limit: 50 }),
    listBookingMessages(ctx, { professionalId: pro.professionalId, bookingId: id }),
    getSchedule(ctx.as(pro)),
  ])
  const content = bookingView(pro, {
    booking,
    messages,
    team: members.map((member) => ({ value: member.id, label: member.name })),
    timeZone: settings.timezone,
    hasStarted: hasStarted(booking, ctx.clock.now(), settings.timezone),
    formState,
  })
  const title = `Booking ${day(booking.scheduledDate)}`
  return renderConsolePage(ctx, by, { title, content, styles }, formStatus(formState))
}
