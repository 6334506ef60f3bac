// POST /api/mcp and POST /api/mcp/customer: JSON-RPC 2.0 over HTTP. Spec §4.7.
import { Elysia } from 'elysia'

import { ctxOf } from '../ctx.ts'
import type { Deps } from '../deps.ts'
import type { Marketplace } from '../features/upkeep/marketplace/schemas.ts'
import { getMarketplace } from '../features/upkeep/marketplace/verbs.ts'
import type { Access } from '../auth/access.ts'
import { guard } from '../http/guard.ts'
import { returns } from '../http/responses.ts'
import { derivedDocument } from '../http/cached-document.ts'
import { CARD_TYPE, cardCatalog, cardsOf, serverCard } from './server/cards.ts'
import { customerServer } from './customer/definition.ts'
import { publicServer } from './customer/public.ts'
import { proServer } from './pro/definition.ts'
import { RpcBody, RpcFailure, RpcReply } from './server/rpc-schemas.ts'
import { handlePost } from './server/handle-post.ts'
import { openContext } from './server/context.ts'
import type { AnyCaller, McpServerDefinition } from './server/definition.ts'

/** Any scope of its tools gives access to the customer server; tools/list shows the tools that the key may call. */
const customerAccess: Omit<Access, 'key'> = {
  scopes: ['mcp:read', 'widget:public', 'mcp:write', 'widget:book', 'packages:read', 'packages:book'],
  rpc: true,
}

const proAccess: Omit<Access, 'key'> = { scopes: ['mcp:read', 'mcp:write'], all: true, owner: 'pro', rpc: true }

const failure = (description: string) => returns(description, RpcFailure, 'application/json')

const answers = {
  200: returns('The response, or the responses to a batch', RpcReply),
  202: returns('A notification was accepted'),
  400: failure('The body is not JSON or not a JSON-RPC message'),
  401: failure('The key is missing or invalid'),
  403: failure('The key lacks a scope, may not be used from this page, or its owner has no plan'),
  404: failure('The server or the method does not exist'),
  408: failure('The body arrived too slowly; the connection is closed'),
  413: failure('The body is larger than 256 KiB'),
  414: failure('The address is longer than 8,192 characters'),
  415: failure('The body is not JSON'),
  429: failure('A rate limit was exceeded'),
  503: failure('A store is unavailable, or the server is overloaded'),
}

/** For everyone: its tools need no identity. */
const publicAccess: Access = { key: 'none', scopes: [], rpc: true }

/** Without a key, none can be wrong. */
const { 401: _, ...publicAnswers } = { ...answers, 403: failure('The request came from a page of another origin') }

/** With machine payments on. */
const paymentAnswers = {
  402: returns(
    'An amount is due, or the credential cannot pay it; only for clients that send `Accept-Payment` or `Payment-Authorization`',
    RpcReply,
  ),
}

const METHODS =
  'Methods: `initialize`, `server/discover`, `tools/list`, `tools/call`, `prompts/list`, `prompts/get`, `resources/list`, `resources/templates/list`, `resources/read`, `ping`.'

const TOOLS = `${METHODS} With nothing but the two headers and a body such as the example, \`tools/list\` returns the tools. Errors that a caller can correct with other arguments are results with \`isError\`.`

/**
 * The card of each server at the API's path and at the protocol's own, the catalog that lists the cards, and the token by which
 * OpenAI's directory of apps knows the owner of this host.
 */
export function agentCards(deps: Deps) {
  const { config } = deps
  const ctx = ctxOf(deps)
  const routes = new Elysia({ name: 'agent-cards' })
  const serve = (path: string, type: string, make: (site: Marketplace) => string) => {
    const answer = derivedDocument(type, () => getMarketplace(ctx), make, { 'access-control-allow-origin': '*' })
    routes.get(path, ({ request }) => answer(request))
  }
  for (const card of cardsOf(config)) {
    serve(card.wellKnown, CARD_TYPE, (site) => JSON.stringify(serverCard(config, site, card)))
    serve(`${card.server.path}/server-card`, CARD_TYPE, (site) => JSON.stringify(serverCard(config, site, card)))
  }
  const { openaiAppsChallenge } = config
  if (openaiAppsChallenge !== undefined)
    serve('/.well-known/openai-apps-challenge', 'text/plain; charset=utf-8', () => openaiAppsChallenge)
  serve('/.well-known/ai-catalog.json', 'application/ai-catalog+json', (site) =>
    JSON.stringify(cardCatalog(config, site)),
  )
  return routes
}

export const agentRoutes = (deps: Deps) => {
  const serve = <C extends AnyCaller>(
    side: McpServerDefinition<C>,
    request: Request,
    caller: AnyCaller,
    body: unknown,
  ) => handlePost(openContext(deps, side, { request, caller }), body)
  return new Elysia({ name: 'agents', prefix: '/api/mcp' })
    .use(guard(deps))
    .post(
      '',
      async function callProServer({ request, caller, body }) {
        return await serve(proServer, request, caller, body)
      },
      {
        withKey: proAccess,
        body: RpcBody,
        response: answers,
        detail: {
          tags: ['Agent servers'],
          ...(deps.config.features.has('FEATURE_PRO_MCP') ? {} : { hide: true }),
          summary: 'The pro agent server',
          description: `For a pro’s own agent: leads, quotes, jobs, services, profile content. Needs an active Verified or Business plan. ${TOOLS}`,
        },
      },
    )
    .post(
      '/customer',
      async function callCustomerServer({ request, caller, body }) {
        return await serve(customerServer, request, caller, body)
      },
      {
        withKey: customerAccess,
        body: RpcBody,
        response:
          deps.config.machinePayments && deps.config.agentPayments ? { ...answers, ...paymentAnswers } : answers,
        detail: {
          tags: ['Agent servers'],
          summary: 'The customer agent server',
          description: `For agents of customers: search, open times, booking, quotes, reviews, packages, properties. ${deps.config.agentPayments ? '' : 'No payments: only what takes no deposit is booked, without a fee. '}${TOOLS}`,
        },
      },
    )
    .post(
      '/public',
      async function callPublicServer({ request, body }) {
        return await serve(publicServer, request, undefined, body)
      },
      {
        access: publicAccess,
        body: RpcBody,
        response: publicAnswers,
        detail: {
          tags: ['Agent servers'],
          summary: 'The public agent server',
          description: `For any agent, without a key: search, open times, prices, packages and reviews, at the rate of public paths. Keys are ignored. Its tools are those of the customer server that need no identity. ${METHODS}`,
        },
      },
    )
}
