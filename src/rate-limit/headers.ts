// Writes `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10).
import type { Limit, LimitUsage } from './limiter/limit.ts'

/** §3: each limit's name, quota and window in seconds. */
export const policyOf = (limits: readonly Limit[]): string =>
  limits.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${windowMs / 1000}`).join(', ')

/** §4: the remaining requests of each limit (`r`) and the seconds until more are available (`t`). */
export function stateOf(limits: readonly Limit[], usages: readonly LimitUsage[]): string {
  let text = ''
  for (const [index, { name }] of limits.entries()) {
    const { remaining, resetInMs } = usages[index] ?? { remaining: 0, resetInMs: 0 }
    text += `${index === 0 ? '' : ', '}"${name}";r=${countText(remaining)};t=${countText(secondsUntil(resetInMs))}`
  }
  return text
}

const LAST_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/**
 * Formats a count by its thousands, of which there are few, and its last digits. Formatting three numbers anew took a seventh
 * of the server's own time for a small response.
 */
const countText = (count: number): string =>
  count < 1000 ? String(count) : String(Math.floor(count / 1000)) + (LAST_DIGITS[count % 1000] ?? '')

/** Whole seconds, at least one, rounded up so that no client retries too early. */
export const secondsUntil = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
