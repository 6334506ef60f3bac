// Authorization requests, and the apps that people have connected.
import type { Scope } from '../scopes.ts'
import type { ResourceName, Side } from './resources.ts'

/** Who decides about a request: the session of the console or of a customer. */
export type Person =
  | { readonly side: 'pro'; readonly professionalId: string; readonly userId: string }
  | { readonly side: 'customer'; readonly accountId: string; readonly email: string }

/** A scope with what it allows, told to the person who grants it. */
export interface GrantedScope {
  readonly scope: Scope
  readonly words: string
}

/** The app that asks. */
export interface AppIdentity {
  /** As the app calls itself; not verified. */
  readonly name: string
  /**
   * The host that vouches for the app: that of its metadata document when `verified`. Otherwise the host to which the
   * person is sent back, which may be `localhost` for an app on the person's own device.
   */
  readonly host: string
  /** The app's metadata was read from `host`. */
  readonly verified: boolean
  /** The app's own page, on `host` when `verified`; null without one. */
  readonly uri: string | null
}

/** A request for access that waits for a person's decision. */
export interface AuthorizationRequest {
  readonly id: string
  readonly client: AppIdentity
  readonly side: Side
  readonly scopes: readonly GrantedScope[]
  readonly resource: ResourceName
  /** What the app wants to reach, such as "Hearth for pros (agent server)". */
  readonly resourceName: string
  /** Where the answer goes: the origin (or the scheme of a native app) for `form-action`, and the host for people. */
  readonly returnsTo: { readonly source: string; readonly host: string; readonly isThisDevice: boolean }
  readonly expiresAt: string
}

/** An app with access to the person's data: all its connections together. */
export interface ConnectedApp {
  /** The id of one of the grants. `removeConnectedApp` takes it and ends all grants of the app. */
  readonly grantId: string
  readonly client: AppIdentity
  readonly scopes: readonly GrantedScope[]
  readonly connections: number
  readonly connectedAt: string
  readonly lastUsedAt: string | null
}
