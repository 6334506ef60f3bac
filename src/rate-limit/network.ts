// The network of a client, as free bookings are counted by it.
import type { Deps } from '../deps.ts'
import { requestLimitsOf } from './request-limits.ts'

/**
 * A digest of the client’s IPv4 address or IPv6 /64 (of the client that a trusted proxy names). It is keyed: without the key,
 * an attacker who reads the table could find an IPv4 address by trying all of them.
 */
export const networkDigestOf = (deps: Deps, request: Request): string =>
  deps.encryption.digest('network of free bookings', requestLimitsOf(deps).addressOf(request))
