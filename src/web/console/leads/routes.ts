// /console/leads: quote requests to a pro, and the quotes that the pro sends.
import { limitHint } from '../../../features/booking/bookings/rules/deposits.ts'
import { getDefaults } from '../../../features/upkeep/marketplace/verbs.ts'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { deleteDraft, sendDraft } from '../../../features/quoting/quotes/verbs/drafts.ts'
import { IdParams, NewQuote, type Quote, type QuoteSent } from '../../../features/quoting/quotes/schemas.ts'
import { findLastQuote, getQuote, sendQuote } from '../../../features/quoting/quotes/verbs/quotes.ts'
import { LeadsQuery } from '../../../features/quoting/rfqs/schemas.ts'
import { archiveLead, getLead, listLeads } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import { showPhotos } from '../../../features/files/files/verbs/photos.ts'
import { getSchedule } from '../../../features/calendar/schedule/verbs.ts'
import { checked } from '../../../http/field-errors.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.tsx'
import { pictureSources } from '../../ui/pictures.tsx'
import { redirect, renderConsolePage, redirectWithFlash } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { type FormState, EMPTY_FORM, idempotencyOfForm, formStatus } from '../../ui/form.tsx'
import { NewQuoteForm, lineItemsOf } from './forms.ts'
import { fitsForm, formLike } from './quote-form.tsx'
import { LEADS_PATH as PATH, leadView, leadListView } from './view.tsx'

const session = ['pro'] as const
const styles = ['console.css'] as const

const LeadSearch = Type.Object({ ...LeadsQuery.properties, q: Type.Optional(Type.String({ maxLength: 200 })) })

/** Which quote the form starts from. */
const LikeQuery = Type.Object({ like: Type.Optional(OneOf(['last'])) })

export const leadPages = (deps: Deps) =>
  new Elysia({ name: 'lead-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getLeads({ ctx, authenticated: by, query }) {
        const { q: text = '', ...filter } = query
        const list = await listLeads(ctx.as(actingProOf(by)), { ...filter, text })
        const content = leadListView(list, { chosen: query.status ?? '', text: text.trim(), now: ctx.clock.now() })
        return renderConsolePage(ctx, by, { title: 'Leads', content, styles })
      },
      { session, query: LeadSearch },
    )
    .get(
      `${PATH}/:id`,
      async function getOneLead({ ctx, authenticated, params, query }) {
        return await renderLeadPage(ctx, authenticated, params.id, query.like === 'last' ? formLike : undefined)
      },
      { session, params: IdParams, query: LikeQuery },
    )
    .post(
      `${PATH}/:id/archive`,
      async function postArchiving({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${PATH}/${id}`, async () => {
          await archiveLead(ctx.as(actingProOf(by)), { id })
          return 'The lead is archived. Quotes that you sent stay valid.'
        })
      },
      { session, params: IdParams },
    )
    .get(`${PATH}/:id/quote`, ({ params: { id } }) => redirect(`${PATH}/${id}`), { session, params: IdParams })
    .post(
      `${PATH}/:id/quote`,
      async function postLeadQuote({ ctx, authenticated: by, params: { id } }) {
        if (by.form.has('preview'))
          return await renderLeadPage(ctx, by, id, { values: by.form, errors: {}, status: 200 })
        return await submitForm(
          NewQuoteForm,
          by.form,
          async (input) => {
            const value = await sendQuote(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), quoteInput(id, input))
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, quoteSentFlash(value))
          },
          (formState) => renderLeadPage(ctx, by, id, formState),
        )
      },
      { session, params: IdParams, form: NewQuoteForm },
    )
    .use(draftActions(deps))

const draftActions = (deps: Deps) =>
  new Elysia({ name: 'draft-actions' })
    .use(guard(deps))
    .post(
      '/console/quotes/:id/send',
      async function postDraftSending({ ctx, authenticated: by, params: { id } }) {
        const { rfqId } = await getQuote(ctx.as(actingProOf(by)), { id })
        return await runAction(ctx, by, `${PATH}/${rfqId}`, async () =>
          quoteSentFlash(await sendDraft(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), { id })),
        )
      },
      { session, params: IdParams },
    )
    .post(
      '/console/quotes/:id/delete',
      async function postDraftDeletion({ ctx, authenticated: by, params: { id } }) {
        const { rfqId } = await getQuote(ctx.as(actingProOf(by)), { id })
        return await runAction(ctx, by, `${PATH}/${rfqId}`, async () => {
          await deleteDraft(ctx.as(actingProOf(by)), { id })
          return 'The draft is deleted.'
        })
      },
      { session, params: IdParams },
    )

const quoteSentFlash = ({ quote }: QuoteSent): Flash => ({
  tone: 'good',
  text: `The quote is sent. ${quote.customer.name} gets the link to accept or decline it by e-mail.`,
})

/** `form` is what was entered, or makes it of the last quote for the same service. */
async function renderLeadPage(
  ctx: Ctx,
  by: AuthenticatedRequest,
  id: string,
  form: FormState | ((last: Quote) => FormState) = EMPTY_FORM,
): Promise<Response> {
  const pro = actingProOf(by)
  const [lead, { settings }, defaults] = await Promise.all([
    getLead(ctx.as(pro), { id }),
    getSchedule(ctx.as(pro)),
    getDefaults(ctx),
  ])
  const found =
    lead.service && lead.status !== 'archived'
      ? await findLastQuote(ctx.as(pro), { serviceId: lead.service.id, exceptRfqId: id })
      : undefined
  const last = found && fitsForm(found) ? found : undefined
  const formState = typeof form === 'function' ? (last ? form(last) : EMPTY_FORM) : form
  const content = leadView(by.session, lead, {
    formState,
    idempotencyKey: ctx.ids.uuid(),
    depositLimits: limitHint(defaults),
    last,
    timeZone: settings.timezone,
    photos: await showPhotos(ctx, { urls: lead.photos }),
  })
  return renderConsolePage(
    ctx,
    by,
    { title: lead.service?.name ?? 'Lead', content, styles, scripts: ['quote.js'] },
    { ...formStatus(formState), sources: pictureSources(ctx.config) },
  )
}

/** The quote as the API takes it. With line items, the amount is their sum. */
function quoteInput(rfqId: string, input: Static<typeof NewQuoteForm>): NewQuote {
  const {
    amount,
    itemDescription: _,
    itemQuantity: __,
    itemUnitPrice: ___,
    preview: ____,
    depositPercentage,
    ...rest
  } = input
  const lineItems = lineItemsOf(input)
  const sum = lineItems.reduce((cents, item) => cents + Math.round(item.amount * 100), 0) / 100
  return checked(NewQuote, {
    rfqId,
    amount: lineItems.length > 0 ? sum : amount,
    ...(lineItems.length > 0 ? { lineItems } : {}),
    ...(depositPercentage === undefined ? {} : { depositRequired: true, depositPercentage }),
    ...rest,
  })
}
