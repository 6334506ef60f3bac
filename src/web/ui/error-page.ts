// What goes wrong on a page, told to people: the same as a problem document says.
import type { Deps } from '../../deps.ts'
import { type AppError, ERRORS } from '../../errors/app-error.ts'
import { pageHeaders } from '../../http/headers.ts'
import type { ProblemPage } from '../../http/problem.ts'
import { findSession } from '../../http/session.ts'
import { pathOf, queryOf } from '../../http/route-table.ts'
import { html } from './html.ts'
import { PAGE_TYPE, page } from './layout.ts'
import { loginPath } from './responses.ts'

/** The page for an error; who is not logged in goes to where they can. An operator finds the way to the request's trace. */
export const errorPage =
  (deps: Deps): ProblemPage =>
  async (error, { request, requestId }) => {
    if (error.code === 'login_required') return redirectToLogin(request)
    const headers = new Headers({ 'content-type': PAGE_TYPE, ...pageHeaders(), 'cache-control': 'no-store' })
    if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
    const showTrace = await isOperator(deps, request)
    return new Response(content(error, requestId, showTrace), { status: error.status, headers })
  }

/** Nobody is, where it cannot be known: a store may be what went wrong. */
async function isOperator(deps: Deps, request: Request): Promise<boolean> {
  try {
    return (await findSession(deps, request))?.role === 'operator'
  } catch {
    return false
  }
}

/** Back here afterwards, if it was only to be looked at. A script that asks for a part is told to leave the page. */
function redirectToLogin(request: Request): Response {
  const isScript = request.headers.has('hx-request')
  const location = loginPath(request.method === 'GET' && !isScript ? pathWithQuery(request.url) : undefined)
  return isScript
    ? new Response(null, { status: 401, headers: { 'hx-redirect': location } })
    : new Response(null, { status: 303, headers: { location } })
}

/** The path with its query. */
function pathWithQuery(url: string): string {
  const query = queryOf(url).toString()
  return query === '' ? pathOf(url) : `${pathOf(url)}?${query}`
}

const content = (error: AppError, requestId: string | null, isOperator: boolean): string =>
  page({
    title: ERRORS[error.code].title,
    content: html`
      <h1>${ERRORS[error.code].title}</h1>
      <p class="lead">${error.detail}</p>
      ${
        error.errors &&
        html`<ul>
          ${error.errors.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}
        </ul>`
      }
      <p><a href="/problems/${error.code}">What this means</a></p>
      ${
        requestId !== null &&
        html`<p class="hint">
          Request <code>${requestId}</code>
          ${isOperator && html`· <a href="/ops/traces/${requestId}">What happened in it</a>`}
        </p>`
      }
    `,
  })
