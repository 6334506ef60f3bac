// An OAuth client that knows nothing of Hearth or MCP (oauth4webapi): it is strict about what the RFCs require.
import * as oauth from 'oauth4webapi'

import type { Callback } from './connecting.ts'

/** The servers of tests have no HTTPS. The library marks the option as deprecated, so that it stands out in real clients. */
const HTTP = { [Reflect.get(oauth, 'allowInsecureRequests') as symbol]: true }
const PUBLIC = oauth.None()

export interface IndependentClient {
  /** The scopes that the resource has. */
  readonly scopes: readonly string[]
  /** The address that the person's browser is to open. */
  readonly asked: URL
  /** Checks the answer, with its `state` and `iss`, and exchanges its code. */
  finish(answer: URLSearchParams): Promise<oauth.TokenEndpointResponse>
  refresh(token: string): Promise<oauth.TokenEndpointResponse>
  revoke(token: string): Promise<void>
}

/** Discovers the authorization server of a resource, registers itself there and asks for access. */
export async function openIndependentClient(
  resource: URL,
  { scope, callback }: { scope: string; callback: Callback },
): Promise<IndependentClient> {
  const about = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, HTTP),
  )
  const issuer = new URL(about.authorization_servers?.[0] ?? '')
  const discovered = await oauth.discoveryRequest(issuer, { ...HTTP, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const metadata = {
    client_name: 'Independent client',
    redirect_uris: [callback.url],
    token_endpoint_auth_method: 'none',
  }
  const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, HTTP)
  const client = await oauth.processDynamicClientRegistrationResponse(registered)
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()]
  const asked = new URL(server.authorization_endpoint ?? '')
  asked.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: callback.url,
    scope,
    state,
    resource: about.resource,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString()
  return {
    scopes: about.scopes_supported ?? [],
    asked,
    finish: async (answer) => {
      const checked = oauth.validateAuthResponse(server, client, answer, state)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        PUBLIC,
        checked,
        callback.url,
        verifier,
        HTTP,
      )
      return await oauth.processAuthorizationCodeResponse(server, client, response)
    },
    refresh: async (token) =>
      await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, PUBLIC, token, HTTP),
      ),
    revoke: async (token) =>
      await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, PUBLIC, token, HTTP)),
  }
}

/** Calls the resource. Returns the status of its answer, or the error of a challenge. */
export async function callResource(token: string, url: URL): Promise<number | string | undefined> {
  try {
    return (await oauth.protectedResourceRequest(token, 'GET', url, undefined, undefined, HTTP)).status
  } catch (error) {
    if (!(error instanceof oauth.WWWAuthenticateChallengeError)) throw error
    return error.cause[0]?.parameters.error
  }
}
