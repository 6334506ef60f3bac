// An app that a person connects: it asks for access, exchanges codes, and calls with its tokens.
import { createHash, randomBytes } from 'node:crypto'

import { requestContextOf } from '../../src/auth/request-context.ts'
import type { ResourceName } from '../../src/auth/oauth/resources.ts'
import { RESOURCES } from '../../src/auth/oauth/resources.ts'
import { beginAuthorization } from '../../src/auth/oauth/verbs/authorization.ts'
import { registerClient } from '../../src/auth/oauth/verbs/clients.ts'
import { type SignedIn, approve } from '../../src/auth/oauth/verbs/consent.ts'
import { issueTokens } from '../../src/auth/oauth/verbs/tokens.ts'
import type { Deps } from '../../src/deps.ts'
import { findCustomer, startCustomerSession } from '../../src/auth/customers/verbs.ts'
import { logIn } from '../../src/auth/users/verbs/sessions.ts'
import type { TestApp } from './app.ts'
import { findPros } from './reviews.ts'
import { PASSWORD, createTestUser } from './visitor.ts'
import { ctxOf } from '../../src/ctx.ts'

export const CALLBACK = 'https://app.example/callback'

export interface Tokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
}

export interface Reply {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** An address of the range for documentation (RFC 3849), so that tests do not use up one another's limits. */
const someAddress = () => `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`

/** Sends a request that is no call of the documented API, each from an address of its own unless one is given. */
export async function request(
  { app, deps }: TestApp,
  path: string,
  { address = someAddress(), ...init }: RequestInit & { address?: string } = {},
): Promise<Reply> {
  const sent = new Request(`${deps.config.baseUrl}${path}`, init)
  requestContextOf(sent).peer = () => address
  const response = await app.handle(sent)
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? (JSON.parse(text) as Reply['body']) : { text },
  }
}

export const postForm = (app: TestApp, path: string, fields: Record<string, string>): Promise<Reply> =>
  request(app, path, { method: 'POST', body: new URLSearchParams(fields) })

/** Registers an app and returns its id. */
export async function registerApp(app: TestApp, metadata: object = {}): Promise<string> {
  const { status, body } = await request(app, '/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test assistant', redirect_uris: [CALLBACK], ...metadata }),
  })
  if (status !== 201) throw new Error(`Registering answered ${status}: ${JSON.stringify(body)}`)
  return body['client_id'] as string
}

export interface Pkce {
  verifier: string
  challenge: string
}

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

export const addressOf = ({ deps }: Pick<TestApp, 'deps'>, resource: ResourceName): string =>
  deps.config.baseUrl + RESOURCES[resource].path

/** The parameters of a request for access that is in order. */
export const requestFor = (
  app: Pick<TestApp, 'deps'>,
  { clientId, resource, pkce, ...more }: { clientId: string; resource: ResourceName; pkce: Pkce; scope?: string },
): Record<string, string> => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: CALLBACK,
  state: 'state-of-the-app',
  code_challenge: pkce.challenge,
  code_challenge_method: 'S256',
  resource: addressOf(app, resource),
  ...more,
})

/** Opens the address of a request for access, and returns where the browser is sent. */
export async function authorize(
  app: TestApp,
  query: Record<string, string> | [string, string][],
): Promise<Reply & { location: URL | undefined }> {
  const reply = await request(app, `/oauth/authorize?${new URLSearchParams(query).toString()}`)
  const location = reply.headers.get('location')
  return { ...reply, location: location === null ? undefined : new URL(location, app.deps.config.baseUrl) }
}

/** The user of a pro, with a session of the console. */
export async function signedInPro(
  { deps }: Pick<TestApp, 'deps'>,
  { email, ...user }: { professionalId: string; userId: string; email: string },
): Promise<SignedIn & { side: 'pro' }> {
  const session = await logIn(ctxOf(deps), { email, password: PASSWORD })
  if (!session || 'check' in session) throw new Error(`${email} could not log in.`)
  return { side: 'pro', ...user, sessionToken: session.token }
}

/** A user of a seeded pro, with a session of the console. */
export async function somePro(app: TestApp, index = 0): Promise<SignedIn & { side: 'pro'; email: string }> {
  const pro = (await findPros(app, index + 1))[index]
  if (!pro) throw new Error('The seed has too few pros.')
  const email = await createTestUser(app, 'pro', { pro: pro.id })
  const [user] = await app.sql<{ id: string }[]>`select id from users where email = ${email}`
  return { ...(await signedInPro(app, { professionalId: pro.id, userId: user?.id ?? '', email })), email }
}

