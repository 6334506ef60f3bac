// What a caller may use: the route’s kind of owner, an operator’s role, the scopes, and the resource that an app’s token is for.
import type { Access } from '../auth/access.ts'
import type { Caller } from '../auth/caller.ts'
import { resourceOfRoute, scopesToAskFor } from '../auth/oauth/challenge.ts'
import { RESOURCES } from '../auth/oauth/resources.ts'
import type { Scope } from '../auth/scopes.ts'
import { type Permitted, mayUse, mayUseWithoutFactor, proRolesFor, rolesFor } from '../auth/users/rules/permissions.ts'
import type { Deps } from '../deps.ts'
import { AppError, invalidField } from '../errors/app-error.ts'

/** Throws validation_failed for a query parameter that is missing. */
export function checkRequiredQuery({ requiredQuery = [] }: Access, query: Record<string, unknown>): void {
  for (const name of requiredQuery) if (!query[name]) throw invalidField(`query.${name}`, 'is required')
}

/** An app's token is for one resource: another one may not use it in the person's name (RFC 8707, RFC 9700 §4.10). */
function checkAudience(route: string, caller: Caller | undefined): void {
  if (!caller?.audience || caller.audience === resourceOfRoute(route)) return
  throw new AppError(
    'invalid_key',
    `The access token is for ${RESOURCES[caller.audience].name}, and not for this path.`,
  )
}

/** Throws missing_key, invalid_key, insufficient_scope and role_not_allowed unless the caller may use the route. */
export function checkAccess(
  deps: Deps,
  { method }: Pick<Request, 'method'>,
  { route, access, caller }: { route: string; access: Access; caller: Caller | undefined },
): void {
  checkAudience(route, caller)
  if (access.key === 'optional') return
  if (!caller) throw new AppError('missing_key', 'Send a key as `Authorization: Bearer <API_KEY>`.')
  if (access.owner === 'client' && caller.ownerKind !== 'client')
    throw new AppError('invalid_key', 'This path needs the key of a client account.')
  if (access.owner === 'pro' && caller.professionalId === null)
    throw new AppError('invalid_key', 'This path needs the key of a pro.')
  if (access.owner === 'operator' && caller.operator === null)
    throw new AppError('invalid_key', 'This path needs the key of an operator.')
  checkScopes(deps, caller, access)
  if (access.owner === 'operator')
    checkRole({ role: 'operator', operatorRole: caller.operator?.role ?? null }, { method, route })
}

/**
 * Throws role_not_allowed unless the role within the user's kind allows the route, and second_factor_required for an operator who has to
 * set one up before.
 */
export function checkRole(
  user: Permitted & { mustSetUpFactor?: boolean },
  { method, route }: { method: string; route: string | undefined },
): void {
  const name = `${method === 'HEAD' ? 'GET' : method} ${route}`
  if (user.mustSetUpFactor === true && !mayUseWithoutFactor(name))
    throw new AppError('second_factor_required', 'Set up a second factor for your log-in first.')
  if (mayUse(user, name)) return
  if (user.role === 'pro') {
    const roles = proRolesFor(name).map((role) => `${role}s`)
    const text = `This is for ${listed(roles)}. Your role is ${user.proRole}. Ask an owner of the business for it.`
    throw new AppError('role_not_allowed', text)
  }
  const allowed = rolesFor(name).map((role) => (role === 'administrator' ? 'administrators' : role))
  throw new AppError('role_not_allowed', `This is for ${listed(allowed)}. Your role is ${user.operatorRole}.`)
}

const listed = (roles: readonly string[]) => [roles.slice(0, -1).join(', '), roles.at(-1)].filter(Boolean).join(' and ')

/** Throws insufficient_scope unless the caller has one of the scopes, or all of them with `all`. */
export function checkScopes({ config }: Deps, caller: Caller, { scopes, all }: Pick<Access, 'scopes' | 'all'>): void {
  const has = (scope: Scope) => caller.scopes.has(scope)
  if (all ? scopes.every(has) : scopes.some(has)) return
  const needed = all && scopes.length > 1 ? 'all' : 'one'
  throw new AppError('insufficient_scope', `The key needs ${needed} of these scopes: ${scopes.join(', ')}.`, {
    extensions: { requiredScopes: scopes },
    challengeScopes: scopesToAskFor(config, caller, { needed: scopes, all }),
  })
}
