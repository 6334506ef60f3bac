// The /pro/quotes routes: quotes and drafts of the pro.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { changeDraft, deleteDraft, sendDraft } from '../verbs/drafts.ts'
import { DraftChange, IdParams, NewQuote, QuoteAnswer, QuoteList, QuoteSent, QuotesQuery } from '../schemas.ts'
import { getQuote, listQuotes, sendQuote } from '../verbs/quotes.ts'

const tags = ['Pro leads and quotes']
const REFUSALS = {
  ...problems({
    404: 'You have no quote with this id',
    409: 'The quote was sent, or its request is archived or has an accepted quote',
  }),
}

export const proQuoteRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-quotes', prefix: '/pro/quotes' })
    .use(guard(deps))
    .post(
      '',
      async function postQuote({ ctx, body, status }) {
        return status(201, await sendQuote(ctx, body))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewQuote,
        response: {
          201: returns('The quote is sent', QuoteSent),
          ...problems({
            404: 'You have no request with this id',
            409: 'The request is archived or has an accepted quote',
          }),
        },
        detail: {
          tags,
          summary: 'Send a quote',
          description: 'Supersedes an open earlier quote for the same request.',
        },
      },
    )
    .get(
      '',
      async function getQuotes({ ctx, query }) {
        return await listQuotes(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: QuotesQuery,
        response: { 200: returns('One page, newest first', QuoteList) },
        detail: { tags, summary: 'List your quotes' },
      },
    )
    .get(
      '/:id',
      async function getOneQuote({ ctx, params }) {
        return { quote: await getQuote(ctx, { id: params.id }) }
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The quote', QuoteAnswer),
          ...problems({ 404: 'You have no quote with this id' }),
        },
        detail: { tags, summary: 'Get one of your quotes' },
      },
    )

/** Changing, deleting and sending drafts. */
export const draftRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-quote-drafts', prefix: '/pro/quotes' })
    .use(guard(deps))
    .patch(
      '/:id',
      async function patchDraft({ ctx, params, body }) {
        return { quote: await changeDraft(ctx, { ...body, id: params.id }) }
      },
      {
        proKey: 'pro:write',
        params: IdParams,
        body: DraftChange,
        response: { 200: returns('The changed draft', QuoteAnswer), ...REFUSALS },
        detail: {
          tags,
          summary: 'Change a draft',
          description: 'Fields that are left out do not change; line items are replaced as a whole.',
        },
      },
    )
    .delete(
      '/:id',
      async function deleteOneDraft({ ctx, params }) {
        await deleteDraft(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        proKey: 'pro:write',
        params: IdParams,
        response: { 204: returns('Deleted'), ...REFUSALS },
        detail: { tags, summary: 'Delete a draft' },
      },
    )
    .post(
      '/:id/send',
      async function postDraftSend({ ctx, params }) {
        return await sendDraft(ctx, { id: params.id })
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: IdParams,
        response: { 200: returns('The quote is sent', QuoteSent), ...REFUSALS },
        detail: {
          tags,
          summary: 'Send a draft',
          description: 'Supersedes an open earlier quote for the same request.',
        },
      },
    )
