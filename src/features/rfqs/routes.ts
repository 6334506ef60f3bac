// POST /rfqs and GET /rfqs, for those who ask.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { withKey } from '../../auth/access.ts'
import { callerOf, guard } from '../../http/guard.ts'
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
        return json(markReplayed(request, await createRfq(deps, callerOf(caller), body, idempotency)), { status: 201 })
      },
      {
        access: withKey('rfqs:write', 'widget:book'),
        idempotent: true,
        body: NewRfq,
        answers: {
          201: { description: 'The pro has the request', schema: RfqCreated },
          404: { description: 'No such pro, or no such service' },
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
        return json(await listRfqs(deps, callerOf(caller).accountId, query))
      },
      {
        access: { ...withKey('rfqs:write'), requiredQuery: ['email'] },
        query: RfqsQuery,
        answers: { 200: { description: 'One page, newest first', schema: RfqList } },
        detail: {
          tags: ['Quote requests'],
          summary: 'The requests of a customer',
          description: 'Those that this key’s owner made for the e-mail address.',
        },
      },
    )
