// Answers of pages for everyone.
import { type PageSources, pageHeaders } from '../../http/headers.ts'
import { publicText } from '../../http/json.ts'
import { PAGE_TYPE, type Page, page } from '../ui/layout.ts'

/** A page, or 304 when the browser has this very one. */
export const publicPageAnswer = (request: Request, it: Page, sources: PageSources = {}): Response =>
  publicText(request, page(it), { 'content-type': PAGE_TYPE, ...pageHeaders(sources) })

/** A page for one person, with forms that go to ourselves: kept by nobody, found by no search engine. */
export const personalPageAnswer = (it: Page): Response =>
  new Response(page(it), {
    headers: {
      'content-type': PAGE_TYPE,
      'x-robots-tag': 'noindex',
      // Browsers say `Origin: null` to ourselves under the usual `no-referrer`.
      'referrer-policy': 'same-origin',
      ...pageHeaders({ 'form-action': "'self'" }),
    },
  })

/** The way to another page of ours, after a form was sent; so that reloading does not send it again. */
export const seeOther = (location: string): Response => new Response(null, { status: 303, headers: { location } })
