// The caller of a request, by its key.
import { type Caller, identityOf } from '../auth/caller.ts'
import { requestContextOf } from '../auth/request-context.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors/app-error.ts'
import { requestLimitsOf } from '../rate-limit/request-limits.ts'

/** A refused key counts against its sender's address, so that keys cannot be guessed without limit. */
export function identify(deps: Deps, request: Request): Caller | undefined | Promise<Caller> {
  const limits = requestLimitsOf(deps)
  const refuse = async (error: unknown): Promise<never> => {
    if (error instanceof AppError && error.code === 'invalid_key') await limits.admitRefusedKey(request)
    throw error
  }
  try {
    const caller = identityOf(deps).identify(request, () => limits.rejectKeyGuessing(request))
    if (caller instanceof Promise) {
      requestContextOf(request).hasWaited = true
      return caller.then((verified) => noteKey(request, verified), refuse)
    }
    return caller && noteKey(request, caller)
  } catch (error) {
    return refuse(error)
  }
}

function noteKey(request: Request, caller: Caller): Caller {
  const requestContext = requestContextOf(request)
  requestContext.keyId = caller.keyId
  // Responses to a test key differ from those to other callers, so shared caches must not keep them.
  if (caller.mode === 'test') requestContext.caching = 'personal'
  return caller
}
