// Bookings for customers who call: /console/bookings/new for a pro, /console/verification/{id}/book for an operator.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { PUBLIC } from '../../../auth/caller.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { type Booker, createBooking } from '../../../features/booking/bookings/verbs/create-booking.ts'
import { getProToCheck } from '../../../features/business/verification/verbs.ts'
import { getOpenSlots } from '../../../features/calendar/availability/verbs.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { getPro } from '../../../features/search/pros/verbs/pros.ts'
import { requireServiceArea } from '../../../features/search/pros/verbs/service-area.ts'
import { pageAccountOf } from '../../../features/upkeep/test-mode/verbs.ts'
import { validFields } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { isShownAgain } from '../../../http/kept-form.ts'
import { queryOf } from '../../../http/request-target.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { readSlotChoice } from '../../public/slot-choice.ts'
import { addressIn } from '../../public/visit-fields.tsx'
import { openAddressReader } from '../../public/zip-places.ts'
import { EMPTY_FORM, type FormState, formStatus } from '../../ui/form.tsx'
import { redirectWithFlash, renderConsolePage } from '../../ui/responses.tsx'
import { submitForm } from '../../ui/submit.ts'
import { VERIFICATION_PATH } from '../verification/view.tsx'
import { byHandPath } from './by-hand-link.tsx'
import {
  AnyByHandForm,
  BY_HAND_TITLE,
  type ByHandInput,
  type ByHandPlace,
  byHandFormFor,
  byHandView,
  notBookableView,
  partsOfStart,
} from './by-hand-view.tsx'
import { BOOKINGS_PATH, NEW_BOOKING_PATH } from './visit.tsx'

const params = Type.Object({ id: Uuid() })
const OPERATOR_PATH = byHandPath(':id')

/** With whom a page books, in whose place, and what it says where the customer cannot book. */
interface Desk {
  professionalId: string
  place: ByHandPlace
  booker: () => Promise<Booker> | Booker
  /** Throws professional_not_found. */
  requirePro: () => Promise<unknown>
  blocked: string
}

export const byHandPages = (deps: Deps) =>
  new Elysia({ name: 'by-hand-pages' })
    .use(guard(deps))
    .get(
      NEW_BOOKING_PATH,
      async function getNewBooking({ ctx, request, authenticated: by }) {
        return await renderByHand(ctx, by, deskOfPro(by), { query: queryOf(request.url) })
      },
      { session: ['pro'] },
    )
    .post(
      NEW_BOOKING_PATH,
      async function postNewBooking({ ctx, authenticated: by }) {
        return await submitByHand(ctx, by, deskOfPro(by))
      },
      { session: ['pro'], form: AnyByHandForm },
    )
    .get(
      OPERATOR_PATH,
      async function getBookingForPro({ ctx, request, authenticated: by, params: { id } }) {
        return await renderByHand(ctx, by, deskOfOperator(ctx, by, id), { query: queryOf(request.url) })
      },
      { session: ['operator'], params },
    )
    .post(
      OPERATOR_PATH,
      async function postBookingForPro({ ctx, authenticated: by, params: { id } }) {
        return await submitByHand(ctx, by, deskOfOperator(ctx, by, id))
      },
      { session: ['operator'], params, form: AnyByHandForm },
    )

/** The account of the pro makes the booking: so it never counts as the customer's own. */
function deskOfPro(by: AuthenticatedRequest): Desk {
  const { accountId, professionalId } = actingProOf(by)
  return {
    professionalId,
    place: { path: NEW_BOOKING_PATH, back: { href: BOOKINGS_PATH, label: 'Bookings' }, namesPro: false },
    booker: () => ({ accountId, addressProof: 'vouched', byHand: { maker: 'pro' } }),
    requirePro: () => Promise.resolve(),
    blocked: 'You blocked this customer. Take the block back first, on the page of blocked customers.',
  }
}

const deskOfOperator = (ctx: Ctx, { session }: AuthenticatedRequest, id: string): Desk => ({
  professionalId: id,
  place: { path: byHandPath(id), back: { href: `${VERIFICATION_PATH}/${id}`, label: 'The pro' }, namesPro: true },
  booker: async () => ({
    accountId: await pageAccountOf(ctx.as(PUBLIC)),
    addressProof: 'vouched',
    byHand: { maker: 'operator', operatorId: session.userId },
  }),
  requirePro: () => getProToCheck(ctx, { id }),
  blocked: 'This pro does not take bookings from this customer. Choose another pro.',
})

