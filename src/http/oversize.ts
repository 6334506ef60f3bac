// What is too large before anyone reads it: addresses without end, and queries of many parameters.
import { AppError } from '../errors/app-error.ts'

/** RFC 9110 §4.1 asks for 8,000 at least. */
const MAX_TARGET_LENGTH = 8192
/** No route knows a fifth of that; each costs a decoding. */
const MAX_PARAMETERS = 100

/** Throws uri_too_long, or validation_failed for too many query parameters. */
export function refuseHugeAddress(url: string): void {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  if (url.length - start > MAX_TARGET_LENGTH)
    throw new AppError('uri_too_long', `Path and query may have up to ${MAX_TARGET_LENGTH} characters.`)
  let parameters = 0
  for (let at = url.indexOf('?', start); at !== -1; at = url.indexOf('&', at + 1))
    if (++parameters > MAX_PARAMETERS)
      throw new AppError('validation_failed', `A query may have up to ${MAX_PARAMETERS} parameters.`, {
        errors: [{ path: 'query', message: `must have at most ${MAX_PARAMETERS} parameters` }],
      })
}
