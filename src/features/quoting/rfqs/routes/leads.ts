// The /pro/leads routes: requests for quotes as the pro sees them.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { IdParams } from '../../quotes/schemas.ts'
import { LeadAnswer, LeadsQuery, LeadList } from '../schemas.ts'
import { archiveLead, getLead, listLeads } from '../verbs/rfqs.ts'

const tags = ['Pro leads and quotes']

export const leadRoutes = (deps: Deps) =>
  new Elysia({ name: 'leads', prefix: '/pro/leads' })
    .use(guard(deps))
    .get(
      '',
      async function getLeads({ ctx, query }) {
        return await listLeads(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: LeadsQuery,
        response: { 200: returns('One page, newest first', LeadList) },
        detail: { tags, summary: 'List the requests for quotes made to you' },
      },
    )
    .get(
      '/:id',
      async function getOneLead({ ctx, params }) {
        return { rfq: await getLead(ctx, { id: params.id }) }
      },
      {
        proKey: 'pro:read',
        params: IdParams,
        response: {
          200: returns('The request with all details', LeadAnswer),
          ...problems({ 404: 'You have no request with this id' }),
        },
        detail: { tags, summary: 'Get a request for a quote with its quotes' },
      },
    )
    .post(
      '/:id/archive',
      async function postLeadArchive({ ctx, params }) {
        return { rfq: await archiveLead(ctx, { id: params.id }) }
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        params: IdParams,
        response: {
          200: returns('The request, archived', LeadAnswer),
          ...problems({ 404: 'You have no request with this id', 409: 'The request is already archived' }),
        },
        detail: { tags, summary: 'Archive a request', description: 'Sent quotes stay valid.' },
      },
    )
