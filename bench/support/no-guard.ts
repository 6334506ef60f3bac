// Stand-ins for the guard's parts, which `without-guard.ts` loads instead of them. The compiler compares them with the originals.
import type { identityOf as originalIdentityOf } from '../../src/auth/caller.ts'
import type {
  allowedOrigin as originalAllowedOrigin,
  setCorsHeaders as originalSetCorsHeaders,
} from '../../src/http/cors.ts'
import type { headerCompleter as originalHeaderCompleter } from '../../src/http/headers.ts'
import type { RequestLimits } from '../../src/rate-limit/request-limits.ts'

/** The public members. */
type Limits = { [Name in keyof RequestLimits]: RequestLimits[Name] }

const limits: Limits = {
  admit: () => undefined,
  admitRpc: () => undefined,
  admitAddress: () => undefined,
  admitUser: () => undefined,
  admitLogin: () => Promise.resolve(),
  admitCode: () => Promise.resolve(true),
  admitFactor: () => Promise.resolve(),
  admitVisitorFile: () => Promise.resolve(),
  admitCopy: () => undefined,
  admitRefusedKey: () => undefined,
  rejectKeyGuessing: () => undefined,
  observe: () => undefined,
  addressOf: ({ headers }) => headers.get('x-forwarded-for') ?? '',
  flush: () => Promise.resolve(),
}

export const requestLimitsOf = (): Limits => limits
export const identityOf: typeof originalIdentityOf = () => ({ identify: () => undefined })
export const allowedOrigin: typeof originalAllowedOrigin = () => undefined
export const setCorsHeaders: typeof originalSetCorsHeaders = () => undefined
export const headerCompleter: typeof originalHeaderCompleter = () => () => undefined
