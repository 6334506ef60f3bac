// POST /api/mcp and POST /api/mcp/customer: JSON-RPC 2.0 over HTTP. Spec §4.7.
import { Elysia } from 'elysia'

import type { Deps } from '../deps.ts'
import type { Access } from '../auth/access.ts'
import { type RouteResponses, callerOf, guard } from '../http/guard.ts'
import { DOCUMENT } from '../http/headers.ts'
import type { Caller } from '../auth/caller.ts'
import { readyDocument } from '../http/cached-document.ts'
import { CARD_TYPE, cardCatalog, cardsOf, serverCard } from './server/cards.ts'
import { customerSide } from './customer/definition.ts'
import { proSide } from './pro/definition.ts'
import { RpcBody, RpcFailure, RpcReply } from './server/rpc-schemas.ts'
import { answer } from './server/answer.ts'
import { openSession } from './server/session.ts'
import type { Side } from './server/definition.ts'

/** Any of its tools' scopes opens the customer server; tools/list shows what the key may. */
const customerAccess: Access = {
  key: 'required',
  scopes: ['mcp:read', 'widget:public', 'mcp:write', 'widget:book', 'packages:read', 'packages:book'],
  rpc: true,
}

const proAccess: Access = { key: 'required', scopes: ['mcp:read', 'mcp:write'], all: true, owner: 'pro', rpc: true }

const failure = (description: string) => ({ description, schema: RpcFailure, type: 'application/json' })

const answers: RouteResponses = {
  200: { description: 'The response, or those to the requests of a batch', schema: RpcReply },
  202: { description: 'Nothing is answered to notifications' },
  400: failure('The body is no JSON, or no JSON-RPC message'),
  401: failure('A key is needed and missing, or the key sent is no good here'),
  403: failure('The key lacks a scope, may not be used from this page, or its owner has no plan'),
  404: failure('The server, or the method, is not there'),
  408: failure('The body was not whole within ten seconds; the connection is closed'),
  413: failure('The body is larger than 256 KiB'),
  414: failure('The address is longer than 8,192 characters'),
  415: failure('The body is not JSON'),
  429: failure('A rate limit was exceeded'),
  503: failure('A store does not answer, or the server is overloaded'),
}

/** Where machines may pay. */
const paymentAnswers: RouteResponses = {
  402: {
    description:
      'Something is to be paid, or the credential sent does not pay; only for clients that send `Accept-Payment` or `Payment-Authorization`',
    schema: RpcReply,
  },
}

const TOOLS =
  'Methods: `initialize`, `server/discover`, `tools/list`, `tools/call`, `ping`. With nothing but the two headers and a body such as the example, `tools/list` returns the tools. Errors that a caller can mend by other arguments are results with `isError`.'

/** The card of each server at the place the API promises and at the protocol's own, and the catalog that leads there. */
export function agentCards({ config }: Pick<Deps, 'config'>) {
  const routes = new Elysia({ name: 'agent-cards' })
  const serve = (path: string, type: string, make: () => object) => {
    const answer = readyDocument(type, () => JSON.stringify(make()), { 'access-control-allow-origin': '*' })
    routes.get(path, ({ request }) => answer(request), DOCUMENT)
  }
  for (const card of cardsOf(config)) {
    serve(card.wellKnown, CARD_TYPE, () => serverCard(config, card))
    serve(`${card.of.path}/server-card`, CARD_TYPE, () => serverCard(config, card))
  }
  serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', () => cardCatalog(config))
  return routes
}

export const agentRoutes = (deps: Deps) => {
  const serve = <C extends Caller>(side: Side<C>, request: Request, caller: Caller | undefined, body: unknown) =>
    answer(openSession(deps, side, { request, caller: callerOf(caller) }), body)
  return new Elysia({ name: 'agents', prefix: '/api/mcp' })
    .use(guard(deps))
    .post(
      '',
      async function callProServer({ request, caller, body }) {
        return await serve(proSide, request, caller, body)
      },
      {
        access: proAccess,
        body: RpcBody,
        answers,
        detail: {
          tags: ['Agent servers'],
          summary: 'The pro agent server',
          description: `For a pro’s own agent: leads, quotes, jobs, services, profile content. Needs an active Verified or Business plan. ${TOOLS}`,
        },
      },
    )
    .post(
      '/customer',
      async function callCustomerServer({ request, caller, body }) {
        return await serve(customerSide, request, caller, body)
      },
      {
        access: customerAccess,
        body: RpcBody,
        answers: { ...answers, ...(deps.config.machinePayments ? paymentAnswers : {}) },
        detail: {
          tags: ['Agent servers'],
          summary: 'The customer agent server',
          description: `For agents of customers: search, open times, booking, quotes, reviews, packages, properties. ${TOOLS}`,
        },
      },
    )
}
