// What `RateLimit-Policy` and `RateLimit` say (draft-ietf-httpapi-ratelimit-headers-10).
import type { Limit, Standing } from './limiter/limit.ts'

/** §3: each limit's name, quota and window in seconds. */
export const policyOf = (limits: readonly Limit[]): string =>
  limits.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${windowMs / 1000}`).join(', ')

/** §4: how many requests remain of each limit (`r`), `more` added, and the seconds until more do (`t`). */
export type WriteState = (standings: readonly Standing[], more?: number) => string

/** Of requests that share their standings (the same array) only `r` changes: for the second the text between is made. */
export function stateWriter(limits: readonly Limit[]): WriteState {
  let known: readonly Standing[] | undefined
  let writeAgain: ((more: number) => string) | undefined
  return (standings, more = 0) => {
    if (standings === known) return (writeAgain ??= repeatedWriter(limits, standings))(more)
    known = standings
    writeAgain = undefined
    return limits.map(({ name }, index) => stateOf(name, standings[index], more)).join(', ')
  }
}

const stateOf = (name: string, standing: Standing | undefined, more: number): string =>
  `"${name}";r=${(standing?.remaining ?? 0) + more};t=${secondsUntil(standing?.freesInMs ?? 0)}`

function repeatedWriter(limits: readonly Limit[], standings: readonly Standing[]): (more: number) => string {
  const begins = limits.map(({ name }, index) => `${index === 0 ? '' : ', '}"${name}";r=`)
  const counts = limits.map(countWriter)
  const ends = standings.map(({ freesInMs }) => `;t=${secondsUntil(freesInMs)}`)
  return (more) => {
    let text = ''
    for (const [index, { remaining }] of standings.entries())
      text += `${begins[index]}${counts[index]?.(remaining + more)}${ends[index]}`
    return text
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

/** Whole seconds, at least one: nobody should come back too early. */
export const secondsUntil = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
