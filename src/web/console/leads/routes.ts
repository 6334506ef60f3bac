// /console/leads: quote requests to a pro, and the quotes that the pro sends.
import { MAX_VALID_FOR_DAYS } from '../../../features/quoting/quotes/rules/validity.ts'
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { deleteDraft, sendDraft } from '../../../features/quoting/quotes/verbs/drafts.ts'
import {
  IdParams,
  type LineItem,
  MAX_DOLLARS,
  NewQuote,
  type Quote,
  type QuoteSent,
} from '../../../features/quoting/quotes/schemas.ts'
import { findLastQuote, getQuote, sendQuote } from '../../../features/quoting/quotes/verbs/quotes.ts'
import { LeadsQuery } from '../../../features/quoting/rfqs/schemas.ts'
import { archiveLead, getLead, listLeads } from '../../../features/quoting/rfqs/verbs/rfqs.ts'
import { getSchedule } from '../../../features/calendar/schedule/verbs.ts'
import { invalidField } from '../../../errors/app-error.ts'
import { checked } from '../../../http/form.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest, actingProOf } from '../../../http/session.ts'
import { Decimal, Integer } from '../../../platform/schema/numbers.ts'
import { FreeText, OneOf, Text } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.tsx'
import { redirect, renderConsolePage, redirectWithFlash } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { type FormState, EMPTY_FORM, idempotencyOfForm, formStatus } from '../../ui/form.tsx'
import { fitsForm, formLike } from './quote-form.tsx'
import { LEADS_PATH as PATH, leadView, leadListView } from './view.tsx'

const session = ['pro'] as const
const styles = ['console.css'] as const

const LeadSearch = Type.Object({ ...LeadsQuery.properties, q: Type.Optional(Type.String({ maxLength: 200 })) })

/** Which quote the form starts from. */
const LikeQuery = Type.Object({ like: Type.Optional(OneOf(['last'])) })

const LINE_FIELDS = ['itemDescription', 'itemQuantity', 'itemUnitPrice'] as const
const Texts = Type.Optional(Type.Array(Text(500), { maxItems: 20 }))
const QuoteForm = Type.Object({
  amount: Type.Optional(Decimal({ minimum: 0.01, maximum: MAX_DOLLARS })),
  itemDescription: Texts,
  itemQuantity: Texts,
  itemUnitPrice: Texts,
  estimatedDays: Type.Optional(Integer({ minimum: 1, maximum: 3650 })),
  depositPercentage: Type.Optional(Decimal({ minimum: 0.01, maximum: 100 })),
  message: Type.Optional(FreeText()),
  paymentTerms: Type.Optional(FreeText()),
  validForDays: Type.Optional(Integer({ minimum: 1, maximum: MAX_VALID_FOR_DAYS })),
  /** The button that shows the total instead of sending. */
  preview: Type.Optional(Text(10)),
})

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
          QuoteForm,
          by.form,
          async (input) => {
            const value = await sendQuote(
              ctx.as(actingProOf(by), idempotencyOfForm(by.form)),
              quoteInput(id, by.form, input),
            )
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, quoteSentFlash(value))
          },
          (formState) => renderLeadPage(ctx, by, id, formState),
        )
      },
      { session, params: IdParams, form: QuoteForm },
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
  const [lead, { settings }] = await Promise.all([getLead(ctx.as(pro), { id }), getSchedule(ctx.as(pro))])
  const found =
    lead.service && lead.status !== 'archived'
      ? await findLastQuote(ctx.as(pro), { serviceId: lead.service.id, exceptRfqId: id })
      : undefined
  const last = found && fitsForm(found) ? found : undefined
  const formState = typeof form === 'function' ? (last ? form(last) : EMPTY_FORM) : form
  const content = leadView(by.session, lead, {
    formState,
    idempotencyKey: ctx.ids.uuid(),
    last,
    timeZone: settings.timezone,
  })
  return renderConsolePage(
    ctx,
    by,
    { title: lead.service?.name ?? 'Lead', content, styles, scripts: ['quote.js'] },
    formStatus(formState),
  )
}

/** The quote as the API takes it. With line items, the amount is their sum. */
function quoteInput(rfqId: string, form: URLSearchParams, input: Static<typeof QuoteForm>): NewQuote {
  const {
    amount,
    itemDescription: _,
    itemQuantity: __,
    itemUnitPrice: ___,
    preview: ____,
    depositPercentage,
    ...rest
  } = input
  const lineItems = readLineItems(form)
  if (amount === undefined && lineItems.length === 0)
    throw invalidField('amount', 'is required unless you enter line items')
  const sum = lineItems.reduce((cents, item) => cents + Math.round(item.amount * 100), 0) / 100
  return checked(NewQuote, {
    rfqId,
    amount: lineItems.length > 0 ? sum : amount,
    ...(lineItems.length > 0 ? { lineItems } : {}),
    ...(depositPercentage === undefined ? {} : { depositRequired: true, depositPercentage }),
    ...rest,
  })
}

/** The line items. Each is a row of fields; empty rows are ignored. */
function readLineItems(form: URLSearchParams): LineItem[] {
  const [descriptions, quantities, prices] = LINE_FIELDS.map((name) => form.getAll(name).map((text) => text.trim()))
  return (descriptions ?? []).flatMap((description, index) => {
    const [quantity = '', price = ''] = [quantities?.[index], prices?.[index]]
    return description + quantity + price === '' ? [] : [readLineItem(description, quantity, price)]
  })
}

function readLineItem(description: string, quantityText: string, priceText: string): LineItem {
  const [quantity, unitPrice] = [Number(quantityText), Number(priceText)]
  const isValid = description !== '' && quantity > 0 && priceText !== '' && Number.isFinite(quantity * unitPrice)
  if (!isValid) throw invalidField('itemDescription', 'each line item needs a description, a quantity and a price')
  return { description, quantity, unitPrice, amount: Math.round(quantity * unitPrice * 100) / 100 }
}
