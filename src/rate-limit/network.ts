// The network of a client, as free bookings are counted by it.
import type { Deps } from '../deps.ts'
import { requestLimitsOf } from './request-limits.ts'

/**
 * A digest of the client's IPv4 address or IPv6 /64, of the one that a trusted proxy names. It is keyed, because all IPv4
 * addresses can be tried in a minute: who reads the table learns no address.
 */
export const networkDigestOf = (deps: Deps, request: Request): string =>
  deps.encryption.digest('network of free bookings', requestLimitsOf(deps).addressOf(request))
