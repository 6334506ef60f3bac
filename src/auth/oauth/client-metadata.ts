// What an app says of itself, by registration (RFC 7591) or in its metadata document.
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

import { firstCharacters } from '../../platform/text/plain.ts'
import { redirectUriFault } from './redirect-uris.ts'

const MAX_REDIRECT_URIS = 20
/** The limit for all redirect URIs of an app together, because anyone can register apps. */
const MAX_REDIRECT_TEXT = 8192
const MAX_NAME = 200

/** Other members are ignored (RFC 7591 §2). */
const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_REDIRECT_URIS }),
  client_name: Type.Optional(Type.String()),
  client_uri: Type.Optional(Type.String()),
  token_endpoint_auth_method: Type.Optional(Type.String({ maxLength: 100 })),
  token_endpoint_auth_methods: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 20 }),
  ),
  grant_types: Type.Optional(Type.Array(Type.String())),
  response_types: Type.Optional(Type.Array(Type.String())),
})
type ClientMetadata = Static<typeof ClientMetadata>

export interface ReadMetadata {
  readonly name: string
  readonly redirectUris: string[]
  readonly uri: string | null
  /** Whether the app has a name of its own. */
  readonly isNamed: boolean
  /** The authentication methods that the app names; undefined if it names none. */
  readonly authMethods: readonly string[] | undefined
}

export type MetadataFault = {
  /** RFC 7591 §3.2.2. */
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata'
  readonly description: string
}

export type MetadataReading =
  | { readonly ok: true; readonly value: ReadMetadata }
  | { readonly ok: false; readonly fault: MetadataFault }

/** Reads what an app says of itself. */
export function readMetadata(value: unknown): MetadataReading {
  const fault = (error: MetadataFault['error'], description: string): MetadataReading => ({
    ok: false,
    fault: { error, description },
  })
  if (!Value.Check(ClientMetadata, value)) {
    const [first] = Value.Errors(ClientMetadata, value)
    const field = first?.path.split('/')[1]
    return field === 'redirect_uris'
      ? fault('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${MAX_REDIRECT_URIS} URIs.`)
      : fault('invalid_client_metadata', field ? `${field} has the wrong type.` : 'The metadata must be a JSON object.')
  }
  const metadata: ClientMetadata = value
  for (const uri of metadata.redirect_uris) {
    const problem = redirectUriFault(uri)
    if (problem) return fault('invalid_redirect_uri', `A redirect URI ${problem}.`)
  }
  if (metadata.redirect_uris.join('').length > MAX_REDIRECT_TEXT)
    return fault('invalid_redirect_uri', `The redirect URIs have more than ${MAX_REDIRECT_TEXT} characters.`)
  const name = readableName(metadata.client_name ?? '')
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods: methods } = metadata
  const { grant_types: grants = ['authorization_code'], response_types: responses = ['code'] } = metadata
  if (!grants.includes('authorization_code'))
    return fault('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (!responses.includes('code')) return fault('invalid_client_metadata', 'response_types must include code.')
  return {
    ok: true,
    value: {
      name: name || 'An app without a name',
      isNamed: name !== '',
      redirectUris: [...new Set(metadata.redirect_uris)],
      uri: httpsUrl(metadata.client_uri),
      authMethods: methods ?? (method === undefined ? undefined : [method]),
    },
  }
}

/** Without characters that are invisible or turn the direction of the text around. */
const readableName = (name: string): string =>
  firstCharacters(
    name
      .toWellFormed()
      .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    MAX_NAME,
  )

const httpsUrl = (text: string | undefined): string | null =>
  text !== undefined && text.length <= 2048 && URL.canParse(text) && new URL(text).protocol === 'https:'
    ? new URL(text).href.slice(0, 2048)
    : null
