// /pros/{slug}/quote: ask a pro for a quote. /requests/{token}: follow the request.
import type { Viewer } from '../../../auth/caller.ts'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import type { ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { getPro } from '../../../features/search/pros/verbs/pros.ts'
import { requireServiceArea } from '../../../features/search/pros/verbs/service-area.ts'
import { followRequest, requestUrl } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import { pageAccountOf, viewerOfProLink } from '../../../features/upkeep/test-mode/verbs.ts'
import { visitErrors } from '../../../features/booking/bookings/verbs/visit-details.ts'
import { createRfq } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import { addressProofOfForm } from '../../../auth/address-proof.ts'
import { publicPage } from '../../../auth/access.ts'
import { findCustomerSession } from '../../../http/customer-session.ts'
import { readForm } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { Email, FreeText, Name, Text, Uuid } from '../../../platform/schema/types.ts'
import { submitForm } from '../../ui/submit.ts'
import type { FormState } from '../../ui/form.tsx'
import { renderPersonalPage, redirect, withPageFor } from '../../ui/responses.tsx'
import { withTestNotice } from '../test-notice.tsx'
import { bookingPathFor, heldLinkCookie, holdsLink } from '../held-links.ts'
import { waysToNearest } from '../nearest-pros.ts'
import { prefilledForm } from '../typed-details.ts'
import { VisitFields, addressIn, needsAddress } from '../visit-fields.tsx'
import { findNextStep } from '../../../features/quoting/quotes/verbs/visit.ts'
import { ANYTHING_ELSE, quoteRequestPage } from './view.tsx'
import { requestPage, wrongRequestLinkPage } from './request-view.tsx'

export const QuoteRequestForm = Type.Object({
  /** A service of the pro, or something else. */
  service: Type.Union([Uuid(), Type.Literal(ANYTHING_ELSE)]),
  description: FreeText({ minLength: 1 }),
  timeline: Type.Optional(Text(200)),
  budget: Type.Optional(Text(200)),
  ...VisitFields.properties,
  name: Name(),
  email: Email(),
  /** Part of the page, so that a form that is sent twice creates one request. */
  idempotencyKey: Uuid(),
})
type QuoteRequestForm = Static<typeof QuoteRequestForm>
/** Where the pro comes to the customer. */
const AtCustomerForm: typeof QuoteRequestForm = Object.assign(Type.Object(QuoteRequestForm.properties), {
  check: visitErrors,
})

export const quoteRequestPages = (deps: Deps) =>
  new Elysia({ name: 'quote-request-pages' })
    .use(guard(deps))
    .get(
      '/pros/:id/quote',
      async function getQuoteRequestPage({ ctx, request, params: { id } }) {
        const formState = await prefilledForm(ctx, request)
        return await renderForm(ctx, request, { slug: id, query: queryOf(request.url), formState })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/pros/:id/quote',
      async function postQuoteRequestPage({ ctx, request, params: { id } }) {
        const form = await readForm(ctx, request)
        return await submitForm(
          await formFor(ctx, id, form.get('service') ?? ''),
          form,
          async (input) => await submitRequest(ctx, request, id, input),
          async (formState) => await renderForm(ctx, request, { slug: id, query: form, formState }),
          waysToNearest(`quote?service=${form.get('service')}`),
        )
      },
      { access: { ...publicPage, limit: 'pageBookings' } },
    )
    .get(
      '/requests/:token',
      async function getRequestPage({ ctx, request, params: { token } }) {
        return await withPageFor(
          request,
          'rfq_not_found',
          async () => {
            const followed = await followRequest(ctx, { token })
            const accepted = followed.quotes.find(({ status }) => status === 'accepted')
            const next = accepted && (await findNextStep(ctx, { quoteId: accepted.id }))
            const isTrusted = holdsLink(ctx, request, followed.rfq.id)
            const visitUrl =
              next?.step === 'booked'
                ? bookingPathFor(ctx, request, next.bookingId, { isMailed: false, isTrusted })
                : undefined
            const url = `${ctx.config.baseUrl}/requests/${token}`
            return renderPersonalPage(request, requestPage({ ...followed, accepted, next, visitUrl, url }))
          },
          () => wrongRequestLinkPage,
        )
      },
      { access: publicPage, caching: 'personal' },
    )

/** Creates the request as `POST /api/v1/rfqs` does, then redirects to its page. */
async function submitRequest(
  ctx: Ctx,
  request: Request,
  pro: string,
  { idempotencyKey, ...input }: QuoteRequestForm,
): Promise<Response> {
  const { name, email, phone } = input
  const viewer = await viewerOfProLink(ctx, { pro })
  const detail = await readPro(ctx, viewer, pro)
  const serviceId = input.service === ANYTHING_ELSE ? null : input.service
  await requireServiceArea(ctx, { professionalId: detail.id, serviceId, ...addressIn(input) })
  const value = await createRfq(
    ctx.as(
      {
        accountId: await pageAccountOf(ctx.as(viewer)),
        addressProof: addressProofOfForm(await findCustomerSession(ctx, request), email),
      },
      { key: idempotencyKey },
    ),
    {
      professionalId: detail.id,
      serviceId,
      customer: { name, email, phone: phone ?? null },
      description: input.description,
      budget: input.budget ?? null,
      timeline: input.timeline ?? null,
      ...addressIn(input),
      source: 'web',
    },
  )
  const { id } = value.rfq
  return redirect(new URL(requestUrl(ctx, { rfqId: id })).pathname, [heldLinkCookie(ctx, request, id)])
}

const formFor = async (ctx: Ctx, pro: string, service: string) =>
  needsAddress(await readPro(ctx, await viewerOfProLink(ctx, { pro }), pro), service)
    ? AtCustomerForm
    : QuoteRequestForm

// SQL builds the JSON after the schema of this type.
const readPro = async (ctx: Ctx, viewer: Viewer, pro: string) =>
  JSON.parse(await getPro(ctx.as(viewer), { pro })) as ProfessionalDetail

interface ShownForm {
  slug: string
  query: URLSearchParams
  formState: FormState
}

async function renderForm(ctx: Ctx, request: Request, { slug, query, formState }: ShownForm): Promise<Response> {
  const viewer = await viewerOfProLink(ctx, { pro: slug })
  const pro = await readPro(ctx, viewer, slug)
  const service = pro.services.find(({ id }) => id === query.get('service'))?.id ?? pro.services[0]?.id ?? ANYTHING_ELSE
  const idempotencyKey = ctx.ids.uuid()
  const page = quoteRequestPage({ pro, service, formState, idempotencyKey })
  return renderPersonalPage(request, withTestNotice(viewer, page))
}
