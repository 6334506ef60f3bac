// /pros/{slug}/book, a pro's bookingUrl: what, when, who, and the booking. Works without scripts.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { siteAccountOf } from '../../features/accounts/service.ts'
import type { Availability } from '../../features/availability/model.ts'
import { listOpenSlots, listServiceSlots } from '../../features/availability/service.ts'
import { createBooking } from '../../features/bookings/service.ts'
import type { ProfessionalDetail } from '../../features/pros/model.ts'
import { getPro } from '../../features/pros/service.ts'
import { publicPage } from '../../http/access.ts'
import { readForm, refuseForeign } from '../../http/form.ts'
import { gate } from '../../http/gate.ts'
import { queryOf } from '../../http/route-table.ts'
import { CalendarDate, ClockTime, Email, FreeText, Name, Uuid } from '../../platform/schema.ts'
import { submit } from '../answer.ts'
import { type Entered, NOTHING_ENTERED } from '../forms.ts'
import { personalPageAnswer, seeOther } from './answer.ts'
import { type Choice, type Slots, bookingPage } from './booking-page.ts'

const DAYS = 14

export const BookingForm = Type.Object({
  service: Uuid(),
  date: CalendarDate(),
  time: ClockTime(),
  name: Name(),
  email: Email(),
  phone: Type.Optional(Type.String({ maxLength: 50 })),
  street: Type.Optional(Type.String({ maxLength: 200 })),
  zipCode: Type.Optional(Type.String({ maxLength: 20 })),
  description: Type.Optional(FreeText()),
  /** Made with the page: sending the form twice books once. */
  once: Uuid(),
})
type BookingForm = Static<typeof BookingForm>

export const bookingPages = (deps: Deps) =>
  new Elysia({ name: 'booking-pages' })
    .use(gate(deps))
    .get(
      '/pros/:id/book',
      async function getBookingPage({ request, params: { id } }) {
        return await showPicker(deps, id, queryOf(request.url), NOTHING_ENTERED)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/pros/:id/book',
      async function postBookingPage({ request, params: { id } }) {
        refuseForeign(request, new URL(deps.config.baseUrl).origin)
        const form = await readForm(request)
        return await submit(
          BookingForm,
          form,
          async (wish) => await book(deps, id, wish),
          async (entered) => await showPicker(deps, id, form, entered),
        )
      },
      { access: { ...publicPage, limit: 'pageBookings' } },
    )

/** Books as `POST /api/v1/bookings` does, and leads to the payment or to the booking. */
async function book(deps: Deps, pro: string, { once, service, date, time, ...wish }: BookingForm): Promise<Response> {
  const { id, services } = await readPro(deps, pro)
  const offer = services.find((one) => one.id === service)
  const site = await siteAccountOf(deps)()
  const { name, email, phone, street, zipCode, description } = wish
  const { booking, payment } = await createBooking(
    deps,
    { accountId: site.id },
    {
      professionalId: id,
      serviceId: service,
      date,
      time,
      // The times that were shown are as long as the service takes.
      ...defined({ duration: offer?.booking.durationMinutes ?? undefined }),
      customer: { name, email, ...(phone === undefined ? {} : { phone }) },
      ...(street === undefined && zipCode === undefined ? {} : { address: { ...defined({ street, zipCode }) } }),
      ...defined({ description }),
      source: 'web',
    },
    { key: once, replayed: false },
  )
  return seeOther(payment ? new URL(payment.payUrl).pathname : `/bookings/${booking.confirmationCode}`)
}

/** Without the members that are undefined. */
const defined = <T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

// Made by SQL from the schemas of these types.
const readPro = async (deps: Deps, pro: string) => JSON.parse(await getPro(deps, pro)) as ProfessionalDetail

/** The page for what was chosen so far: a service, a day, a time. */
async function showPicker(deps: Deps, slug: string, query: URLSearchParams, entered: Entered): Promise<Response> {
  const pro = await readPro(deps, slug)
  const offers = pro.services.filter(({ booking }) => pro.booking.instantBookingEnabled && booking.instantBookEnabled)
  const service = offers.find(({ id }) => id === query.get('service')) ?? (offers.length === 1 ? offers[0] : undefined)
  const choice: Choice = { pro, offers, service, entered, once: deps.ids.uuid() }
  const [date, from] = [dateIn(query, 'date'), dateIn(query, 'from')]
  const time = query.get('time') ?? ''
  if (!service) {
    const wanted = date === undefined ? undefined : { date, time }
    return personalPageAnswer(bookingPage({ ...choice, wanted }))
  }
  const days = JSON.parse(
    await listOpenSlots(deps, pro.id, { days: DAYS, ...(from === undefined ? {} : { date: from }) }),
  ) as Availability
  const day = date ?? days.nextAvailable?.date ?? days.availability[0]?.date
  if (day === undefined) return personalPageAnswer(bookingPage({ ...choice, days }))
  const slotsOn = async (date: string) =>
    JSON.parse(await listServiceSlots(deps, { professionalId: pro.id, serviceId: service.id, date })) as Slots
  const first = await slotsOn(day)
  // The service may take longer than the gap that is open first.
  const later = date === undefined && !first.slots.some(({ available }) => available) && first.nextAvailable?.date
  const slots = later ? await slotsOn(later) : first
  const chosen = slots.slots.find(({ start, available }) => available && start === time)?.start
  return personalPageAnswer(bookingPage({ ...choice, days, slots, time: chosen }))
}

const dateIn = (query: URLSearchParams, name: string) => /^\d{4}-\d{2}-\d{2}$/.exec(query.get(name) ?? '')?.[0]
