// /pros/{slug}/book, a pro's bookingUrl: what, when, who, and the booking. Works without scripts.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { siteAccountOf } from '../../features/accounts/service.ts'
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
import { type Choice, type Offer, type Subject, bookingPage } from './booking-page.ts'
import { priceOf } from './price.ts'
import { pickTime } from './slot-picker.ts'

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
  const choice: Choice = { pro, offers, entered, once: deps.ids.uuid() }
  const service = offers.find(({ id }) => id === query.get('service')) ?? (offers.length === 1 ? offers[0] : undefined)
  if (!service) {
    const [date, time] = [query.get('date'), query.get('time')]
    const wanted = date === null ? undefined : { date, time: time ?? '' }
    return personalPageAnswer(bookingPage({ ...choice, wanted }))
  }
  const subject = subjectOf(pro, service)
  const picked = await pickTime(deps, { professionalId: pro.id, minutes: subject.minutes }, query)
  return personalPageAnswer(bookingPage({ ...choice, chosen: { subject, picked } }))
}

const subjectOf = ({ booking }: ProfessionalDetail, service: Offer): Subject => ({
  field: 'service',
  id: service.id,
  name: service.name,
  price: priceOf(service.pricing),
  minutes: service.booking.durationMinutes ?? booking.defaultSlotMinutes,
})
