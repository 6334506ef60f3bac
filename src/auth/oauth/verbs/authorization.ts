// A request for access (RFC 6749 §4.1.1, with PKCE, RFC 8707 and RFC 9207): checked, stored, and handed to the consent page.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { insertRequest } from '../queries/requests.sql.ts'
import { isRegistered, redirectUriFault, withParameters } from '../redirect-uris.ts'
import { type ResourceName, type Side, findResource, grantedScopes } from '../resources.ts'
import type { Scope } from '../../scopes.ts'
import { getClient } from './clients.ts'

/** The page on which a person decides; `request` is the id. */
export const CONSENT_PATH = '/oauth/consent'

/** Long enough to sign in with a code by e-mail. */
const REQUEST_MS = 20 * 60_000
const MAX_STATE = 4096

const PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

/** Where the browser goes next: to the consent page, or to the app with an error. */
export type NextAddress = { location: string } | { refusal: string; location: string }

/**
 * Stores a request for access. Throws authorization_refused when the app or its redirect URI is not known, or is harmful: then
 * nothing may be sent there.
 */
export async function beginAuthorization(ctx: Ctx, { query }: { query: URLSearchParams }): Promise<NextAddress> {
  for (const name of ['client_id', 'redirect_uri'] as const)
    if (query.getAll(name).length !== 1) throw refused(`The app must send \`${name}\` once.`)
  const client = await getClient(ctx, { id: query.get('client_id') ?? '' })
  const redirectUri = query.get('redirect_uri') ?? ''
  if (!isRegistered(client.redirectUris, redirectUri))
    throw refused('The app asks to be answered at an address that it has not registered (`redirect_uri`).')
  // It may have been registered before its scheme was known to be harmful.
  const fault = redirectUriFault(redirectUri)
  if (fault) throw refused(`The address at which the app asks to be answered ${fault}.`)
  const state = query.get('state')
  const checked = checkRequest(ctx, query)
  if ('error' in checked) {
    const { error, description } = checked
    const asked = { redirectUri, state: query.getAll('state').length > 1 ? null : state }
    return {
      refusal: description,
      location: answerUrl(ctx, { ...asked, answer: { error, error_description: description } }),
    }
  }
  const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
  const expiresAt = new Date(now.getTime() + REQUEST_MS)
  await insertRequest(ctx, { id, clientId: client.id, redirectUri, state, ...checked, now, expiresAt })
  return { location: `${CONSENT_PATH}?request=${id}` }
}

const refused = (detail: string) => new AppError('authorization_refused', detail)

interface RequestError {
  error: string
  description: string
}

interface CheckedRequest {
  resource: ResourceName
  side: Side
  scopes: Scope[]
  codeChallenge: string
}

function checkRequest(ctx: Ctx, query: URLSearchParams): CheckedRequest | RequestError {
  const wrong = (error: string, description: string): RequestError => ({ error, description })
  const repeated = PARAMETERS.find((name) => query.getAll(name).length > 1)
  if (repeated === 'resource') return wrong('invalid_target', 'Ask for one resource at a time.')
  if (repeated) return wrong('invalid_request', `${repeated} must be sent once.`)
  if ((query.get('state')?.length ?? 0) > MAX_STATE)
    return wrong('invalid_request', `state may have ${MAX_STATE} characters.`)
  if (query.get('response_type') !== 'code') return wrong('unsupported_response_type', 'response_type must be code.')
  if ((query.get('response_mode') ?? 'query') !== 'query')
    return wrong('invalid_request', 'response_mode must be query.')
  const codeChallenge = query.get('code_challenge') ?? ''
  if (query.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(codeChallenge))
    return wrong('invalid_request', 'Send PKCE: code_challenge with code_challenge_method=S256.')
  const resource = findResource(ctx.config, query.get('resource') ?? '')
  if (!resource)
    return wrong('invalid_target', 'resource must be the address of one of the servers that name this one.')
  const granted = grantedScopes(ctx.config, resource, query.get('scope'))
  if (!granted) return wrong('invalid_scope', 'The resource has no such scope. Its metadata lists scopes_supported.')
  return { resource, ...granted, codeChallenge }
}

/** The app's redirect URI with an answer; `iss` says who answers (RFC 9207). */
export const answerUrl = (
  ctx: Ctx,
  { redirectUri, state, answer }: { answer: Record<string, string>; redirectUri: string; state: string | null },
): string => withParameters(redirectUri, { ...answer, state, iss: ctx.config.baseUrl })
