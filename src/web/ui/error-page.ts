// The HTML form of errors, with the same content as the problem document.
import type { Deps } from '../../deps.ts'
import { type AppError, ERRORS } from '../../errors/app-error.ts'
import { pageHeaders } from '../../http/headers.ts'
import type { ProblemPage } from '../../http/problem.ts'
import { findSession } from '../../http/session.ts'
import { pathOf, queryOf } from '../../http/request-target.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { PAGE_TYPE, developerPage, page } from './layout.ts'
import { loginPath, redirect, signInPath } from './responses.ts'

/** Homeowners are not shown the links and error codes that developers need. */
const FOR_DEVELOPERS = /^\/(api|console|ops|problems|openapi)\b/

/** Renders the page of an error. Redirects to the log-in page when the request needs a session. */
export const errorPage =
  (deps: Deps): ProblemPage =>
  async (error, { request, requestId }) => {
    if (error.code === 'login_required') return redirectToLogin(request)
    if (error.code === 'sign_in_required')
      return redirect(signInPath(request.method === 'GET' ? pathOf(request.url) : undefined))
    const headers = new Headers({ 'content-type': PAGE_TYPE, ...pageHeaders(), 'cache-control': 'no-store' })
    if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
    const isForDevelopers = FOR_DEVELOPERS.test(pathOf(request.url))
    const content = html`
      <h1>${ERRORS[error.code].title}</h1>
      <p class="lead">${error.detail}</p>
      ${isForDevelopers ? developerDetails(error) : html`<p><a href="/">Find a pro</a></p>`}
      ${requestId !== null && reference(requestId, await isOperator(deps, request))}
    `
    const layout = isForDevelopers ? developerPage : page
    return new Response(layout({ title: ERRORS[error.code].title, content }), { status: error.status, headers })
  }

/** False when the session cannot be read: an unavailable store may be the error. */
async function isOperator(deps: Deps, request: Request): Promise<boolean> {
  try {
    return (await findSession(deps, request))?.role === 'operator'
  } catch {
    return false
  }
}

/** The log-in page leads back to a page that was read. htmx gets a header that makes it leave the page. */
function redirectToLogin(request: Request): Response {
  const isScript = request.headers.has('hx-request')
  const location = loginPath(request.method === 'GET' && !isScript ? pathWithQuery(request.url) : undefined)
  return isScript
    ? new Response(null, { status: 401, headers: { 'hx-redirect': location } })
    : new Response(null, { status: 303, headers: { location } })
}

function pathWithQuery(url: string): string {
  const query = queryOf(url).toString()
  return query === '' ? pathOf(url) : `${pathOf(url)}?${query}`
}

const developerDetails = (error: AppError): Html => html`
  ${
    error.errors &&
    html`<ul>
      ${error.errors.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}
    </ul>`
  }
  <p><a href="/problems/${error.code}">About this error</a></p>
`

/** The request id, for support. An operator gets a link to the request's trace. */
const reference = (requestId: string, showTrace: boolean): Html =>
  html`<p class="hint">
    Request <code>${requestId}</code> ${showTrace && html`· <a href="/ops/traces/${requestId}">Show its trace</a>`}
  </p>`
