// /pro/leads and /pro/quotes: requests and quotes as the pro has them.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { markReplayed } from '../../../http/idempotency.ts'
import { json } from '../../../http/json.ts'
import { changeDraft, deleteDraft, sendDraft } from '../verbs/drafts.ts'
import { DraftChange, IdParams, NewQuote, QuoteAnswer, QuoteList, QuoteSent, QuotesQuery } from '../schemas.ts'
import { getQuote, listQuotes, sendQuote } from '../verbs/quotes.ts'
import { LeadAnswer, LeadsQuery, RfqList } from '../../rfqs/schemas.ts'
import { archiveLead, getLead, listLeads } from '../../rfqs/verbs/rfqs.ts'

const tags = ['Pro leads and quotes']
const REFUSALS = {
  ...problems({
    404: 'None of your quotes has this id',
    409: 'The quote was sent, or its request is archived or agreed on',
  }),
}

export const leadRoutes = (deps: Deps) =>
  new Elysia({ name: 'leads', prefix: '/pro/leads' })
    .use(guard(deps))
    .get(
      '',
      async function getLeads({ query, caller }) {
        return json(await listLeads(deps, caller, query))
      },
      {
        proKey: 'pro:read',
        query: LeadsQuery,
        response: { 200: returns('One page, newest first', RfqList) },
        detail: { tags, summary: 'Requests for quotes that were made to you' },
      },
    )
    .get(
      '/:id',
      async function getOneLead({ params, caller }) {
        return json({ rfq: await getLead(deps, caller, params.id) })
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The request, with everything the customer said', LeadAnswer),
          ...problems({ 404: 'No request made to you has this id' }),
        },
        detail: { tags, summary: 'A request for a quote, with the quotes so far' },
      },
    )
    .post(
      '/:id/archive',
      async function postLeadArchive({ params, caller }) {
        return json({ rfq: await archiveLead(deps, caller, params.id) })
      },
      {
        proKey: 'pro:write',
        params: IdParams,
        response: {
          200: returns('The request, archived', LeadAnswer),
          ...problems({ 404: 'No request made to you has this id', 409: 'It is archived already' }),
        },
        detail: { tags, summary: 'Put a request away', description: 'A quote that was sent for it stays good.' },
      },
    )

export const proQuoteRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-quotes', prefix: '/pro/quotes' })
    .use(guard(deps))
    .post(
      '',
      async function postQuote({ body, caller, idempotency, request }) {
        return json(markReplayed(request, await sendQuote(deps, caller, body, idempotency)), { status: 201 })
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewQuote,
        response: {
          201: returns('The quote is sent', QuoteSent),
          ...problems({
            404: 'No request made to you has this id',
            409: 'The request is archived, or the customer has accepted a quote for it',
          }),
        },
        detail: {
          tags,
          summary: 'Send a quote',
          description: 'An earlier quote for the same request that was not answered yet is superseded.',
        },
      },
    )
    .get(
      '',
      async function getQuotes({ query, caller }) {
        return json(await listQuotes(deps, caller, query))
      },
      {
        proKey: 'pro:read',
        query: QuotesQuery,
        response: { 200: returns('One page, newest first', QuoteList) },
        detail: { tags, summary: 'Your quotes' },
      },
    )
    .get(
      '/:id',
      async function getOneQuote({ params, caller }) {
        return json({ quote: await getQuote(deps, caller, params.id) })
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The quote', QuoteAnswer),
          ...problems({ 404: 'None of your quotes has this id' }),
        },
        detail: { tags, summary: 'One of your quotes' },
      },
    )

/** What is done with quotes that were not sent yet. */
export const draftRoutes = (deps: Deps) =>
  new Elysia({ name: 'pro-quote-drafts', prefix: '/pro/quotes' })
    .use(guard(deps))
    .patch(
      '/:id',
      async function patchDraft({ params, body, caller }) {
        return json({ quote: await changeDraft(deps, caller, params.id, body) })
      },
      {
        proKey: 'pro:write',
        params: IdParams,
        body: DraftChange,
        response: { 200: returns('The draft as it is now', QuoteAnswer), ...REFUSALS },
        detail: {
          tags,
          summary: 'Change a draft',
          description: 'What is not given stays; line items are given whole.',
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
        response: { 204: returns('The draft is gone'), ...REFUSALS },
        detail: { tags, summary: 'Delete a draft' },
      },
    )
    .post(
      '/:id/send',
      async function postDraftSend({ params, caller, idempotency, request }) {
        return json(markReplayed(request, await sendDraft(deps, caller, params.id, idempotency)))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: IdParams,
        response: { 200: returns('The quote is sent', QuoteSent), ...REFUSALS },
        detail: {
          tags,
          summary: 'Send a draft',
          description: 'An earlier quote for the same request that was not answered yet is superseded.',
        },
      },
    )