/** The pro, if customers find them. SQL builds the JSON after the schema of this type. */
async function findOpenPro(ctx: Ctx, professionalId: string): Promise<ProfessionalDetail | undefined> {
  try {
    return JSON.parse(await getPro(ctx.as(PUBLIC), { pro: professionalId })) as ProfessionalDetail
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found') return undefined
    throw error
  }
}

async function submitByHand(ctx: Ctx, by: AuthenticatedRequest, desk: Desk): Promise<Response> {
  const pro = await findOpenPro(ctx, desk.professionalId)
  if (!pro) {
    const formState = { values: by.form, errors: {}, status: 409 }
    return await renderByHand(ctx, by, desk, { query: by.form, formState })
  }
  const addresses = await openAddressReader(ctx)
  const form = isShownAgain(by.form) ? by.form : addresses.complete(by.form)
  const { service = '' } = validFields(AnyByHandForm, form)
  return await submitForm(
    addresses.checking(byHandFormFor(pro, service)),
    form,
    async (input) => {
      await requireServiceArea(ctx, { professionalId: pro.id, serviceId: input.service, ...addressIn(input) })
      const { booking, payment } = await book(ctx, desk, input)
      const text =
        payment === null
          ? 'Booked. The customer gets the message with the link to move or cancel it.'
          : 'The time is held. The customer gets the link to pay the deposit by e-mail.'
      return redirectWithFlash(ctx, by.session, `${BOOKINGS_PATH}/${booking.id}`, { tone: 'good', text })
    },
    (formState) => renderByHand(ctx, by, desk, { query: form, formState }),
  )
}

/** Books as the public page does. Says why not in words for the person on the phone with the customer. */
async function book(ctx: Ctx, { professionalId, booker, blocked }: Desk, input: ByHandInput) {
  const { service, start, name, email, phone, description, idempotencyKey } = input
  const at = partsOfStart(start)
  if (!at) throw invalidField('body.start', 'must be a time of the list')
  try {
    return await createBooking(ctx.as(await booker(), { key: idempotencyKey }), {
      professionalId,
      serviceId: service,
      ...at,
      customer: { name, email, ...(phone === undefined ? {} : { phone }) },
      ...addressIn(input),
      ...(description === undefined ? {} : { description }),
      source: 'web',
      defaultLength: 'service',
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'slot_unavailable')
      throw invalidField('body.start', 'is taken or over by now. Choose another time')
    if (error.code === 'customer_blocked') throw invalidField('body.email', `is of a blocked customer. ${blocked}`)
    if (error.code === 'too_many_unpaid_bookings')
      throw invalidField('body.email', 'is of a customer with too many unpaid bookings with this pro')
    throw error
  }
}

async function renderByHand(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { professionalId, place, requirePro }: Desk,
  { query, formState = EMPTY_FORM }: { query: URLSearchParams; formState?: FormState },
): Promise<Response> {
  const page = {
    title: BY_HAND_TITLE,
    styles: ['console.css', 'booking.css'] as const,
    scripts: ['address.js'] as const,
  }
  const pro = await findOpenPro(ctx, professionalId)
  if (!pro) {
    await requirePro()
    const content = notBookableView(place, formState !== EMPTY_FORM)
    return renderConsolePage(ctx, by, { ...page, content }, formStatus(formState))
  }
  const only = pro.services.length === 1 ? pro.services[0] : undefined
  const service = pro.services.find(({ id }) => id === query.get('service')) ?? only
  // After a refused form the times are read from the primary: a replica may still list the time that was just taken.
  const source = formState === EMPTY_FORM ? ctx : ctx.fresh()
  const slot =
    service &&
    (await readSlotChoice(
      ctx,
      (days) => getOpenSlots(source.as(PUBLIC), { serviceId: service.id, ...days, pro: pro.id }),
      timeIn(query),
    ))
  const choice = { pro, slot, formState, idempotencyKey: ctx.ids.uuid() }
  const content = byHandView(by.session, place, choice)
  return renderConsolePage(ctx, by, { ...page, content }, formStatus(formState))
}

/** The day and time of a link or, in one field, of the form. */
function timeIn(query: URLSearchParams): URLSearchParams {
  const at = partsOfStart(query.get('start') ?? '')
  return at ? new URLSearchParams(at) : query
}
