// /pros/{slug}/book, a pro's bookingUrl: choose a service and a time, then book. Works without scripts.
import type { Viewer } from '../../../auth/caller.ts'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import type { Availability } from '../../../features/calendar/availability/schemas.ts'
import { getOpenSlots } from '../../../features/calendar/availability/verbs.ts'
import { type Booker, createBooking, startBooking } from '../../../features/booking/bookings/verbs/create-booking.ts'
import { manageUrl } from '../../../features/booking/bookings/verbs/manage-link.ts'
import type { Scope } from '../../../auth/scopes.ts'
import { listLogos } from '../../../features/files/pictures/verbs.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { getPro } from '../../../features/search/pros/verbs/pros.ts'
import { requireServiceArea } from '../../../features/search/pros/verbs/service-area.ts'
import { pageAccountOf, viewerOfProLink } from '../../../features/upkeep/test-mode/verbs.ts'
import { actsForPro } from '../../../auth/accounts/verbs.ts'
import { addressProofOfForm } from '../../../auth/address-proof.ts'
import { publicPage } from '../../../auth/access.ts'
import { readForm, validFields } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { actorOfBrowser } from '../../../http/session.ts'
import { networkDigestOf } from '../../../rate-limit/network.ts'
import { queryOf } from '../../../http/request-target.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { submitForm } from '../../ui/submit.ts'
import type { FormState } from '../../ui/form.tsx'
import { pictureSources } from '../../ui/pictures.tsx'
import { renderPersonalPage, redirect } from '../../ui/responses.tsx'
import { readVisitor, renderCodeStep } from './code-step.ts'
import { type BookingInput, ChoiceForm, StepForm, bookingFormFor } from './forms.ts'
import { type BookingChoice, bookingPage } from './view.tsx'
import { heldLinkCookie } from '../held-links.ts'
import { waysToNearest } from '../nearest-pros.ts'
import { readSlotChoice, slotsOn } from '../slot-choice.ts'
import { withTestNotice } from '../test-notice.tsx'
import { detailsIn, prefilledForm, typedDetailsCookie } from '../typed-details.ts'
import { addressIn } from '../visit-fields.tsx'
import { openAddressReader } from '../zip-places.ts'

