/** @jsxImportSource preact */
// The responses of pages: a rendered page with its headers, and redirects.
import type { Deps } from '../../deps.ts'
import { AppError, type ErrorCode } from '../../errors/app-error.ts'
import { noCookie } from '../../auth/cookies.ts'
import { VARY_BY_CODING, codingFor, compressOnce, compressQuickly } from '../../http/content-coding.ts'
import { type PageSources, pageHeaders } from '../../http/headers.ts'
import { publicText } from '../../http/json.ts'
import { isPreview } from '../../http/accept.ts'
import { pathOf } from '../../http/request-target.ts'
import type { CustomerRequest } from '../../http/customer-session.ts'
import type { AuthenticatedRequest, Session } from '../../http/session.ts'
import { type Flash, FlashBox, flashCookie, readFlash } from './flash.tsx'
import { PAGE_TYPE, type Page, page, consolePage, customerPage } from './layout.tsx'
import { siteOf } from './site.tsx'

/** Pages with forms load scripts from this site only, and their forms go to it only. */
const FORM_SOURCES: PageSources = { 'script-src': "'self'", 'form-action': "'self'" }

/** The page with the script of its forms. */
const withForms = (content: Page): Page => ({ ...content, scripts: ['form.js', ...(content.scripts ?? [])] })

/** A page whose scripts send files at once or look up a ZIP code connects to this site. */
const sourcesOf = ({ scripts = [] }: Page): PageSources =>
  scripts.includes('upload.js') || scripts.includes('address.js')
    ? { ...FORM_SOURCES, 'connect-src': "'self'" }
    : FORM_SOURCES

/** Scripts of console pages also load parts of pages. */
const CONSOLE_SOURCES: PageSources = { ...FORM_SOURCES, 'connect-src': "'self'" }

/** A page for everyone, without a secret, or 304 when the browser already has it. */
export const renderPublicPage = (
  request: Request,
  content: Page,
  sources: PageSources = {},
  options: { usesLocation?: boolean } = {},
): Response =>
  publicText(request, page(siteOf(request), content), {
    headers: { 'content-type': PAGE_TYPE, ...pageHeaders(sources, options) },
    compress: compressOnce,
  })

/** A page for one person, with forms that go to this site. Caches do not store it; search engines do not index it. */
export function renderPersonalPage(
  request: Request,
  content: Page,
  { status = 200, sources, headers: more }: PersonalPage = {},
): Response {
  const headers = new Headers({
    'content-type': PAGE_TYPE,
    'x-robots-tag': 'noindex',
    // Under `no-referrer`, the usual policy, browsers send `Origin: null` with a form even to its own site.
    'referrer-policy': 'same-origin',
    ...pageHeaders({ ...sourcesOf(content), ...sources }),
    ...more,
  })
  return personalResponse(request, page(siteOf(request), withForms(content)), { status, headers })
}

interface PersonalPage {
  status?: number
  sources?: PageSources
  headers?: Record<string, string>
}

/**
 * Whether the browser says that no other site made it send the request (`Sec-Fetch-Site`, Fetch Metadata). Only then may the
 * page of one person be compressed: BREACH guesses a secret of a page by the lengths of many responses to requests that
 * another site provokes, with a guess in each.
 */
const isOwnRequest = ({ headers }: Request): boolean => OWN_SITES.has(headers.get('sec-fetch-site') ?? '')
const OWN_SITES = new Set(['same-origin', 'none'])

/** A page of one person as a response, compressed where that is safe. */
function personalResponse(request: Request, text: string, { status, headers }: { status: number; headers: Headers }) {
  const coding = isOwnRequest(request) ? codingFor(request, text.length) : undefined
  headers.append('vary', `${VARY_BY_CODING}, sec-fetch-site`)
  if (coding === undefined) return new Response(text, { status, headers })
  headers.set('content-encoding', coding)
  return new Response(compressQuickly(text, coding), { status, headers })
}

/** Renders a page, or, for a record that does not exist, a page that says what to do instead. */
export async function withPageFor(
  request: Request,
  code: ErrorCode,
  render: () => Promise<Response>,
  instead: () => Page,
): Promise<Response> {
  try {
    return await render()
  } catch (error) {
    if (!(error instanceof AppError && error.code === code)) throw error
    return renderPersonalPage(request, instead(), { status: error.status })
  }
}

