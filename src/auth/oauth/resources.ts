// What an access token is for: one of the agent servers or the REST API, and which scopes each of them takes.
import type { Config, Feature } from '../../config.ts'
import type { Scope } from '../scopes.ts'

/** Whose data a token reaches: a pro signs in to the console, a customer with a code by e-mail. */
export type Side = 'pro' | 'customer'

const SIDES = ['pro', 'customer'] as const satisfies readonly Side[]

/** The protected resources (RFC 9728). A token is for one of them (RFC 8707). */
export const RESOURCES = {
  'pro-agent': { path: '/api/mcp', name: 'Agent server for pros' },
  'customer-agent': { path: '/api/mcp/customer', name: 'Agent server for customers' },
  rest: { path: '/api/v1', name: 'REST API' },
} as const

export type ResourceName = keyof typeof RESOURCES

const RESOURCE_NAMES = Object.keys(RESOURCES) as ResourceName[]

/** The scopes that a person can grant, in the order of the consent page, and what each allows, told to that person. */
const GRANTS: Record<ResourceName, Partial<Record<Side, Partial<Record<Scope, string>>>>> = {
  'pro-agent': {
    pro: {
      'mcp:read': 'Read your leads, quotes, jobs, bookings, reviews and statistics',
      'mcp:write': 'Prepare quotes, messages and changes for you, and apply the changes that you confirm',
    },
  },
  'customer-agent': {
    customer: {
      'mcp:read': 'Search for pros, and see your bookings, quote requests, quotes and reviews',
      'mcp:write': 'Book, move and cancel appointments, request quotes and write reviews in your name',
      'packages:read': 'See the packages that pros offer',
      'packages:book': 'Book packages in your name',
    },
  },
  rest: {
    pro: {
      'pro:read': 'Read your leads, quotes, jobs, bookings, reviews, settings and statistics',
      'pro:write': 'Confirm, change and cancel bookings, send quotes, and edit your profile, prices and times',
    },
    customer: {
      'bookings:write': 'Book appointments, and see, move and cancel yours',
      'rfqs:write': 'Request quotes, and see your requests',
      'reviews:write': 'Write reviews in your name',
    },
  },
}

const grantableScopes = (resource: ResourceName, side: Side): Scope[] =>
  Object.keys(GRANTS[resource][side] ?? {}) as Scope[]

/** What the scope allows at the resource, in the words of the consent page. */
export const wordsOf = (resource: ResourceName, side: Side, scope: Scope): string =>
  GRANTS[resource][side]?.[scope] ?? scope

type ResourceConfig = Pick<Config, 'features'>

/** The resources that are on. */
export const resourcesOf = ({ features }: ResourceConfig): ResourceName[] =>
  RESOURCE_NAMES.filter((name) => name !== 'pro-agent' || features.has('FEATURE_PRO_MCP'))

/** The resource with this address: in any spelling of its host, with or without a final slash. */
export const findResource = (config: ResourceConfig & Pick<Config, 'baseUrl'>, address: string) =>
  resourcesOf(config).find((name) => spelled(config.baseUrl + RESOURCES[name].path) === spelled(address))

const spelled = (address: string): string => (URL.parse(address)?.href ?? '').replace(/\/$/, '')

/** Scopes that need a feature. */
const FEATURE_OF: Partial<Record<Scope, readonly Feature[]>> = {
  'packages:read': ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'],
  'packages:book': ['FEATURE_OFFER_PACKAGES', 'FEATURE_CUSTOMER_MCP_PACKAGES'],
}

/** The scopes of a resource that can be granted here, by a person of the side or of any. */
export const scopesOfResource = ({ features }: ResourceConfig, resource: ResourceName, side?: Side): Scope[] =>
  SIDES.filter((one) => side === undefined || one === side)
    .flatMap((one) => grantableScopes(resource, one))
    .filter((scope) => FEATURE_OF[scope]?.every((feature) => features.has(feature)) ?? true)

/**
 * The scopes of a request, and whether they are those of pros or of customers. Scopes that the resource does not have are
 * ignored (RFC 6749 §3.3). A request without scopes asks for all scopes of an agent server, or for a pro’s read access to
 * REST. Undefined when no scope is left, or when the scopes belong to both pros and customers.
 */
export function grantedScopes(
  config: ResourceConfig,
  resource: ResourceName,
  requested: string | null,
): { side: Side; scopes: Scope[] } | undefined {
  const names = new Set((requested ?? '').split(' ').filter(Boolean))
  const found = SIDES.flatMap((side) => {
    const all = scopesOfResource(config, resource, side)
    const scopes = names.size > 0 ? all.filter((scope) => names.has(scope)) : defaultScopes(resource, all)
    return scopes.length > 0 ? [{ side, scopes }] : []
  })
  return found.length === 1 ? found[0] : undefined
}

const defaultScopes = (resource: ResourceName, all: Scope[]): Scope[] =>
  resource === 'rest' ? all.filter((scope) => scope === 'pro:read') : all