/** A customer with a session. */
export async function someCustomer(
  app: Pick<TestApp, 'deps'>,
  email: string,
): Promise<SignedIn & { side: 'customer' }> {
  const token = await ctxOf(app.deps).transaction('startSession', (ctx) => startCustomerSession(ctx, { email }))
  const customer = await findCustomer(ctxOf(app.deps), { token })
  if (!customer) throw new Error('The session did not start.')
  return { side: 'customer', accountId: customer.accountId, email: customer.customerEmail, sessionToken: token }
}

interface Connection {
  resource: ResourceName
  person: SignedIn
  scope?: string
  clientId?: string
}

/** Asks for access and lets the person agree. Returns the code and what belongs to it. */
export async function codeOf(app: TestApp, { resource, person, ...more }: Connection) {
  const pkce = newPkce()
  const clientId = more.clientId ?? (await registerApp(app))
  const query = requestFor(app, {
    clientId,
    resource,
    pkce,
    ...(more.scope === undefined ? {} : { scope: more.scope }),
  })
  const { location, status } = await authorize(app, query)
  const id = location?.searchParams.get('request')
  if (!id) throw new Error(`Asking for access answered ${status} ${location?.href}`)
  const answer = new URL(await approve(ctxOf(app.deps), { id, person }))
  return { clientId, pkce, code: answer.searchParams.get('code') ?? '', answer }
}

/** The fields with which an app exchanges its code. */
export const exchangeOf = ({ clientId, code, pkce }: { clientId: string; code: string; pkce: Pkce }) => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  redirect_uri: CALLBACK,
  code_verifier: pkce.verifier,
})

/** Connects an app and returns its tokens. */
export async function connect(app: TestApp, connection: Connection): Promise<Tokens & { clientId: string }> {
  const granted = await codeOf(app, connection)
  const { status, body } = await postForm(app, '/oauth/token', exchangeOf(granted))
  if (status !== 200) throw new Error(`Exchanging a code answered ${status}: ${JSON.stringify(body)}`)
  return { ...(body as unknown as Tokens), clientId: granted.clientId }
}

export const refresh = (app: TestApp, { clientId, refresh_token: token }: Tokens & { clientId: string }, more = {}) =>
  postForm(app, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, ...more })

/** Lists an agent server's tools with a token: the status, and the challenge of a refusal. */
export async function listTools(
  app: TestApp,
  resource: 'pro-agent' | 'customer-agent',
  token: string,
): Promise<Reply & { tools: string[] }> {
  const reply = await request(app, RESOURCES[resource].path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  const { result } = reply.body as { result?: { tools: { name: string }[] } }
  return { ...reply, tools: (result?.tools ?? []).map(({ name }) => name) }
}

/** The access token of an app that the customer has connected to the customer server. */
export const customerToken = async (app: TestApp, email: string): Promise<string> =>
  (await connect(app, { resource: 'customer-agent', person: await someCustomer(app, email) })).access_token

/** The access token that a person grants, without requests to a server, and with limits too high for tests to reach. */
export async function grantedToken(
  deps: Deps,
  { resource, person, scope }: Connection & { scope: string },
): Promise<string> {
  const registered = await registerClient(ctxOf(deps), { metadata: { redirect_uris: [CALLBACK] } })
  if (!registered.ok) throw new Error(registered.fault.description)
  const pkce = newPkce()
  const clientId = registered.client.client_id
  const query = { ...requestFor({ deps }, { clientId, resource, pkce }), scope }
  const { location } = await beginAuthorization(ctxOf(deps), { query: new URLSearchParams(query) })
  const asked = new URL(location, deps.config.baseUrl)
  const answer = new URL(await approve(ctxOf(deps), { id: asked.searchParams.get('request') ?? '', person }))
  const fields = exchangeOf({ clientId, code: answer.searchParams.get('code') ?? '', pkce })
  const result = await issueTokens(ctxOf(deps), { form: new URLSearchParams(fields) })
  if (!result.ok) throw new Error(result.refusal.description)
  await deps.write.run('raiseLimits', (sql) => sql`update api_keys set rate_multiplier = 1000 where is_grant`)
  return result.tokens.access_token
}
