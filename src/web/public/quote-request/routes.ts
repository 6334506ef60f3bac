// /pros/{slug}/quote: ask a pro for a quote. /requests/{token}: follow the request.
import { PUBLIC, type Viewer } from '../../../auth/caller.ts'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { listQuestionsOf } from '../../../features/catalog/services/verbs/questions.ts'
import type { Professional, ProfessionalDetail } from '../../../features/search/pros/schemas.ts'
import { getPro } from '../../../features/search/pros/verbs/pros.ts'
import { findNarrowedPros } from '../../../features/search/pros/verbs/search.ts'
import { requireServiceArea } from '../../../features/search/pros/verbs/service-area.ts'
import type { Answer } from '../../../features/quoting/rfqs/schemas.ts'
import { followRequest, requestUrl } from '../../../features/quoting/rfqs/verbs/follow-link.ts'
import { pageAccountOf, viewerOfProLink } from '../../../features/upkeep/test-mode/verbs.ts'
import { showPhotos } from '../../../features/files/files/verbs/photos.ts'
import { MOST_OTHERS, createRfq } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import { addressProofOfForm } from '../../../auth/address-proof.ts'
import { publicPage } from '../../../auth/access.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { findCustomerSession } from '../../../http/customer-session.ts'
import { OneFileForm } from '../../ui/uploads.ts'
import { guard } from '../../../http/guard.ts'
import { queryOf } from '../../../http/request-target.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import { type FormState, formStatus } from '../../ui/form.tsx'
import { renderPersonalPage, redirect, withPageFor } from '../../ui/responses.tsx'
import { pictureSources } from '../../ui/pictures.tsx'
import { withTestNotice } from '../test-notice.tsx'
import { bookingPathFor, heldLinkCookie, holdsLink } from '../held-links.ts'
import { waysToNearest } from '../nearest-pros.ts'
import { prefilledForm } from '../typed-details.ts'
import {
  type Sender,
  getPhotoState,
  receiveVisitorForm,
  receiveVisitorPhoto,
  submitFormWithPhotos,
} from '../photo-uploads.ts'
import { addressIn } from '../visit-fields.tsx'
import { openAddressReader } from '../zip-places.ts'
import { findNextStep } from '../../../features/quoting/quotes/verbs/visit.ts'
import { ANYTHING_ELSE, AT_CUSTOMER, type QuoteRequestInput, answersIn, quoteRequestForm } from './form.ts'
import { quoteRequestPage } from './view.tsx'
import { acceptedOf, requestPage, wrongRequestLinkPage } from './request-view.tsx'

const PhotoParams = Type.Object({ id: Type.String(), photo: Uuid() })

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
        const [asked, addresses] = [await openPro(ctx, id), await openAddressReader(ctx)]
        const questions = await listQuestionsOf(ctx, { serviceIds: asked.pro.services.map((it) => it.id) })
        const questionsIn = (form: URLSearchParams) => questions.get(form.get('service') ?? '') ?? []
        const schemaOf = (form: URLSearchParams) =>
          addresses.checking(quoteRequestForm(asked.pro, form.get('service') ?? '', questionsIn(form)))
        const received = await receiveVisitorForm(ctx.as(senderOf(asked)), request, {
          purpose: 'request',
          schemaOf,
          complete: (form) => addresses.complete(form),
        })
        const { form, photos } = received
        return await submitFormWithPhotos(
          schemaOf(form),
          received,
          async (input) =>
            await submitRequest(ctx, request, asked, {
              ...input,
              photos,
              answers: answersIn(input, questionsIn(form)),
            }),
          async (formState) =>
            await renderForm(ctx, request, { slug: id, query: form, formState, ...formStatus(formState) }),
          waysToNearest(`quote?service=${form.get('service')}`),
        )
      },
      { access: { ...publicPage, limit: 'pageBookings' }, upload: AT_CUSTOMER },
    )
    .post(
      '/pros/:id/quote/photos',
      async function postRequestPhoto({ ctx, request, params: { id }, status }) {
        const sender = senderOf(await openPro(ctx, id))
        return status(202, await receiveVisitorPhoto(ctx.as(sender), request, { purpose: 'request' }))
      },
      { access: publicPage, upload: OneFileForm },
    )
    .get(
      '/pros/:id/quote/photos/:photo',
      async function getRequestPhoto({ ctx, params: { id, photo } }) {
        return await getPhotoState(ctx.as(senderOf(await openPro(ctx, id))), { id: photo, purpose: 'request' })
      },
      { access: publicPage, caching: 'personal', params: PhotoParams },
    )
    .get(
      '/requests/:token',
      async function getRequestPage({ ctx, request, params: { token } }) {
        return await withPageFor(
          request,
          'rfq_not_found',
          async () => {
            const followed = await followRequest(ctx, { token })
            const accepted = acceptedOf(followed)
            const next = accepted && (await findNextStep(ctx, { quoteId: accepted.quote.id }))
            const isTrusted = holdsLink(ctx, request, followed.rfq.id)
            const visitUrl =
              next?.step === 'booked'
                ? bookingPathFor(ctx, request, next.bookingId, { isMailed: false, isTrusted })
                : undefined
            const url = `${ctx.config.baseUrl}/requests/${token}`
            const shownPhotos = await showPhotos(ctx, { urls: followed.photos })
            return renderPersonalPage(
              request,
              requestPage({ ...followed, accepted, next, visitUrl, shownPhotos, url }),
              { sources: pictureSources(ctx.config) },
            )
          },
          () => wrongRequestLinkPage,
        )
      },
      { access: publicPage, caching: 'personal' },
    )

