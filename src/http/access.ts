// Who may call a route: declared once per route, enforced by the gate, shown in OpenAPI.
import type { Scope } from '../features/keys/scopes.ts'

export interface Access {
  /** `none`: nobody is asked. `optional`: a valid key is recognised, a bad one refused. `required`: 401 without one. */
  readonly key: 'none' | 'optional' | 'required'
  /** With a required key, any one of these is enough; otherwise 403. */
  readonly scopes: readonly Scope[]
  /** The key's owner must be of this kind (a pro with a profile); otherwise 401. */
  readonly owner?: 'pro'
  /** Besides the usual limits: `codeLookups` few per address, so that codes cannot be guessed. `none`: not even those. */
  readonly limit?: 'codeLookups' | 'none'
}

/** Health: asked by load balancers as often as they like, and answered however busy the process is. */
export const probe: Access = { key: 'none', scopes: [], limit: 'none' }

/** Served to everyone; a key with one of the scopes is served at its own rate. */
export const publicRead = (...scopes: Scope[]): Access => ({ key: 'optional', scopes })

/** Needs a key with any of the scopes. */
export const withKey = (...scopes: Scope[]): Access => ({ key: 'required', scopes })

/** Needs a pro's own key with the scope. */
export const proKey = (scope: 'pro:read' | 'pro:write'): Access => ({ key: 'required', scopes: [scope], owner: 'pro' })
