// Answers of pages for everyone.
import { type PageSources, pageHeaders } from '../../http/headers.ts'
import { publicText } from '../../http/json.ts'
import { PAGE_TYPE, type Page, page } from '../layout.ts'

/** A page, or 304 when the browser has this very one. */
export const publicPageAnswer = (request: Request, it: Page, sources: PageSources = {}): Response =>
  publicText(request, page(it), { 'content-type': PAGE_TYPE, ...pageHeaders(sources) })