/** A pro who is asked, and the account to which the request belongs. */
interface AskedPro {
  pro: ProfessionalDetail
  accountId: string
}

async function openPro(ctx: Ctx, slug: string): Promise<AskedPro> {
  const viewer = await viewerOfProLink(ctx, { pro: slug })
  return { pro: await readPro(ctx, viewer, slug), accountId: await pageAccountOf(ctx.as(viewer)) }
}

const senderOf = ({ accountId }: AskedPro): Sender => ({ accountId, professionalId: null, isVisitor: true })

/** Creates the request as `POST /api/v1/rfqs` does, then redirects to its page. */
async function submitRequest(
  ctx: Ctx,
  request: Request,
  { pro, accountId }: AskedPro,
  { idempotencyKey, photos, answers, ...input }: QuoteRequestInput & { answers: Answer[] },
): Promise<Response> {
  const { name, email, phone } = input
  const addressProof = addressProofOfForm(await findCustomerSession(ctx, request), email)
  const serviceId = input.service === ANYTHING_ELSE ? null : input.service
  const others = [...new Set(input.others)].filter((id) => id !== pro.id)
  await requireOffering(ctx, { serviceId, others })
  for (const professionalId of [pro.id, ...others])
    await requireServiceArea(ctx, { professionalId, serviceId, ...addressIn(input) })
  const value = await createRfq(ctx.as({ accountId, addressProof }, { key: idempotencyKey }), {
    professionalId: pro.id,
    serviceId,
    customer: { name, email, phone: phone ?? null },
    description: input.description,
    ...(photos && { photos }),
    budget: input.budget ?? null,
    timeline: input.timeline ?? null,
    answers,
    ...addressIn(input),
    source: 'web',
    ...(others.length > 0 && { others }),
  })
  const { id } = value.rfq
  return redirect(new URL(requestUrl(ctx, { rfqId: id })).pathname, [heldLinkCookie(ctx, request, id)])
}

/** Throws validation_failed that names the pros who do not offer the service: the form lists pros of the service that it began with. */
async function requireOffering(
  ctx: Ctx,
  { serviceId, others }: { serviceId: string | null; others: readonly string[] },
): Promise<void> {
  if (serviceId === null) return
  const pros = await Promise.all(others.map((id) => readPro(ctx, PUBLIC, id)))
  const lacking = pros.filter(({ services }) => !services.some(({ id }) => id === serviceId))
  if (lacking.length === 0) return
  const names = lacking.map(({ businessName }) => businessName).join(', ')
  throw invalidField('body.others', `these pros do not offer this service: ${names}`)
}

/** The best matches around the pro who offer the service, too, and come to the pro's place. */
async function findOthers(ctx: Ctx, pro: ProfessionalDetail, service: string): Promise<readonly Professional[]> {
  const offered = pro.services.find(({ id }) => id === service)
  if (offered === undefined || pro.location === null) return []
  const { latitude: lat, longitude: lng } = pro.location
  const { professionals } = await findNarrowedPros(ctx, {
    query: { service: offered.name, lat, lng, inServiceArea: true, limit: MOST_OTHERS + 1 },
    narrowing: { order: 'best' },
  })
  return professionals.filter(({ id }) => id !== pro.id).slice(0, MOST_OTHERS)
}

// SQL builds the JSON after the schema of this type.
const readPro = async (ctx: Ctx, viewer: Viewer, pro: string) =>
  JSON.parse(await getPro(ctx.as(viewer), { pro })) as ProfessionalDetail

interface ShownForm {
  status?: number
  slug: string
  query: URLSearchParams
  formState: FormState
}

async function renderForm(
  ctx: Ctx,
  request: Request,
  { slug, query, formState, status = 200 }: ShownForm,
): Promise<Response> {
  const viewer = await viewerOfProLink(ctx, { pro: slug })
  const pro = await readPro(ctx, viewer, slug)
  const service = pro.services.find(({ id }) => id === query.get('service'))?.id ?? pro.services[0]?.id ?? ANYTHING_ELSE
  const idempotencyKey = ctx.ids.uuid()
  const others = viewer === PUBLIC ? await findOthers(ctx, pro, service) : []
  const questions = await listQuestionsOf(ctx, { serviceIds: pro.services.map(({ id }) => id) })
  const page = quoteRequestPage({ pro, service, questions, formState, idempotencyKey, others })
  return renderPersonalPage(request, withTestNotice(viewer, page), { status })
}
