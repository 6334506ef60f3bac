// The endpoints of the authorization server. Their answers are those of the RFCs; errors of transport are problem documents.
import { Elysia } from 'elysia'

import { beginAuthorization } from '../../auth/oauth/verbs/authorization.ts'
import { registerClient } from '../../auth/oauth/verbs/clients.ts'
import { issueTokens, revokeToken } from '../../auth/oauth/verbs/tokens.ts'
import type { Access } from '../../auth/access.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { readJsonBody, refuseManyValues, refuseUnstorable } from '../body.ts'
import { findCustomerSession } from '../customer-session.ts'
import { readForm } from '../form.ts'
import { guard } from '../guard.ts'
import { json } from '../json.ts'
import { queryOf } from '../request-target.ts'
import { findSession } from '../session.ts'

const open = (limit: NonNullable<Access['limit']>): Access => ({ key: 'none', scopes: [], limit })

/** Programs in pages may call them: no cookie and no key is read. */
const HEADERS = { 'access-control-allow-origin': '*', pragma: 'no-cache' }

const failure = ({ error, description }: { error: string; description: string }, status = 400): Response =>
  json({ error, error_description: description }, { status, headers: HEADERS })

const isSignedIn = async (deps: Deps, request: Request): Promise<boolean> =>
  (await findSession(deps, request)) !== undefined || (await findCustomerSession(deps, request)) !== undefined

/**
 * An error for the app, on a page with a link to it: a link to Hearth must not lead people elsewhere before
 * they have signed in (RFC 9700 §4.11.2).
 */
const leadsOut = (refusal: string, leadsTo: string) =>
  new AppError('authorization_refused', `${refusal} The error is for the makers of the app.`, {
    extensions: { leadsTo },
  })

export const oauthRoutes = (deps: Deps) =>
  new Elysia({ name: 'oauth', prefix: '/oauth' })
    .use(guard(deps))
    .get(
      '/authorize',
      async function authorize({ ctx, request }) {
        await ctx.restoredCopy.refuseChanges()
        const next = await beginAuthorization(ctx, { query: queryOf(request.url) })
        if ('refusal' in next && !(await isSignedIn(ctx, request))) throw leadsOut(next.refusal, next.location)
        return new Response(null, { status: 303, headers: { location: next.location } })
      },
      { access: { ...open('authorizations'), page: true }, caching: 'personal' },
    )
    .post(
      '/token',
      async function postToken({ ctx, request }) {
        const result = await issueTokens(ctx, { form: await readForm(ctx, request) })
        return result.ok ? json(result.tokens, { headers: HEADERS }) : failure(result.refusal)
      },
      { access: open('tokenRequests'), detail: { hide: true } },
    )
    .post(
      '/revoke',
      async function postRevoke({ ctx, request }) {
        const form = await readForm(ctx, request)
        const [token, clientId] = [form.get('token'), form.get('client_id')]
        if (!token || !clientId) return failure({ error: 'invalid_request', description: 'Send token and client_id.' })
        await revokeToken(ctx, { token, clientId })
        return new Response(null, { status: 200, headers: HEADERS })
      },
      { access: open('tokenRequests'), detail: { hide: true } },
    )
    .post(
      '/register',
      async function postRegister({ ctx, request }) {
        const body = await readJsonBody(ctx, request)
        refuseManyValues(body)
        refuseUnstorable(body, 'body')
        const result = await registerClient(ctx, { metadata: body })
        return result.ok ? json(result.client, { status: 201, headers: HEADERS }) : failure(result.fault)
      },
      { access: open('registrations'), detail: { hide: true } },
    )
