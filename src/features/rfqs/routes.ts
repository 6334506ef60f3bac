// POST /rfqs and GET /rfqs, for those who ask.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { guard } from '../../http/guard.ts'
import { problems, returns } from '../../http/responses.ts'
import { markReplayed } from '../../http/idempotency.ts'
import { json } from '../../http/json.ts'
import { NewRfq, RfqCreated, RfqList, RfqsQuery } from './schemas.ts'
import { createRfq, listRfqs } from './verbs/rfqs.ts'

export const rfqRoutes = (deps: Deps) =>
  new Elysia({ name: 'rfqs', prefix: '/rfqs' })
    .use(guard(deps))
    .post(
      '',
      async function postRfq({ body, caller, idempotency, request }) {
        return json(markReplayed(request, await createRfq(deps, caller, body, idempotency)), { status: 201 })
      },
      {
        withKey: ['rfqs:write', 'widget:book'],
        idempotent: true,
        body: NewRfq,
        response: {
          201: returns('The pro has the request', RfqCreated),
          ...problems({ 404: 'No such pro, or no such service' }),
        },
        detail: {
          tags: ['Quote requests'],
          summary: 'Ask a pro for a quote',
          description: 'For work that cannot be booked directly, or that needs a price of its own.',
        },
      },
    )
    .get(
      '',
      async function getRfqs({ query, caller }) {
        return json(await listRfqs(deps, caller.accountId, query))
      },
      {
        withKey: { scopes: ['rfqs:write'], requiredQuery: ['email'] },
        query: RfqsQuery,
        response: { 200: returns('One page, newest first', RfqList) },
        detail: {
          tags: ['Quote requests'],
          summary: 'The requests of a customer',
          description: 'Those that this key’s owner made for the e-mail address.',
        },
      },
    )
