// Requests whose answer nobody looks at, at least not yet.
import { requestContextOf } from '../auth/request-context.ts'

/** Whether a browser loads ahead of its user (`Sec-Purpose`, Fetch standard), or the body is not even asked for. */
export const isPreview = (request: Request): boolean =>
  requestContextOf(request).isHead || /\b(prefetch|prerender)\b/.test(request.headers.get('sec-purpose') ?? '')
