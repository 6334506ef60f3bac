// Client ID Metadata Documents: an app's id is the URL of a document that describes it (draft-ietf-oauth-client-id-metadata-document).
import CachePolicy from 'http-cache-semantics'
import { LRUCache } from 'lru-cache'

import type { Ctx } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { openOutbound } from '../../../platform/net/outbound-fetch.ts'
import { OutsideBusy, OutsideWaits } from '../../../platform/net/outside.ts'
import { type ReadMetadata, readMetadata } from '../client-metadata.ts'
import type { DocumentUse } from '../queries/clients.ts'

/** The draft proposes 5 KB. */
const MAX_BYTES = 16 * 1024
/** A person waits for it. */
const TIMEOUT_MS = 5000

const outboundOf = oncePerDeps(({ config }) =>
  openOutbound({
    allowPrivate: config.clientMetadataAllowPrivate,
    httpsOnly: !config.clientMetadataAllowPrivate,
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_BYTES,
    maxRedirects: 0,
  }),
)

/** Whether an app's id is the URL of its metadata document. */
export const isDocumentUrl = (id: string): boolean => /^https?:\/\//i.test(id)

/** `unchanged` since the version that the reader knows. The `reason` of a failure is a sentence for people. */
export type DocumentReading =
  | { readonly kind: 'read'; readonly value: ReadMetadata; readonly use: DocumentUse }
  | { readonly kind: 'unchanged'; readonly use: DocumentUse }
  | Failed
type Failed = { readonly kind: 'failed'; readonly reason: string }

/**
 * Anyone can name any host: people who wait for a silent one are few, and keep no one else waiting. Bun has 256 requests to the
 * outside in progress at most; more than half of them are for others, such as the payment provider.
 */
const WAITS = { perHost: 32, inAll: 96, perAddress: 8 }
/** A host that did not answer is not asked again for this long. */
const SILENT_MS = 10_000
const MAX_SILENT = 1000

const readingsOf = oncePerDeps(() => ({
  waits: new OutsideWaits(WAITS),
  pending: new Map<string, Promise<DocumentReading>>(),
  silent: new LRUCache<string, DocumentReading>({ max: MAX_SILENT, ttl: SILENT_MS }),
}))

/**
 * Reads an app's document through the guard against private addresses; at the same time only once. `etag` is the version that the
 * caller knows. Throws overloaded when too many requests wait for documents of this host, or of all.
 */
export async function readDocument(
  ctx: Ctx,
  { id, etag }: { id: string; etag: string | null },
): Promise<DocumentReading> {
  const fault = urlFault(id)
  if (fault) return refused(`The app’s id is no valid URL of a metadata document: it ${fault}.`)
  const { waits, pending, silent } = readingsOf(ctx)
  const { host } = new URL(id)
  const known = silent.get(host)
  if (known) return known
  try {
    return await waits.run(host, async () => {
      const key = JSON.stringify([id, etag])
      const reading = pending.get(key) ?? download(ctx, id, etag).finally(() => pending.delete(key))
      pending.set(key, reading)
      return await reading
    })
  } catch (error) {
    if (!(error instanceof OutsideBusy)) throw error
    throw new AppError('overloaded', `${error.message} Try again in a few seconds.`, { retryAfterSeconds: 5 })
  }
}

async function download(ctx: Ctx, id: string, etag: string | null): Promise<DocumentReading> {
  const headers = { accept: 'application/json', ...(etag === null ? {} : { 'if-none-match': etag }) }
  const answer = await outboundOf(ctx).get(id, headers)
  if (answer.kind === 'refused') return refused(`The app’s id cannot be used: it ${answer.reason}.`)
  if (answer.kind === 'failed') {
    const reading = refused(`The app’s metadata document could not be read (${answer.reason}).`)
    if (answer.reason === 'timeout') readingsOf(ctx).silent.set(new URL(id).host, reading)
    return reading
  }
  if (answer.status === 304 && etag !== null) return { kind: 'unchanged', use: useOf(id, answer.headers, etag) }
  if (answer.status !== 200) return refused(`The app’s metadata document could not be read (status ${answer.status}).`)
  const reading = readText(id, new TextDecoder().decode(answer.body))
  return reading.kind === 'failed' ? reading : { ...reading, use: useOf(id, answer.headers, null) }
}

/** A document whose headers say nothing is read again after an hour, and any after a day. */
const DEFAULT_SECONDS = 3600
const LONGEST_SECONDS = 86_400

/**
 * How long an answer may be used (RFC 9111), within a day. Its content is kept in any case, as the app that a person agreed to.
 * A 304 without `etag` is of the version that was asked about.
 */
function useOf(url: string, headers: Headers, asked: string | null): DocumentUse {
  const policy = new CachePolicy({ url, headers: {} }, { status: 200, headers: Object.fromEntries(headers) })
  const says = ['cache-control', 'expires', 'pragma'].some((name) => headers.has(name))
  const seconds = says ? Math.floor(policy.maxAge() - policy.age()) : DEFAULT_SECONDS
  const mustAsk = /\b(no-cache|must-revalidate|proxy-revalidate)\b/i.test(headers.get('cache-control') ?? '')
  const etag = headers.get('etag') ?? asked
  return {
    freshSeconds: Math.min(Math.max(seconds, 0), LONGEST_SECONDS),
    staleSeconds: policy.storable() && !mustAsk ? LONGEST_SECONDS : 0,
    etag: etag !== null && etag.length > 0 && etag.length <= MAX_ETAG ? etag : null,
  }
}

const MAX_ETAG = 500

/** The draft's rules for the URL, besides those of the guard. */
function urlFault(id: string): string | undefined {
  const url = URL.canParse(id) ? new URL(id) : undefined
  if (!url || url.href !== id) return 'must be written as browsers write it'
  if (id.includes('#')) return 'must not have a fragment'
  return url.pathname === '/' ? 'must have a path' : undefined
}

function readText(id: string, text: string): { kind: 'read'; value: ReadMetadata } | Failed {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    return refused('The app’s metadata document is no JSON.')
  }
  if ((document as { client_id?: unknown } | null)?.client_id !== id)
    return refused('The app’s metadata document is for another `client_id` than its URL.')
  const reading = readMetadata(document)
  if (!reading.ok) return refused(`The app’s metadata document cannot be used. ${reading.fault.description}`)
  const { value } = reading
  if (!value.isNamed) return refused('The app’s metadata document has no `client_name`.')
  // A document is public, and so would be a secret in it.
  if (value.authMethods?.every((method) => method.startsWith('client_secret_')))
    return refused('The app’s metadata document asks for a client secret, which it cannot have.')
  if (value.authMethods?.includes('none') === false)
    return refused(
      `The app’s metadata document asks to authenticate by \`${value.authMethods.join(', ')}\`. Apps prove themselves with PKCE here: offer \`none\`.`,
    )
  return {
    kind: 'read',
    value: { ...value, uri: value.uri !== null && new URL(value.uri).host === new URL(id).host ? value.uri : null },
  }
}

const refused = (reason: string): Failed => ({ kind: 'failed', reason })