export const bookingPages = (deps: Deps) =>
  new Elysia({ name: 'booking-pages' })
    .use(guard(deps))
    .get(
      '/pros/:id/book',
      async function getBookingPage({ ctx, request, params: { id } }) {
        const formState = await prefilledForm(ctx, request)
        return await renderBookingPage(ctx, request, { slug: id, query: queryOf(request.url), formState })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/pros/:id/book',
      async function postBookingPage({ ctx, request, params: { id } }) {
        return await submitBookingForm(ctx, request, id, await readForm(ctx, request))
      },
      { access: { ...publicPage, limit: 'pageBookings' } },
    )

/** The page with the times of the day in the form. */
function otherTimePath(slug: string, form: URLSearchParams): string {
  const { service = '', package: chosen, date = '' } = validFields(ChoiceForm, form)
  const query = new URLSearchParams({ ...(chosen === undefined ? { service } : { package: chosen }), date })
  return `/pros/${encodeURIComponent(slug)}/book?${query.toString()}`
}

/** Books, or asks for the code with which the visitor proves the e-mail address. What was typed is kept on every turn. */
async function submitBookingForm(ctx: Ctx, request: Request, slug: string, sent: URLSearchParams): Promise<Response> {
  const addresses = await openAddressReader(ctx)
  const form = addresses.complete(sent)
  const cookies = [typedDetailsCookie(ctx, detailsIn(form))]
  const { step } = validFields(StepForm, form)
  if (step === 'time') return redirect(otherTimePath(slug, form), cookies)
  const show = (formState: FormState) => renderBookingPage(ctx, request, { slug, query: form, formState, cookies })
  if (step === 'details') return await show({ values: form, errors: {} })
  const viewer = await viewerOfProLink(ctx, { pro: slug })
  const pro = await readPro(ctx, viewer, slug)
  const { service = '' } = validFields(ChoiceForm, form)
  return await submitForm(
    addresses.checking(bookingFormFor(pro, service)),
    form,
    async (input) => {
      await requireServiceArea(ctx, { professionalId: pro.id, serviceId: input.service, ...addressIn(input) })
      const ask = async (shown: { send: boolean; codeState?: FormState; isResent?: boolean }) => {
        const { businessName } = pro
        const path = `/pros/${encodeURIComponent(slug)}/book`
        return await renderCodeStep(ctx, request, { path, businessName, form, email: input.email, cookies, ...shown })
      }
      if (step === 'resend') return await ask({ send: true, isResent: true })
      const visitor = await readVisitor(ctx, request, form)
      if ('codeState' in visitor) return await ask({ send: visitor.needsCode, codeState: visitor.codeState })
      cookies.push(...visitor.cookies)
      try {
        const { bookingId, professionalId, path } = await submitBooking(ctx, { viewer, pro }, input, {
          addressProof: addressProofOfForm(visitor.customer, input.email),
          network: networkDigestOf(ctx, request),
        })
        // A pro's own browser gets the pro's pages: the customer's pages are not for it.
        if (await actsForPro(ctx.as(await actorOfBrowser(ctx, request)), { professionalId }))
          return redirect(`/console/bookings/${bookingId}`, cookies)
        return redirect(path, [...cookies, heldLinkCookie(ctx, request, bookingId)])
      } catch (error) {
        if (error instanceof AppError && error.code === 'address_unproven') return await ask({ send: true })
        throw error
      }
    },
    show,
    waysToNearest(`book?service=${service}`),
  )
}

/** Books. Returns the path of the customer's next page: the payment or the booking. */
async function submitBooking(
  ctx: Ctx,
  { viewer, pro }: { viewer: Viewer; pro: ProfessionalDetail },
  input: BookingInput,
  by: Pick<Booker, 'addressProof' | 'network'>,
): Promise<{ bookingId: string; professionalId: string; path: string }> {
  const booker = { ...by, accountId: await pageAccountOf(ctx.as(viewer)) }
  const { booking, payment } =
    input.package === undefined
      ? await bookService(ctx, booker, pro, input)
      : await bookPackage(ctx, { ...booker, viewer }, pro, { ...input, package: input.package })
  const path = new URL(payment?.payUrl ?? manageUrl(ctx, { bookingId: booking.id })).pathname
  return { bookingId: booking.id, professionalId: pro.id, path }
}

/** Books a service as `POST /api/v1/bookings` does, in its own length. */
function bookService(ctx: Ctx, booker: Booker, { id }: ProfessionalDetail, input: BookingInput) {
  const { idempotencyKey, service, date, time, name, email, phone, description } = input
  return createBooking(ctx.as(booker, { key: idempotencyKey }), {
    professionalId: id,
    serviceId: service,
    date,
    time,
    customer: { name, email, ...(phone === undefined ? {} : { phone }) },
    ...addressIn(input),
    ...defined({ description }),
    source: 'web',
    defaultLength: 'service',
  })
}

/** Books a package as `POST /api/v1/bookings/create` does for a key with the scope packages:book. */
async function bookPackage(
  ctx: Ctx,
  { viewer, ...booker }: Booker & { viewer: Viewer },
  pro: ProfessionalDetail,
  input: BookingInput & { package: string },
) {
  const { package: packageId, date, time } = input
  const times = await getOpenSlots(ctx.as(viewer), { packageId, date, pro: pro.id })
  // Finds taken times as well, so that a form that is sent again gets the response of the first time.
  const start = slotsOn(times, date).find((slot) => slot.start === time)
  if (!start) throw notOpen(times)
  const { description, phone: guestPhone } = input
  return await startBooking(
    ctx.as({ ...booker, scopes: new Set<Scope>(['packages:book']) }, { key: input.idempotencyKey }),
    {
      professionalId: pro.id,
      serviceId: input.service,
      packageId,
      startDateTime: start.startDateTime,
      guestName: input.name,
      guestEmail: input.email,
      ...addressIn(input),
      ...defined({ description, guestPhone }),
      source: 'web',
    },
  )
}

const notOpen = ({ service }: Availability) =>
  service?.obstacle
    ? new AppError(service.obstacle.reason, service.obstacle.detail)
    : new AppError('slot_unavailable', 'The pro is not free at this time.')

/** A copy without undefined members. */
const defined = <T extends object>(value: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>
  }

// SQL builds the JSON after the schema of this type.
const readPro = async (ctx: Ctx, viewer: Viewer, pro: string) =>
  JSON.parse(await getPro(ctx.as(viewer), { pro })) as ProfessionalDetail

interface ShownForm {
  slug: string
  query: URLSearchParams
  formState: FormState
  /** After a form was sent: what was typed, and a session that its code started. */
  cookies?: readonly string[]
}

/** The booking page: the services, or the open times of the chosen service or package. */
async function renderBookingPage(
  ctx: Ctx,
  request: Request,
  { slug, query, formState, cookies }: ShownForm,
): Promise<Response> {
  const viewer = await viewerOfProLink(ctx, { pro: slug })
  const pro = await readPro(ctx, viewer, slug)
  const offers = pro.services.filter(({ booking }) => booking.instantBookEnabled)
  const logos = await listLogos(ctx, { ids: [pro.id] })
  const choice = {
    pro,
    logo: logos.get(pro.id),
    offers,
    formState,
    idempotencyKey: ctx.ids.uuid(),
    now: ctx.clock.now(),
  }
  const render = (shown: BookingChoice) => {
    const status = formState.status === 403 ? 403 : 200
    const response = renderPersonalPage(request, withTestNotice(viewer, bookingPage(shown)), {
      status,
      sources: pictureSources(ctx.config),
    })
    for (const one of cookies ?? []) response.headers.append('set-cookie', one)
    return response
  }
  const wanted = chosenPackage(ctx, query) ?? chosenService(pro, offers, query)
  if (wanted) {
    // After a refused form the times are read from the primary: a replica may still list the time that was just taken.
    const source = cookies === undefined ? ctx : ctx.fresh()
    const slot = await readSlotChoice(
      ctx,
      (days) => getOpenSlots(source.as(viewer), { ...wanted, ...days, pro: pro.id }),
      query,
    )
    return render({ ...choice, slot })
  }
  const date = query.get('date')
  const preset = date === null ? undefined : { date, time: query.get('time') ?? '' }
  return render({ ...choice, preset })
}

type Offers = ProfessionalDetail['services']

/** The service in the query, or the only one that can be booked. */
function chosenService({ services }: ProfessionalDetail, offers: Offers, query: URLSearchParams) {
  const only = offers.length === 1 ? offers[0] : undefined
  const service = services.find(({ id }) => id === query.get('service')) ?? only
  return service && { serviceId: service.id }
}

function chosenPackage({ config }: Deps, query: URLSearchParams) {
  const id = query.get('package')
  return config.features.has('FEATURE_OFFER_PACKAGES') && Value.Check(Uuid(), id) ? { packageId: id } : undefined
}
