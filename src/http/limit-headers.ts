// What `RateLimit-Policy` and `RateLimit` say (draft-ietf-httpapi-ratelimit-headers-10).
import type { Limit, Standing } from '../platform/rate-limit/limit.ts'

/** §3: each limit's name, quota and window in seconds. */
export const policyOf = (limits: readonly Limit[]): string =>
  limits.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${windowMs / 1000}`).join(', ')

/** §4: how many requests remain of each limit (`r`), `more` added, and the seconds until more do (`t`). */
export type WriteState = (standings: readonly Standing[], more?: number) => string

/** Of requests that share their standings (the same array) only `r` changes: the text between is made once. */
export function stateWriter(limits: readonly Limit[]): WriteState {
  let known: readonly Standing[] | undefined
  let between: string[] = []
  const counts = limits.map(countWriter)
  return (standings, more = 0) => {
    if (standings !== known) {
      between = textBetween(limits, standings)
      known = standings
    }
    let text = ''
    for (let index = 0; index < standings.length; index++)
      text += `${between[index]}${counts[index]?.((standings[index]?.remaining ?? 0) + more)}`
    return text + between[standings.length]
  }
}

const LAST_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'))

/**
 * Writes a count that is mostly a little less than the one before: its thousands and its last digits are texts that are
 * there already. Three counts as new texts were a seventh of what the server itself does for a small answer.
 */
function countWriter(): (count: number) => string {
  let known = -1
  let thousands = ''
  return (count) => {
    if (count < 1000) return String(count)
    const now = Math.floor(count / 1000)
    if (now !== known) {
      thousands = String(now)
      known = now
    }
    return thousands + (LAST_DIGITS[count - now * 1000] ?? '')
  }
}

function textBetween(limits: readonly Limit[], standings: readonly Standing[]): string[] {
  const ends = standings.map(({ freesInMs }) => `;t=${secondsUntil(freesInMs)}`)
  const begins = limits.map(({ name }) => `"${name}";r=`)
  return [...begins.map((begin, index) => (index === 0 ? begin : `${ends[index - 1]}, ${begin}`)), ends.at(-1) ?? '']
}

/** Whole seconds, at least one: nobody should come back too early. */
export const secondsUntil = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
