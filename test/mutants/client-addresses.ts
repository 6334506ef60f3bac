// Mutants of the address that counts as the client's.
import type { Mutant } from './mutant.ts'

export const CLIENT_ADDRESSES: readonly Mutant[] = [
  {
    guarantee: 'X-Forwarded-For counts only from trusted proxies.',
    file: 'src/platform/net/client-address.ts',
    from: 'if (!isProxy) {',
    to: 'if (!isProxy && !isNear) {',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
  {
    guarantee: 'The right-most untrusted hop is the client.',
    file: 'src/platform/net/client-address.ts',
    from: 'hops.toReversed()',
    to: 'hops',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
  {
    guarantee: 'A whole IPv6 /64 is one client.',
    file: 'src/platform/net/client-address.ts',
    from: 'parts.slice(0, 4)',
    to: 'parts.slice(0, 8)',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
  {
    guarantee: 'A chain with too many hops is ignored.',
    file: 'src/platform/net/client-address.ts',
    from: 'hops.length > MAX_HOPS',
    to: 'hops.length > MAX_HOPS * 1000',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
  {
    guarantee: 'A range of trusted proxies is compared with its whole prefix.',
    file: 'src/platform/net/client-address.ts',
    from: '(bits & mask) === network',
    to: '(bits & network) === network',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
  {
    guarantee: 'A number over 255 is no part of an address.',
    file: 'src/platform/net/client-address.ts',
    from: 'if (part > 255)',
    to: 'if (part > 256)',
    killedBy: 'test/platform/net/client-address.test.ts',
  },
]
