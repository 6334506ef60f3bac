// GET and POST /pro/blocked-customers, DELETE /pro/blocked-customers/{id}.
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { guard } from '../../../http/guard.ts'
import { problems, returns } from '../../../http/responses.ts'
import { PageQuery } from '../../../platform/schema/paging.ts'
import { CustomerBlockParams, CustomerBlocked, CustomerBlocks, NewCustomerBlock } from './schemas.ts'
import { blockCustomer, listBlockedCustomers, unblockCustomer } from './verbs.ts'

const tags = ['Pro bookings']

export const customerBlockRoutes = (deps: Deps) =>
  new Elysia({ name: 'customer-blocks', prefix: '/pro/blocked-customers' })
    .use(guard(deps))
    .get(
      '',
      async function getBlockedCustomers({ ctx, query }) {
        return await listBlockedCustomers(ctx, query)
      },
      {
        proKey: 'pro:read',
        query: PageQuery,
        response: { 200: returns('One page, newest first', CustomerBlocks) },
        detail: { tags, summary: 'List the customers that the pro has blocked' },
      },
    )
    .post(
      '',
      async function postBlockedCustomer({ ctx, body, status }) {
        return status(201, await blockCustomer(ctx, body))
      },
      {
        proKey: 'pro:write',
        idempotent: true,
        body: NewCustomerBlock,
        response: {
          201: returns('Blocked', CustomerBlocked),
          ...problems({ 404: 'This pro has no booking with this id' }),
        },
        detail: {
          tags,
          summary: 'Block a customer from booking again',
          description:
            'By `bookingId` or `email`. Further bookings with this e-mail address are refused with `customer_blocked`; existing ones stay. That is told to the keys of servers and to the owner of the address only: on the pro’s pages, in widgets and by agents, everybody has to prove their address first, once the pro blocks anybody.',
        },
      },
    )
    .delete(
      '/:id',
      async function deleteBlockedCustomer({ ctx, params }) {
        await unblockCustomer(ctx, { id: params.id })
        return new Response(null, { status: 204 })
      },
      {
        proKey: 'pro:write',
        params: CustomerBlockParams,
        response: {
          204: returns('The customer can book again'),
          ...problems({ 404: 'This pro has no block with this id' }),
        },
        detail: { tags, summary: 'Let a blocked customer book again' },
      },
    )
