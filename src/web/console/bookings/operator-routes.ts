// /console/bookings/{id} for operators: the booking's whole story, and their acts on it.
import { Type } from '@sinclair/typebox'
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { BookingParams } from '../../../features/booking/bookings/schemas.ts'
import {
  cancelBookingAsOperator,
  moveBookingAsOperator,
  noteOnBooking,
} from '../../../features/booking/bookings/verbs/operator-actions.ts'
import {
  getBookingStory,
  recordResentDelivery,
  resendBookingMessage,
} from '../../../features/booking/operator-bookings/verbs.ts'
import { MessageParams } from '../../../features/messages/messages/schemas.ts'
import { guard } from '../../../http/guard.ts'
import type { AuthenticatedRequest } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { publicEventId } from '../../../webhooks/endpoints/events.ts'
import { sendNow } from '../../../webhooks/endpoints/verbs/deliveries.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { runFormAction, submitForm } from '../../ui/submit.ts'
import { OperateForm } from './operator-acts.tsx'
import { storyView } from './operator-view.tsx'
import { BOOKINGS_PATH } from './visit.tsx'

const session = ['operator'] as const
const PATH = `${BOOKINGS_PATH}/:id`
const MessageForm = Type.Object({ messageId: MessageParams.properties.id })
const DeliveryForm = Type.Object({ endpointId: Uuid(), eventId: Uuid() })

export const operatorBookingPages = (deps: Deps) =>
  new Elysia({ name: 'operator-booking-pages' })
    .use(guard(deps))
    .get(`${PATH}/operate`, ({ params: { id } }) => redirect(`${BOOKINGS_PATH}/${id}`), {
      session,
      params: BookingParams,
    })
    .post(
      `${PATH}/operate`,
      async function postOperate({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          OperateForm,
          by.form,
          async (input) => {
            const text = await operate(ctx, by, id, input)
            return redirectWithFlash(ctx, by.session, `${BOOKINGS_PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderStory(ctx, by, id, formState),
        )
      },
      { session, params: BookingParams, form: OperateForm },
    )
    .post(
      `${PATH}/messages`,
      async function postBookingMessage({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, `${BOOKINGS_PATH}/${id}`, MessageForm, async ({ messageId }) => {
          await resendBookingMessage(ctx, { id, messageId: Number(messageId), by: by.session.userId })
          return 'The message is being sent.'
        })
      },
      { session, params: BookingParams, form: MessageForm },
    )
    .post(
      `${PATH}/deliveries`,
      async function postBookingDelivery({ ctx, authenticated: by, params: { id } }) {
        return await runFormAction(ctx, by, `${BOOKINGS_PATH}/${id}`, DeliveryForm, async ({ endpointId, eventId }) => {
          const { accountId } = await recordResentDelivery(ctx, { id, endpointId, eventId, by: by.session.userId })
          await sendNow(ctx.as({ accountId }), { id: endpointId, eventId: publicEventId(eventId) })
          return 'The event is being sent.'
        })
      },
      { session, params: BookingParams, form: DeliveryForm },
    )

/** Returns what is said of it. */
async function operate(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  id: string,
  { action, date = '', time = '', actedFor = 'customer', refundsAll, reason }: Static<typeof OperateForm>,
): Promise<string> {
  const act = { id, reason, by: session.userId }
  if (action === 'note') {
    await noteOnBooking(ctx, act)
    return 'The note is kept.'
  }
  if (action === 'move') {
    await moveBookingAsOperator(ctx, { ...act, date, time })
    return 'The booking is moved. Customer and pro are told.'
  }
  await cancelBookingAsOperator(ctx, { ...act, actedFor, refundsAll })
  return 'The booking is cancelled. Customer and pro are told.'
}

export async function renderStory(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  formState = EMPTY_FORM,
): Promise<Response> {
  const story = await getBookingStory(ctx, { id })
  const page = {
    title: `Booking ${story.booking.confirmationCode}`,
    content: storyView(by.session, { story, formState }),
  }
  return renderConsolePage(ctx, by, { ...page, styles: ['console.css'] }, formStatus(formState))
}
