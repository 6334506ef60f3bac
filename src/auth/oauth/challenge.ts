// WWW-Authenticate: how a caller gets a token, or a wider one (RFC 6750 §3, RFC 9728 §5.1).
import type { Config } from '../../config.ts'
import type { AppError, ErrorCode } from '../../errors/app-error.ts'
import type { Caller } from '../caller.ts'
import type { Scope } from '../scopes.ts'
import { RESOURCES, type ResourceName, scopesOfResource } from './resources.ts'

/** The path of a resource's metadata (RFC 9728 §3.1). */
export const metadataPath = (resource: ResourceName): string =>
  `/.well-known/oauth-protected-resource${RESOURCES[resource].path}`

/** The resource that a route belongs to; undefined for pages. */
export function resourceOfRoute(route: string | undefined): ResourceName | undefined {
  if (route === RESOURCES['pro-agent'].path) return 'pro-agent'
  if (route === RESOURCES['customer-agent'].path) return 'customer-agent'
  return route?.startsWith('/api/') ? 'rest' : undefined
}

/** RFC 6750 §3.1. */
const ERROR_OF: Partial<Record<ErrorCode, string>> = {
  insufficient_scope: 'insufficient_scope',
  invalid_key: 'invalid_token',
  expired_token: 'invalid_token',
}

/** The value of the header for an error of status 401, or of a missing scope; undefined for other errors. */
export function challengeOf(
  config: Pick<Config, 'baseUrl' | 'features'>,
  { code, status, challengeScopes }: Pick<AppError, 'code' | 'status' | 'challengeScopes'>,
  resource: ResourceName | undefined,
): string | undefined {
  if (status !== 401 && code !== 'insufficient_scope') return undefined
  const error = ERROR_OF[code]
  const scopes = challengeScopes ?? (resource && resource !== 'rest' ? scopesOfResource(config, resource) : [])
  const parameters = {
    realm: 'hearth',
    error,
    scope: scopes.join(' ') || undefined,
    resource_metadata: resource && config.baseUrl + metadataPath(resource),
  }
  const texts = Object.entries(parameters).flatMap(([name, value]) => (value ? [`${name}="${value}"`] : []))
  return `Bearer ${texts.join(', ')}`
}

/**
 * The scopes that an app should request when one of `needed` (or all of them) is missing: those that it has, and the missing
 * ones. If any of several would do, the first that a person can grant.
 */
export function scopesToAskFor(
  config: Pick<Config, 'features'>,
  { audience, customer, scopes }: Pick<Caller, 'audience' | 'customer' | 'scopes'>,
  { needed, all = false }: { needed: readonly Scope[]; all?: boolean | undefined },
): Scope[] {
  if (!audience) return [...needed]
  const grantable = scopesOfResource(config, audience, customer ? 'customer' : 'pro')
  const missing = grantableOf(config, { audience, customer }, needed)
  return grantable.filter((scope) => scopes.has(scope) || (all ? missing : missing.slice(0, 1)).includes(scope))
}

/** Those of `scopes` that the person who connected the app can grant it; none for a key, whose scopes do not change. */
export function grantableOf(
  config: Pick<Config, 'features'>,
  { audience, customer }: Pick<Caller, 'audience' | 'customer'>,
  scopes: readonly Scope[],
): Scope[] {
  if (!audience) return []
  const grantable = scopesOfResource(config, audience, customer ? 'customer' : 'pro')
  return scopes.filter((scope) => grantable.includes(scope))
}
