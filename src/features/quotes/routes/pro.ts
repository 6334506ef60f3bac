// The /pro/quotes routes: quotes and drafts of the pro.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { markReplayed } from '../../../http/idempotency.ts'
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
      async function postQuote({ body, caller, idempotency, request, status }) {
        return status(201, markReplayed(request, await sendQuote(deps, caller, body, idempotency)))
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
      async function getQuotes({ query, caller }) {
        return await listQuotes(deps, caller, query)
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
      async function getOneQuote({ params, caller }) {
        return { quote: await getQuote(deps, caller, params.id) }
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
      async function patchDraft({ params, body, caller }) {
        return { quote: await changeDraft(deps, caller, params.id, body) }
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
      async function deleteOneDraft({ params, caller }) {
        await deleteDraft(deps, caller, params.id)
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
      async function postDraftSend({ params, caller, idempotency, request }) {
        return markReplayed(request, await sendDraft(deps, caller, params.id, idempotency))
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
