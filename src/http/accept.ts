// What a request's headers ask for, a page or JSON, now or ahead of time, and whether a crawler asks.
import { requestContextOf } from '../auth/request-context.ts'

/** Whether a browser opens a page: programs do not ask for HTML. */
export const isBrowser = ({ headers }: Request): boolean => /\btext\/html\b/i.test(headers.get('accept') ?? '')

/** Whether the client asks for JSON and not for a page. Browsers always ask for pages. */
export function prefersJson({ headers }: Request): boolean {
  const accept = headers.get('accept') ?? ''
  return /\b(application\/|\+)json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}

/**
 * Whether no person sees the response yet: a browser prefetches the page (`Sec-Purpose`, Fetch standard), or the request is a
 * HEAD.
 */
export const isPreview = (request: Request): boolean =>
  requestContextOf(request).isHead || /\b(prefetch|prerender)\b/.test(request.headers.get('sec-purpose') ?? '')

/** Whether the client says that it is a crawler. Those of search engines do. */
export const isCrawler = ({ headers }: Request): boolean =>
  /bot\b|crawl|spider|slurp/i.test(headers.get('user-agent') ?? '')
