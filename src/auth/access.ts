// Who may call a route: declared once per route, enforced by the gate, shown in OpenAPI.
import type { Scope } from './scopes.ts'
import type { Role } from './users/schemas.ts'

export interface Access {
  /** `none`: nobody is asked. `optional`: a valid key is recognised, a bad one refused. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required'
  /** With a required key, any one of these is enough; otherwise 403. */
  readonly scopes: readonly Scope[]
  /** The key needs every one of `scopes`. */
  readonly all?: true
  /** The key's owner must be a pro with a profile, or a client; otherwise 401. */
  readonly owner?: 'pro' | 'client'
  /** Parameters whose absence is told to everyone, with or without a key (spec §7): 400 before 401. */
  readonly requiredQuery?: readonly string[]
  /** A person who is logged in with one of these roles; no key is looked at. */
  readonly session?: readonly Role[]
  /** People open it in a browser: what goes wrong is told in a page. */
  readonly page?: true
  /**
   * Besides the usual limits, few per address: `codeLookups`, so that codes cannot be guessed; `pageBookings`, since nobody
   * shows a key there. `none`: not even the usual ones.
   */
  readonly limit?: 'codeLookups' | 'pageBookings' | 'none'
  /**
   * The body is JSON-RPC 2.0: whoever carries its calls out admits each by the scope it needs, since one request may carry
   * several, and errors are JSON-RPC's.
   */
  readonly rpc?: true
}

/** Health: asked by load balancers as often as they like, and answered however busy the process is. */
export const probe: Access = { key: 'none', scopes: [], limit: 'none' }

/** The secret is in the path; no key is looked at. */
export const linkOnly: Access = { key: 'none', scopes: [] }

/** A page that anyone may open. */
export const publicPage: Access = { key: 'none', scopes: [], page: true }

/** Served to everyone; a key with one of the scopes is served at its own rate. */
export const publicRead = (...scopes: Scope[]): Access => ({ key: 'optional', scopes })
