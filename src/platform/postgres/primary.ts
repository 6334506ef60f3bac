// Which host of a URL is the primary: the one that accepts writes.
import { settlesWithin, withDeadline } from '../clock/deadlines.ts'
import { READ_ONLY, StoreUnavailable, asStoreError } from '../store-error.ts'
import { hostUrls } from './address.ts'
import { postgresClient } from './client.ts'
import { type NodeStatus, askStatus } from './node-status.ts'

const ANSWER_LIMIT_MS = 1000
/** How long a second node may take to say that it accepts writes too, after a first one did. */
const SECOND_ANSWER_MS = 100
/** SQLSTATEs of a wrong login and of too many connections. */
const REFUSALS = /^(28...|53300)$/

/**
 * The URL of the host that accepts writes; the only host's without asking it. After a failover the previous primary may come
 * back and accept writes: the later timeline wins. Throws {@link StoreUnavailable}.
 */
export async function primaryUrl(text: string): Promise<string> {
  const urls = hostUrls(text)
  if (urls.length === 1) return text
  const primaries: { url: string; timeline: number }[] = []
  const failures: unknown[] = []
  const found = Promise.withResolvers<void>()
  const asking = urls.map(async (url) => {
    try {
      const { acceptsWrites, timeline } = await askOnce(url)
      if (!acceptsWrites) return
      primaries.push({ url, timeline })
      found.resolve()
    } catch (error) {
      failures.push(asStoreError(error))
    }
  })
  const all = Promise.all(asking)
  await Promise.race([all, found.promise])
  if (primaries.length > 0) await settlesWithin(all, SECOND_ANSWER_MS)
  const [latest] = primaries.toSorted((a, b) => b.timeline - a.timeline)
  if (latest) return latest.url
  // A node that refuses the connection may be the primary. Otherwise one that answers says more than one that does not.
  const refusal = failures
    .filter((failure) => failure instanceof StoreUnavailable)
    .find(({ code }) => REFUSALS.test(code))
  if (refusal) throw refusal
  throw failures.length < urls.length ? new StoreUnavailable('postgres', { code: READ_ONLY }) : failures[0]
}

/** Asks over a new connection. Throws StoreUnavailable, and the driver's other errors. */
export async function askOnce(url: string): Promise<NodeStatus> {
  const sql = postgresClient(url, {
    max: 1,
    prepare: false,
    // The URL may lead through a pooler. This connection ends within a second.
    limitsByRole: true,
    connect_timeout: ANSWER_LIMIT_MS / 1000,
    connection: { application_name: 'hearth-primary' },
  })
  try {
    return await withDeadline(askStatus(sql), ANSWER_LIMIT_MS, () => new StoreUnavailable('postgres'))
  } finally {
    await sql.end({ timeout: 0 })
  }
}
