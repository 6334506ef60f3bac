// Who may call a route: declared by the route, enforced by the guard, shown in OpenAPI.
import type { Scope } from './scopes.ts'
import type { Role } from './users/schemas.ts'

export interface Access {
  /** `none`: keys are ignored. `optional`: a valid key is recognised, an invalid one is 401. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required'
  /** With a required key, any one of these is enough; 403 without. */
  readonly scopes: readonly Scope[]
  /** The key needs every one of `scopes`. */
  readonly all?: true
  /** The key's owner must be a pro with a profile, a client, or an operator whose role allows the route; otherwise 401, and 403 for the role. */
  readonly owner?: 'pro' | 'client' | 'operator'
  /** Query parameters whose absence is 400 for all callers, before 401 (spec §7). */
  readonly requiredQuery?: readonly string[]
  /** The roles of users who may open the page; keys are ignored. */
  readonly session?: readonly Role[]
  /** The page is for signed-in customers; keys are ignored. */
  readonly customer?: true
  /** The route is a page for browsers: its errors are pages too. */
  readonly page?: true
  /**
   * A further limit per address: `codeLookups`, so that codes cannot be guessed; `pageBookings`, because bookings on pages
   * carry no key; `authorizations` and `registrations`, because each stores a row. `paymentNotifications` and `tokenRequests`:
   * a limit of its own, because the payment provider and the servers of assistants send from a few addresses. `none`: no limits
   * at all.
   */
  readonly limit?:
    | 'codeLookups'
    | 'pageBookings'
    | 'authorizations'
    | 'registrations'
    | 'paymentNotifications'
    | 'tokenRequests'
    | 'none'
  /**
   * The body is JSON-RPC 2.0, and errors are JSON-RPC errors. The agent server checks limits and scopes of each call, because
   * one request may carry several.
   */
  readonly rpc?: true
}

/** For probes and files: no rate limit, and served under overload. */
export const probe: Access = { key: 'none', scopes: [], limit: 'none' }

/** For everyone, or for those who know the secret in the path; keys are ignored. */
export const linkOnly: Access = { key: 'none', scopes: [] }

/** The same, but a key is recognised: what its pro may not do with a customer's link is refused. */
export const linkOfCustomer: Access = { key: 'optional', scopes: [] }

/** A page for everyone. */
export const publicPage: Access = { key: 'none', scopes: [], page: true }

/** Served to everyone; a key with one of the scopes has its own rate limit. */
export const publicRead = (...scopes: Scope[]): Access => ({ key: 'optional', scopes })
