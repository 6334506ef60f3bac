// Downloads calendars: the secret address, the request, and what went wrong in plain words.
import { type Ctx, ctxOf } from '../../../../ctx.ts'
import { oncePerDeps } from '../../../../deps.ts'
import type { TargetPolicy } from '../../../../platform/net/addresses.ts'
import { type Download, openOutbound, retryAfterMs } from '../../../../platform/net/outbound-fetch.ts'
import type { ClaimedCalendar } from '../queries/readings.ts'

const PURPOSE = 'calendar-address'
const MAX_BYTES = 5 * 1024 * 1024
/** For a whole download with its redirects. */
export const DOWNLOAD_LIMIT_MS = 20_000
const USER_AGENT = 'Hearth-Calendars/1.0'

export const targetPolicy = (ctx: Ctx): TargetPolicy => ({
  allowPrivate: ctx.config.calendarAllowPrivate,
  httpsOnly: ctx.config.environment === 'production',
})

export const encryptAddress = (ctx: Ctx, { address }: { address: string }): string =>
  ctx.encryption.encrypt(PURPOSE, address)

const outboundOf = oncePerDeps((deps) =>
  openOutbound({ ...targetPolicy(ctxOf(deps)), timeoutMs: DOWNLOAD_LIMIT_MS, maxResponseBytes: MAX_BYTES }),
)

export type Downloaded =
  | { kind: 'file'; body: Uint8Array; etag: string | null; lastModified: string | null }
  | { kind: 'unchanged' }
  /** `error` is for people, and holds no part of the address. */
  | { kind: 'failed'; error: string; retryAfterMs: number }

/** Downloads a calendar. `isConditional`: only if it has changed since the last download. */
export async function download(
  ctx: Ctx,
  {
    calendar,
    isConditional,
  }: { calendar: Pick<ClaimedCalendar, 'addressEncrypted' | 'etag' | 'lastModified'>; isConditional: boolean },
): Promise<Downloaded> {
  const address = ctx.encryption.decrypt(PURPOSE, calendar.addressEncrypted, ctx.clock.now())
  if (typeof address !== 'string')
    return failed('The address can no longer be read. Remove the calendar and add it again.')
  const { etag, lastModified } = calendar
  const answer = await outboundOf(ctx).get(address, {
    accept: 'text/calendar',
    'user-agent': USER_AGENT,
    ...(isConditional && etag !== null ? { 'if-none-match': etag } : {}),
    ...(isConditional && lastModified !== null ? { 'if-modified-since': lastModified } : {}),
  })
  if (answer.kind !== 'answered') return failed(UNANSWERED[answer.reason] ?? unanswered(answer))
  if (answer.status === 304 && isConditional) return { kind: 'unchanged' }
  const { status, headers, body } = answer
  if (status !== 200) return failed(statusText(status), retryAfterMs(headers.get('retry-after'), ctx.clock.now()))
  return { kind: 'file', body, etag: headerOf(headers, 'etag'), lastModified: headerOf(headers, 'last-modified') }
}

/** A server's own text is stored and sent back as it is; longer ones are no such header. */
const headerOf = (headers: Headers, name: string): string | null => {
  const value = headers.get(name)
  return value !== null && /^[\x20-\x7e]{1,500}$/.test(value) ? value : null
}

const failed = (error: string, retryAfter = 0): Downloaded => ({ kind: 'failed', error, retryAfterMs: retryAfter })

const UNANSWERED: Record<string, string> = {
  timeout: 'The calendar’s server did not answer in time.',
  too_large: 'The calendar is larger than 5 MB.',
  too_many_redirects: 'The address is redirected too often.',
}

const unanswered = ({ kind, reason }: Exclude<Download, { kind: 'answered' }>) =>
  kind === 'refused' ? `The calendar’s address ${reason}.` : 'The calendar’s server could not be reached.'

function statusText(status: number): string {
  if (status === 401 || status === 403)
    return `The calendar’s server refuses the address (${status}). Copy its secret address again.`
  if (status === 404 || status === 410)
    return `No calendar has this address any more (${status}). Copy its secret address again.`
  if (status === 429) return 'The calendar’s server asks us to wait (429).'
  return `The calendar’s server answered with an error (${status}).`
}
