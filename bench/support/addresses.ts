// Whom requests come from: very many clients behind a proxy, each of them below the limit of its address.
import type { LoadRequest } from './http-load.ts'

/** Addresses of a list of requests, for rates of up to 25,000 a second, and for rates of up to 100,000 a second. */
export const MANY = 16_384
export const VERY_MANY = 65_536

let lists = 0

/**
 * The requests over and over, `count` in all, each from an address of its own: no address is in two lists, so what one
 * scenario sends is not charged to the next. A proxy tells the address by X-Forwarded-For.
 */
export function fromManyAddresses(requests: readonly LoadRequest[], count = MANY): LoadRequest[] {
  const list = lists++ % 256
  return Array.from({ length: count }, (_, n) => {
    const { path = '/', headers, body } = requests[n % requests.length] ?? {}
    return { path, headers: { ...headers, ...addressOf(list, n) }, ...(body === undefined ? {} : { body }) }
  })
}

const addressOf = (list: number, n: number) => ({ 'x-forwarded-for': `10.${list}.${(n >> 8) & 255}.${n & 255}` })
