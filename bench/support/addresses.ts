// Client addresses of requests: many clients behind a proxy, each below the rate limit of its address.
import type { LoadRequest } from './http-load.ts'

/** Addresses per list of requests, for rates up to 25,000 and up to 100,000 a second. */
export const MANY_ADDRESSES = 16_384
export const VERY_MANY_ADDRESSES = 65_536

let lists = 0

/**
 * Repeats the requests up to `count`, each with its own X-Forwarded-For address. No address is in two lists, so the requests
 * of one scenario do not count against the limits of another.
 */
export function fromManyAddresses(requests: readonly LoadRequest[], count = MANY_ADDRESSES): LoadRequest[] {
  const list = lists++ % 256
  return Array.from({ length: count }, (_, n) => {
    const { path = '/', headers, body } = requests[n % requests.length] ?? {}
    return { path, headers: { ...headers, ...addressOf(list, n) }, ...(body === undefined ? {} : { body }) }
  })
}

const addressOf = (list: number, n: number) => ({ 'x-forwarded-for': `10.${list}.${(n >> 8) & 255}.${n & 255}` })
