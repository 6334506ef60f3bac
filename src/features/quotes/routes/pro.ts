// /pro/leads and /pro/quotes: requests and quotes as the pro has them.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { proKey } from '../../../auth/access.ts'
import { guard } from '../../../http/guard.ts'
import { markReplayed } from '../../../http/idempotency.ts'
import { json } from '../../../http/json.ts'
import { proOf } from '../../../auth/pro-caller.ts'
import { changeDraft, deleteDraft, sendDraft } from '../verbs/drafts.ts'
import { DraftChange, IdParams, NewQuote, QuoteAnswer, QuoteList, QuoteSent, QuotesQuery } from '../schemas.ts'
import { getQuote, listQuotes, sendQuote } from '../verbs/quotes.ts'
import { LeadAnswer, LeadsQuery, RfqList } from '../../rfqs/schemas.ts'
import { archiveLead, getLead, listLeads } from '../../rfqs/verbs/rfqs.ts'

const tags = ['Pro leads and quotes']
const REFUSALS = {
  404: { description: 'None of your quotes has this id' },
  409: { description: 'The quote was sent, or its request is archived or agreed on' },
}

export const leadRoutes = (deps: Deps) =>
  new Elysia({ name: 'leads', prefix: '/pro/leads' })
    .use(guard(deps))
    .get(
      '',
      async function getLeads({ query, caller }) {
        return json(await listLeads(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: LeadsQuery,
        answers: { 200: { description: 'One page, newest first', schema: RfqList } },
        detail: { tags, summary: 'Requests for quotes that were made to you' },
      },
    )
    .get(
      '/:id',
      async function getOneLead({ params, caller }) {
        return json({ rfq: await getLead(deps, proOf(caller), params.id) })
      },
      {
        access: proKey('pro:read'),
        params: IdParams,
        answers: {
          200: { description: 'The request, with everything the customer said', schema: LeadAnswer },
          404: { description: 'No request made to you has this id' },
        },
        detail: { tags, summary: 'A request for a quote, with the quotes so far' },
      },
    )
    .post(
      '/:id/archive',
      async function postLeadArchive({ params, caller }) {
        return json({ rfq: await archiveLead(deps, proOf(caller), params.id) })
      },
      {
        access: proKey('pro:write'),
        params: IdParams,
        answers: {
          200: { description: 'The request, archived', schema: LeadAnswer },
          404: { description: 'No request made to you has this id' },
          409: { description: 'It is archived already' },
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
        return json(markReplayed(request, await sendQuote(deps, proOf(caller), body, idempotency)), { status: 201 })
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        body: NewQuote,
        answers: {
          201: { description: 'The quote is sent', schema: QuoteSent },
          404: { description: 'No request made to you has this id' },
          409: { description: 'The request is archived, or the customer has accepted a quote for it' },
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
        return json(await listQuotes(deps, proOf(caller), query))
      },
      {
        access: proKey('pro:read'),
        query: QuotesQuery,
        answers: { 200: { description: 'One page, newest first', schema: QuoteList } },
        detail: { tags, summary: 'Your quotes' },
      },
    )
    .get(
      '/:id',
      async function getOneQuote({ params, caller }) {
        return json({ quote: await getQuote(deps, proOf(caller), params.id) })
      },
      {
        access: proKey('pro:read'),
        params: IdParams,
        answers: {
          200: { description: 'The quote', schema: QuoteAnswer },
          404: { description: 'None of your quotes has this id' },
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
        return json({ quote: await changeDraft(deps, proOf(caller), params.id, body) })
      },
      {
        access: proKey('pro:write'),
        params: IdParams,
        body: DraftChange,
        answers: { 200: { description: 'The draft as it is now', schema: QuoteAnswer }, ...REFUSALS },
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
        await deleteDraft(deps, proOf(caller), params.id)
        return new Response(null, { status: 204 })
      },
      {
        access: proKey('pro:write'),
        params: IdParams,
        answers: { 204: { description: 'The draft is gone' }, ...REFUSALS },
        detail: { tags, summary: 'Delete a draft' },
      },
    )
    .post(
      '/:id/send',
      async function postDraftSend({ params, caller, idempotency, request }) {
        return json(markReplayed(request, await sendDraft(deps, proOf(caller), params.id, idempotency)))
      },
      {
        access: proKey('pro:write'),
        idempotent: true,
        params: IdParams,
        answers: { 200: { description: 'The quote is sent', schema: QuoteSent }, ...REFUSALS },
        detail: {
          tags,
          summary: 'Send a draft',
          description: 'An earlier quote for the same request that was not answered yet is superseded.',
        },
      },
    )
