// /pros/{slug}/book, a pro's bookingUrl: what, when, who, and the booking. Works without scripts.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { siteAccountOf } from '../../../auth/accounts/verbs.ts'
import { listTimes } from '../../../features/availability/verbs.ts'
import { createBooking, startBooking } from '../../../features/bookings/verbs/create-booking.ts'
import type { Scope } from '../../../auth/scopes.ts'
import { listPackagesOfPro } from '../../../features/packages/verbs/packages.ts'
import type { ProfessionalDetail } from '../../../features/pros/schemas.ts'
import { getPro } from '../../../features/pros/verbs.ts'
import { publicPage } from '../../../auth/access.ts'
import { readForm, refuseForeign } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/route-table.ts'
import { CalendarDate, ClockTime, Email, FreeText, Name, Uuid } from '../../../platform/schema/types.ts'
import { submitForm } from '../../ui/submit.ts'
import { money } from '../../ui/format.ts'
import { type FormState, EMPTY_FORM } from '../../ui/forms.ts'
import { renderPersonalPage, redirect } from '../../ui/responses.ts'
import { type BookingChoice, type Subject, bookingPage } from './view.ts'
import { priceOf } from '../../ui/format.ts'
import { readSlotChoice, slotsOn } from '../slot-picker.ts'

export const BookingForm = Type.Object({
  service: Uuid(),
  /** Of that service. */
  package: Type.Optional(Uuid()),
  date: CalendarDate(),
  time: ClockTime(),
  name: Name(),
  email: Email(),
  phone: Type.Optional(Type.String({ maxLength: 50 })),
  street: Type.Optional(Type.String({ maxLength: 200 })),
  zipCode: Type.Optional(Type.String({ maxLength: 20 })),
  description: Type.Optional(FreeText()),
  /** Made with the page: sending the form twice books once. */
  idempotencyKey: Uuid(),
})
type BookingForm = Static<typeof BookingForm>

export const bookingPages = (deps: Deps) =>
  new Elysia({ name: 'booking-pages' })
    .use(guard(deps))
    .get(
      '/pros/:id/book',
      async function getBookingPage({ request, params: { id } }) {
        return await renderBookingPage(deps, id, queryOf(request.url), EMPTY_FORM)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/pros/:id/book',
      async function postBookingPage({ request, params: { id } }) {
        refuseForeign(request, new URL(deps.config.baseUrl).origin)
        const form = await readForm(request)
        return await submitForm(
          BookingForm,
          form,
          async (input) => await submitBooking(deps, id, input),
          async (formState) => await renderBookingPage(deps, id, form, formState),
        )
      },
      { access: { ...publicPage, limit: 'pageBookings' } },
    )

/** Books, and leads to the payment or to the booking. */
async function submitBooking(deps: Deps, slug: string, input: BookingForm): Promise<Response> {
  const pro = await readPro(deps, slug)
  const { id: accountId } = await siteAccountOf(deps)()
  const {
    value: { booking, payment },
  } =
    input.package === undefined
      ? await bookService(deps, accountId, pro, input)
      : await bookPackage(deps, accountId, pro, { ...input, package: input.package })
  return redirect(payment ? new URL(payment.payUrl).pathname : `/bookings/${booking.confirmationCode}`)
}

/** As `POST /api/v1/bookings` does. */
function bookService(deps: Deps, accountId: string, { id, services }: ProfessionalDetail, input: BookingForm) {
  const { idempotencyKey, service, date, time, name, email, phone, street, zipCode, description } = input
  const offer = services.find((one) => one.id === service)
  return createBooking(
    deps,
    { accountId },
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
    { key: idempotencyKey },
  )
}

/** As `POST /api/v1/bookings/create` does for a key that may book packages; our own pages may. */
async function bookPackage(
  deps: Deps,
  accountId: string,
  pro: ProfessionalDetail,
  input: BookingForm & { package: string },
) {
  const offer = (await listPackagesOfPro(deps, pro.id)).find(({ id }) => id === input.package)
  if (!offer) throw new AppError('package_not_found', 'This pro offers no such package.')
  const wanted = { professionalId: pro.id, minutes: offer.durationMinutes, from: input.date, days: 1 }
  const start = slotsOn(await listTimes(deps, wanted), input.date)?.find((slot) => slot.start === input.time)
  if (!start) throw new AppError('slot_unavailable', 'The pro is not free at this time.')
  const { description, zipCode } = input
  return await startBooking(
    deps,
    { accountId, scopes: new Set<Scope>(['packages:book']) },
    {
      professionalId: pro.id,
      serviceId: offer.service.id,
      packageId: offer.id,
      startDateTime: start.startDateTime,
      guestName: input.name,
      guestEmail: input.email,
      ...defined({ description, zipCode }),
    },
    { key: input.idempotencyKey },
    'web',
  )
}

/** Without the members that are undefined. */
const defined = <T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

// Made by SQL from the schemas of these types.
const readPro = async (deps: Deps, pro: string) => JSON.parse(await getPro(deps, pro)) as ProfessionalDetail

/** The page for what was chosen so far: a service, a day, a time. */
async function renderBookingPage(
  deps: Deps,
  slug: string,
  query: URLSearchParams,
  formState: FormState,
): Promise<Response> {
  const pro = await readPro(deps, slug)
  const offers = pro.services.filter(({ booking }) => pro.booking.instantBookingEnabled && booking.instantBookEnabled)
  const choice: BookingChoice = { pro, offers, formState, idempotencyKey: deps.ids.uuid() }
  const subject = (await chosenPackage(deps, choice, query)) ?? chosenService(choice, query)
  if (!subject) {
    const [date, time] = [query.get('date'), query.get('time')]
    const wanted = date === null ? undefined : { date, time: time ?? '' }
    return renderPersonalPage(bookingPage({ ...choice, wanted }))
  }
  const picked = await readSlotChoice(deps, { professionalId: pro.id, minutes: subject.minutes }, query)
  return renderPersonalPage(bookingPage({ ...choice, chosen: { subject, picked } }))
}

function chosenService({ pro, offers }: BookingChoice, query: URLSearchParams): Subject | undefined {
  const service = offers.find(({ id }) => id === query.get('service')) ?? (offers.length === 1 ? offers[0] : undefined)
  return (
    service && {
      query: { service: service.id },
      fields: { service: service.id },
      name: service.name,
      price: priceOf(service.pricing),
      minutes: service.booking.durationMinutes ?? pro.booking.defaultSlotMinutes,
    }
  )
}

/** Only of a service that can be booked at once. */
async function chosenPackage(
  deps: Deps,
  { pro, offers }: BookingChoice,
  query: URLSearchParams,
): Promise<Subject | undefined> {
  const id = query.get('package')
  const found = id === null ? undefined : (await listPackagesOfPro(deps, pro.id)).find((offer) => offer.id === id)
  if (!found || !offers.some((offer) => offer.id === found.service.id)) return undefined
  return {
    query: { package: found.id },
    fields: { service: found.service.id, package: found.id },
    name: found.name,
    price: money(found.price, found.currency),
    minutes: found.durationMinutes,
    package: { includes: found.includes, feeCents: deps.config.instantBookingFeeCents },
  }
}
