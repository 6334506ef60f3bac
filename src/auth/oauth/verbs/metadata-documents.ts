// Client ID Metadata Documents: an app's id is the URL of a document that describes it (draft-ietf-oauth-client-id-metadata-document).
import CachePolicy from 'http-cache-semantics'
import { LRUCache } from 'lru-cache'

import type { Ctx } from '../../../ctx.ts'
import { oncePerDeps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { type Download, UNRESOLVED, openOutbound } from '../../../platform/net/outbound-fetch.ts'
import { OutsideBusy, OutsideWaits } from '../../../platform/net/outside.ts'
import { type ReadMetadata, readMetadata } from '../client-metadata.ts'
import type { ClientRow, DocumentUse } from '../queries/clients.ts'

/** The draft proposes 5 KB. */
const MAX_BYTES = 16 * 1024
/** Short, because a person waits for the page meanwhile. */
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
 * Anyone can make Hearth read from any host. These limits keep requests that wait for silent hosts from delaying others: Bun
 * allows 256 requests to other servers at once, and more than half of them stay free, for example for the payment provider.
 */
const WAITS = { perHost: 32, inAll: 96, perAddress: 8 }
/** A host that did not answer is not asked again for this long. */
const SILENT_MS = 10_000
const MAX_SILENT = 1000

const readingsOf = oncePerDeps(() => ({
  waits: new OutsideWaits(WAITS),
  pending: new Map<string, Promise<ClientRow>>(),
  silent: new LRUCache<string, DocumentReading>({ max: MAX_SILENT, ttl: SILENT_MS }),
  /** By the clock: no document is advertised before. */
  unreachedUntilMs: 0,
}))

/**
 * How long documents are not advertised after one could not be reached. Anybody can bring that about by naming a host that does not
 * answer; it costs nothing, because apps register themselves meanwhile.
 */
const UNREACHED_MS = 600_000

/**
 * Returns whether this process reaches the documents of apps, as far as it knows from the last one that it read. An app whose
 * document it cannot read, because there is no way out or its host sends a challenge page, would give up; without the
 * advertisement the app registers itself.
 */
export const reachesDocuments = (ctx: Ctx): boolean => ctx.clock.now().getTime() >= readingsOf(ctx).unreachedUntilMs

/** A refused address was never asked, so it tells nothing. */
function noteReach(ctx: Ctx, answer: Download): void {
  if (answer.kind === 'refused' && answer.reason !== UNRESOLVED) return
  const isReached = answer.kind === 'answered' && !isChallenge(answer)
  readingsOf(ctx).unreachedUntilMs = isReached ? 0 : ctx.clock.now().getTime() + UNREACHED_MS
}

/** How hosts answer programs that they take for unwanted ones; a page where JSON was asked for is one, too. */
const CHALLENGES = new Set([401, 403, 407, 429, 503])
const isChallenge = ({ status, headers }: { status: number; headers: Headers }): boolean =>
  CHALLENGES.has(status) || (headers.get('content-type') ?? '').startsWith('text/html')

/**
 * The app with this id, from `renew`, which reads its document and keeps it. Concurrent calls for one document share a call of
 * `renew`. Throws overloaded when too many requests wait for this host, or for all hosts.
 */
export async function oncePerDocument(
  ctx: Ctx,
  { id, renew }: { id: string; renew: () => Promise<ClientRow> },
): Promise<ClientRow> {
  const { waits, pending } = readingsOf(ctx)
  const host = URL.parse(id)?.host ?? id
  try {
    return await waits.run(host, async () => {
      const renewal = pending.get(id) ?? renew().finally(() => pending.delete(id))
      pending.set(id, renewal)
      return await renewal
    })
  } catch (error) {
    if (!(error instanceof OutsideBusy)) throw error
    throw new AppError('overloaded', `${error.message} Try again in a few seconds.`, { retryAfterSeconds: 5 })
  }
}

/** Reads the document of an app, without connecting to private addresses. `etag` names the version that the caller has. */
export async function readDocument(
  ctx: Ctx,
  { id, etag }: { id: string; etag: string | null },
): Promise<DocumentReading> {
  const fault = urlFault(id)
  if (fault) return refused(`The app’s id is no valid URL of a metadata document: it ${fault}.`)
  return readingsOf(ctx).silent.get(new URL(id).host) ?? (await download(ctx, id, etag))
}

async function download(ctx: Ctx, id: string, etag: string | null): Promise<DocumentReading> {
  const headers = { accept: 'application/json', ...(etag === null ? {} : { 'if-none-match': etag }) }
  const answer = await outboundOf(ctx).get(id, headers)
  noteReach(ctx, answer)
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
 * How long a response may be used (RFC 9111): at most a day. The content is stored for longer, because it describes the app
 * that a person agreed to. A 304 without an `etag` confirms the version that was asked for.
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
