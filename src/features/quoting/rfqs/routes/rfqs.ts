// The /rfqs routes: request a quote, list requests, read one with its quotes.
import { Elysia } from 'elysia'

import type { Deps } from '../../../../deps.ts'
import { addressProofOf } from '../../../../auth/address-proof.ts'
import { checkOwnAddress, customerOf } from '../../../../auth/caller.ts'
import { guard } from '../../../../http/guard.ts'
import { problems, returns } from '../../../../http/responses.ts'
import { NewRfq, RfqAnswer, RfqCreated, RfqList, RfqParams, RfqsQuery } from '../schemas.ts'
import { getRequestOf } from '../verbs/follow-link.ts'
import { createRfq, listRfqs } from '../verbs/rfqs.ts'

export const rfqRoutes = (deps: Deps) =>
  new Elysia({ name: 'rfqs', prefix: '/rfqs' })
    .use(guard(deps))
    .post(
      '',
      async function postRfq({ ctx, body, caller, set, status }) {
        checkOwnAddress(caller, 'body.customer.email', body.customer.email)
        const customer = { ...caller, addressProof: addressProofOf(caller) }
        const created = await createRfq(ctx.as(customer), body)
        set.headers.location = `/api/v1/rfqs/${created.rfq.id}`
        return status(201, created)
      },
      {
        withKey: ['rfqs:write', 'widget:book'],
        idempotent: true,
        body: NewRfq,
        response: {
          201: returns('The pro has received the request', RfqCreated),
          ...problems({ 404: 'The pro does not exist or does not offer the service' }),
        },
        detail: {
          tags: ['Quote requests'],
          summary: 'Ask a pro for a quote',
          description: 'For work that cannot be booked directly, or that needs an individual price.',
        },
      },
    )
    .get(
      '',
      async function getRfqs({ ctx, query, caller }) {
        checkOwnAddress(caller, 'query.email', query.email)
        return await listRfqs(ctx.as(customerOf(caller) ?? caller), query)
      },
      {
        withKey: { scopes: ['rfqs:write'], requiredQuery: ['email'] },
        query: RfqsQuery,
        response: { 200: returns('One page, newest first', RfqList) },
        detail: {
          tags: ['Quote requests'],
          summary: 'List the requests of a customer',
          description:
            'Only requests that this key’s account made for the e-mail address; for an app that the customer connected, all of that customer.',
        },
      },
    )
    .get(
      '/:id',
      async function getRfq({ ctx, params, caller }) {
        return { rfq: await getRequestOf(ctx.as(customerOf(caller) ?? caller), params) }
      },
      {
        withKey: ['rfqs:write'],
        params: RfqParams,
        response: {
          200: returns('The request and the quotes for it', RfqAnswer),
          ...problems({ 404: 'This key’s account made no such request' }),
        },
        detail: {
          tags: ['Quote requests'],
          summary: 'A request and the quotes for it',
          description:
            'Only a request that this key’s account made; for an app that the customer connected, one of that customer. `Location` of the answer that creates it names this address.',
        },
      },
    )
