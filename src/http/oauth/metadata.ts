// What an app reads before it asks for access: of each resource (RFC 9728), and of the authorization server (RFC 8414).
import { Elysia } from 'elysia'

import { metadataPath } from '../../auth/oauth/challenge.ts'
import { RESOURCES, type ResourceName, resourcesOf, scopesOfResource } from '../../auth/oauth/resources.ts'
import { reachesDocuments } from '../../auth/oauth/verbs/metadata-documents.ts'
import type { Config } from '../../config.ts'
import { ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { cachedDocument } from '../cached-document.ts'

type MetadataConfig = Pick<Config, 'baseUrl' | 'features'>

const resourceMetadata = (config: MetadataConfig, resource: ResourceName) => ({
  resource: config.baseUrl + RESOURCES[resource].path,
  resource_name: RESOURCES[resource].name,
  authorization_servers: [config.baseUrl],
  scopes_supported: scopesOfResource(config, resource),
  bearer_methods_supported: ['header'],
  resource_documentation: `${config.baseUrl}/api-docs`,
})

const serverMetadata = (config: MetadataConfig, { documents }: { documents: boolean }) => ({
  issuer: config.baseUrl,
  authorization_endpoint: `${config.baseUrl}/oauth/authorize`,
  token_endpoint: `${config.baseUrl}/oauth/token`,
  registration_endpoint: `${config.baseUrl}/oauth/register`,
  revocation_endpoint: `${config.baseUrl}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: documents,
  protected_resources: resourcesOf(config).map((name) => config.baseUrl + RESOURCES[name].path),
  scopes_supported: [...new Set(resourcesOf(config).flatMap((name) => scopesOfResource(config, name)))],
  service_documentation: `${config.baseUrl}/api-docs`,
  op_policy_uri: `${config.baseUrl}/privacy`,
  op_tos_uri: `${config.baseUrl}/terms`,
})

/** Programs in pages may read them, too. */
const OPEN = { 'access-control-allow-origin': '*' }

/** The documents under /.well-known. */
export function oauthMetadata(deps: Deps) {
  const { config } = deps
  const routes = new Elysia({ name: 'oauth-metadata' })
  const serve = (path: string, make: () => object) => {
    const answer = cachedDocument('application/json', () => JSON.stringify(make()), OPEN)
    routes.get(path, ({ request }) => answer(request))
  }
  const [withDocuments, without] = [true, false].map((documents) =>
    cachedDocument('application/json', () => JSON.stringify(serverMetadata(config, { documents })), OPEN),
  )
  routes.get('/.well-known/oauth-authorization-server', ({ request }) =>
    (reachesDocuments(ctxOf(deps)) ? withDocuments : without)?.(request),
  )
  for (const name of resourcesOf(config)) serve(metadataPath(name), () => resourceMetadata(config, name))
  return routes
}
