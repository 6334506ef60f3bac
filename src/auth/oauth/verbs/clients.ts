// Apps that ask for access: registered ones, and those with a metadata document.
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { type MetadataFault, readMetadata } from '../client-metadata.ts'
import { type ClientRow, saveDocument } from '../queries/clients.ts'
import { findClient, insertClient } from '../queries/clients.sql.ts'
import { destinationOf, isUnownedScheme } from '../redirect-uris.ts'
import type { AppIdentity } from '../schemas.ts'
import { isDocumentUrl, oncePerDocument, readDocument } from './metadata-documents.ts'

const MAX_ID = 2048

/** The app with this id. Throws authorization_refused for one that is unknown, or whose document cannot be used. */
export async function getClient(ctx: Ctx, { id }: { id: string }): Promise<ClientRow> {
  const known = id.length <= MAX_ID ? await findClient(ctx, { id }) : undefined
  if (!isDocumentUrl(id)) {
    if (known) return known
    throw refused('The app is unknown here. Remove the connection in the app, and connect it again.')
  }
  if (known && ageSeconds(ctx, known) < known.freshSeconds) return known
  return await oncePerDocument(ctx, { id, renew: () => renewClient(ctx, id) })
}

/** The row is read again, because another request may have renewed it since. */
async function renewClient(ctx: Ctx, id: string): Promise<ClientRow> {
  const known = id.length <= MAX_ID ? await findClient(ctx.fresh(), { id }) : undefined
  if (known && ageSeconds(ctx, known) < known.freshSeconds) return known
  const reading = await readDocument(ctx, { id, etag: known?.etag ?? null })
  if (reading.kind === 'failed') {
    if (known && ageSeconds(ctx, known) < known.staleSeconds) return known
    throw refused(reading.reason)
  }
  const client = reading.kind === 'read' ? { ...reading.value, id } : known
  if (!client) throw refused('The app’s metadata document could not be read (status 304).')
  await saveDocument(ctx, { ...client, use: reading.use, now: ctx.clock.now() })
  return client
}

const ageSeconds = ({ clock }: Ctx, { readAt }: { readAt: string | null }): number =>
  readAt === null ? Infinity : (clock.now().getTime() - Date.parse(readAt)) / 1000

const refused = (detail: string) => new AppError('authorization_refused', detail)

/** The answer to a registration (RFC 7591 §3.2.1). */
export interface RegisteredClient {
  client_id: string
  client_id_issued_at: number
  client_name: string
  client_uri?: string
  redirect_uris: string[]
  token_endpoint_auth_method: 'none'
  grant_types: string[]
  response_types: string[]
}

/** Registers an app. All apps are public clients: they prove themselves with PKCE, and get no secret. */
export async function registerClient(
  ctx: Ctx,
  { metadata }: { metadata: unknown },
): Promise<{ ok: true; client: RegisteredClient } | { ok: false; fault: MetadataFault }> {
  const reading = readMetadata(metadata)
  if (!reading.ok) return reading
  const { name, redirectUris, uri } = reading.value
  const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
  await insertClient(ctx, { id, name, redirectUris, uri, now })
  return {
    ok: true,
    client: {
      client_id: id,
      client_id_issued_at: Math.floor(now.getTime() / 1000),
      client_name: name,
      ...(uri === null ? {} : { client_uri: uri }),
      redirect_uris: redirectUris,
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
  }
}

/**
 * The identity of an app for people: the host that vouches for it, or the host that it leads to. No document can vouch for an
 * app that uses a scheme without a dot.
 */
export function identityOfApp(client: Omit<ClientRow, 'id'> & { id: string }, redirectUri?: string): AppIdentity {
  const { id, name, uri } = client
  const isOwned = !(redirectUri === undefined ? client.redirectUris : [redirectUri]).some(isUnownedScheme)
  if (isDocumentUrl(id) && isOwned) return { name, host: new URL(id).hostname, verified: true, uri }
  const host = destinationOf(redirectUri ?? client.redirectUris[0] ?? id).host
  return { name, host, verified: false, uri: null }
}
