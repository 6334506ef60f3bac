// Client ID Metadata Documents: an app's id is the URL of a document that describes it (draft-ietf-oauth-client-id-metadata-document).
import { LRUCache } from 'lru-cache'

import { type Deps, oncePerDeps } from '../../../deps.ts'
import { AppError } from '../../../errors/app-error.ts'
import { openOutbound } from '../../../platform/net/outbound-fetch.ts'
import { OutsideBusy, OutsideWaits } from '../../../platform/net/outside.ts'
import { type ReadMetadata, readMetadata } from '../client-metadata.ts'

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

export type DocumentReading =
  | { readonly ok: true; readonly value: ReadMetadata }
  /** `reason` is a sentence for people. */
  | { readonly ok: false; readonly reason: string }

/** Anyone can name any host: people who wait for a silent one are few, and keep no one else waiting. */
const WAITS = { perHost: 32, inAll: 512, perAddress: 8 }
/** A host that did not answer is not asked again for this long. */
const SILENT_MS = 10_000
const MAX_SILENT = 1000

const readingsOf = oncePerDeps(() => ({
  waits: new OutsideWaits(WAITS),
  pending: new Map<string, Promise<DocumentReading>>(),
  silent: new LRUCache<string, DocumentReading>({ max: MAX_SILENT, ttl: SILENT_MS }),
}))

/**
 * Reads an app's document through the guard against private addresses; at the same time only once. Throws overloaded when too
 * many requests wait for documents of this host, or of all.
 */
export async function readDocument(deps: Deps, id: string): Promise<DocumentReading> {
  const fault = urlFault(id)
  if (fault) return refused(`The app’s id is no valid URL of a metadata document: it ${fault}.`)
  const { waits, pending, silent } = readingsOf(deps)
  const { host } = new URL(id)
  const known = silent.get(host)
  if (known) return known
  try {
    return await waits.run(host, async () => {
      const reading = pending.get(id) ?? download(deps, id).finally(() => pending.delete(id))
      pending.set(id, reading)
      return await reading
    })
  } catch (error) {
    if (!(error instanceof OutsideBusy)) throw error
    throw new AppError('overloaded', `${error.message} Try again in a few seconds.`, { retryAfterSeconds: 5 })
  }
}

async function download(deps: Deps, id: string): Promise<DocumentReading> {
  const answer = await outboundOf(deps).get(id, { accept: 'application/json' })
  if (answer.kind === 'refused') return refused(`The app’s id cannot be used: it ${answer.reason}.`)
  if (answer.kind === 'failed') {
    const reading = refused(`The app’s metadata document could not be read (${answer.reason}).`)
    if (answer.reason === 'timeout') readingsOf(deps).silent.set(new URL(id).host, reading)
    return reading
  }
  if (answer.status !== 200) return refused(`The app’s metadata document could not be read (status ${answer.status}).`)
  return readText(id, new TextDecoder().decode(answer.body))
}

/** The draft's rules for the URL, besides those of the guard. */
function urlFault(id: string): string | undefined {
  const url = URL.canParse(id) ? new URL(id) : undefined
  if (!url || url.href !== id) return 'must be written as browsers write it'
  if (id.includes('#')) return 'must not have a fragment'
  return url.pathname === '/' ? 'must have a path' : undefined
}

function readText(id: string, text: string): DocumentReading {
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
    ok: true,
    value: { ...value, uri: value.uri !== null && new URL(value.uri).host === new URL(id).host ? value.uri : null },
  }
}

const refused = (reason: string): DocumentReading => ({ ok: false, reason })