/** A page for a logged-in person, with the flash message of the last form. */
export function renderConsolePage(
  deps: Deps,
  { request, session }: AuthenticatedRequest,
  content: Page,
  { status = 200, sources = {} }: { status?: number; sources?: PageSources } = {},
): Response {
  const flash = readFlash(deps, request, session)
  const headers = new Headers({
    'content-type': PAGE_TYPE,
    'referrer-policy': 'same-origin',
    ...pageHeaders({ ...CONSOLE_SOURCES, ...sources }),
  })
  if (flash && !isPreview(request)) headers.append('set-cookie', noCookie(deps.config, 'hearth-flash'))
  const scripts = new Set([...(content.scripts ?? []), ...(flash?.secret ? ['console.js' as const] : [])])
  const withFlash = {
    ...content,
    content: (
      <>
        {flash && <FlashBox {...flash} />}
        {content.content}
      </>
    ),
    scripts: [...scripts],
  }
  const shown = { session, path: pathOf(request.url), content: withForms(withFlash) }
  return personalResponse(request, consolePage(siteOf(request), shown), { status, headers })
}

/** A page for a signed-in customer, with the flash message of the last form. */
export function renderCustomerPage(
  deps: Deps,
  { request, customer }: Pick<CustomerRequest, 'request' | 'customer'>,
  content: Page,
  { status = 200 }: { status?: number } = {},
): Response {
  const flash = readFlash(deps, request, customer)
  const headers = new Headers({
    'content-type': PAGE_TYPE,
    'x-robots-tag': 'noindex',
    'referrer-policy': 'same-origin',
    ...pageHeaders(sourcesOf(content)),
  })
  if (flash && !isPreview(request)) headers.append('set-cookie', noCookie(deps.config, 'hearth-flash'))
  const withFlash = {
    ...content,
    content: (
      <>
        {flash && <FlashBox {...flash} />}
        {content.content}
      </>
    ),
  }
  return personalResponse(request, customerPage(siteOf(request), customer, withForms(withFlash)), { status, headers })
}

/** A 303 redirect, so that reloading the page does not send the form again. */
export function redirect(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

/** A 303 redirect to a page that shows `flash` first. */
export const redirectWithFlash = (
  deps: Deps,
  session: Pick<Session, 'token'>,
  location: string,
  flash: Flash,
  cookies: readonly string[] = [],
): Response => redirect(location, [...cookies, flashCookie(deps, session, flash)])

const LOGIN = '/console/login'
const HOME = '/console'

/** Paths of console and operations pages. The pattern admits no host, no scheme and no line break. */
const CONSOLE_PAGE = /^\/(console|ops)(\/[\w-]+)*(\?[\w.~%&=+*-]*)?$/

/** The page on which a pro or a customer answers an app. */
const CONSENT_PAGE = /^\/oauth\/consent\?request=[\da-f-]{36}$/

/** Whether the path is that of an app's request, which waits for the person who signs in. */
export const isConsent = (path: string): boolean => CONSENT_PAGE.test(path)

/** `next` if it is a page of the console, of operations or of consent, otherwise the console's overview. */
export const safeNext = (next: string | null | undefined): string =>
  next && (isConsent(next) || (CONSOLE_PAGE.test(next) && !next.startsWith(LOGIN))) ? next : HOME

/** The path of the log-in page that leads to `next` afterwards. */
export const loginPath = (next?: string): string =>
  next === undefined || safeNext(next) === HOME ? LOGIN : `${LOGIN}?next=${encodeURIComponent(safeNext(next))}`

/** The page of a customer's bookings, requests and reviews. */
export const MY_PAGE = '/my'

/** Paths of the pages for signed-in customers. */
const CUSTOMER_PAGE = /^\/my(\/[\w-]+)*$/
/** A booking in the midst of which a code was sent. */
const BOOKING_PAGE = /^\/pros\/[\w-]+\/book(\?[\w=&%-]*)?$/

/** An application to join as a pro. */
const JOIN_PAGE = /^\/for-pros\/join(\/[a-z]+)?$/

/** Whether the path is that of an application to join. */
export const isJoining = (path: string): boolean => JOIN_PAGE.test(path)

/** `next` if it is a page for signed-in customers, of a booking, an application or of consent, otherwise the first page for customers. */
export const safeCustomerNext = (next: string | null | undefined): string =>
  next &&
  (isConsent(next) ||
    isJoining(next) ||
    BOOKING_PAGE.test(next) ||
    (CUSTOMER_PAGE.test(next) && !next.startsWith('/my/sign-')))
    ? next
    : MY_PAGE

/** The path of the sign-in page that leads to `next` afterwards. */
export const signInPath = (next?: string): string =>
  safeCustomerNext(next) === MY_PAGE ? '/my/sign-in' : `/my/sign-in?next=${encodeURIComponent(safeCustomerNext(next))}`
