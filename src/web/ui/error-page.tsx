/** @jsxImportSource preact */
// The pages of errors: what happened and a way on. Developers also see the links and codes of the problem document.
import { ctxOf } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { type AppError, type ErrorCode, ERRORS } from '../../errors/app-error.ts'
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import { pageHeaders } from '../../http/headers.ts'
import type { ProblemPage } from '../../http/problem.ts'
import { type Session, findSession } from '../../http/session.ts'
import { requestContextOf } from '../../auth/request-context.ts'
import { pathOf, pathWithQuery } from '../../http/request-target.ts'
import { duration } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { type Page, PAGE_TYPE, consolePage, developerPage, page } from './layout.tsx'
import { EMPTY_FORM } from './form.tsx'
import { FACTOR_PATH } from '../console/second-factor/view.tsx'
import { renderLoginPage } from '../console/login-view.tsx'
import { loginPath, redirect, safeNext, signInPath } from './responses.tsx'
import { SiteName, readSite } from './site.tsx'

/** Pages for developers. All others are for people, who see no codes. */
const FOR_DEVELOPERS = /^\/(api|problems|openapi)\b/
const FOR_CONSOLE = /^\/(console|ops)\b/

/** Renders the page of an error. Redirects to the log-in page when the request needs a session. */
export const errorPage =
  (deps: Deps): ProblemPage =>
  async (error, { request, requestId }) => {
    if (error.code === 'second_factor_required') return setUpFactorFirst(request)
    if (error.code === 'login_required') return logInFirst(deps, request)
    if (error.code === 'sign_in_required')
      return redirect(signInPath(request.method === 'GET' ? pathOf(request.url) : undefined))
    const headers = new Headers({
      'content-type': PAGE_TYPE,
      ...pageHeaders({ 'form-action': "'self'" }),
      'cache-control': 'no-store',
    })
    if (error.retryAfterSeconds !== undefined) headers.set('retry-after', String(error.retryAfterSeconds))
    if (error.allow) headers.set('allow', error.allow.join(', '))
    return new Response(await render(deps, error, request, requestId), { status: error.status, headers })
  }

async function render(deps: Deps, error: AppError, request: Request, requestId: string | null): Promise<string> {
  const path = pathOf(request.url)
  const [site, session] = await Promise.all([readSite(ctxOf(deps), { request }), sessionOf(deps, request)])
  const isForDevelopers = FOR_DEVELOPERS.test(path)
  const isTechnical = isForDevelopers || (FOR_CONSOLE.test(path) && session !== undefined && session.role !== 'pro')
  const words = isTechnical && !SPEAKS_OF_KEYS.has(error.code) ? undefined : wordsFor(error)
  const title = words?.title ?? ERRORS[error.code].title
  const content: Page = {
    title,
    content: (
      <>
        <h1>{title}</h1>
        <p class="lead">{words?.text(error) ?? error.detail}</p>
        {isTechnical && developerDetails(error)}
        {appLink(error)}
        {!isForDevelopers && waysOn(request, path, error)}
        {requestId !== null && reference(requestId, error, session, isTechnical)}
      </>
    ),
  }
  if (session && FOR_CONSOLE.test(path)) return consolePage(site, { session, path, content })
  return isForDevelopers ? developerPage(site, content) : page(site, content)
}

/** Undefined also when the session cannot be read: the error may be that a store is unavailable. */
async function sessionOf(deps: Deps, request: Request): Promise<Session | undefined> {
  try {
    return await findSession(deps, request)
  } catch {
    return undefined
  }
}

/** Errors whose details say what a program does with its `Idempotency-Key`. No page sends one. */
const SPEAKS_OF_KEYS: ReadonlySet<ErrorCode> = new Set(['unavailable', 'outcome_unknown'])

interface Words {
  title: string
  text: (error: AppError) => string
}

const waitText = ({ retryAfterSeconds = 60 }: AppError) =>
  retryAfterSeconds < 120 ? `${Math.max(1, retryAfterSeconds)} seconds` : duration(Math.ceil(retryAfterSeconds / 60))

/** What each limit counts, where it is not pages. */
const COUNTED: Record<string, string> = {
  'code-lookups': 'looked up many booking codes',
  'page-bookings': 'sent many bookings or requests',
  authorizations: 'asked to connect many apps',
  copies: 'asked for many copies of your data',
}

/** What a program looks a thing up by. People know links and codes, and an error about those says what to do. */
const NAMED_BY_PROGRAMS = /\b(id|slug|sku|client secret)\b/

const wordsFor = ({ code, detail }: AppError): Words | undefined =>
  FOR_PEOPLE[code] ?? (code.endsWith('_not_found') && NAMED_BY_PROGRAMS.test(detail) ? FOR_PEOPLE.not_found : undefined)

/** Texts for people, for errors whose table entry is written for programs. */
const FOR_PEOPLE: Partial<Record<ErrorCode, Words>> = {
  not_found: {
    title: 'Page not found',
    text: () => 'The address may be mistyped, or the page has moved.',
  },
  professional_not_found: {
    title: 'This pro is not here',
    text: () =>
      'The address may be mistyped, or the pro no longer takes part. Others may do the work: search for them.',
  },
  package_not_found: {
    title: 'This package is not offered',
    text: () => 'The address may be mistyped, or the pro no longer offers it.',
  },
  method_not_allowed: {
    title: 'This page cannot be opened this way',
    text: () => 'Go back and use the buttons of the page.',
  },
  form_refused: {
    title: 'The form was not sent',
    text: () =>
      'The page was open for too long, or your browser did not send its cookie. Go back, reload and send it again.',
  },
  role_not_allowed: {
    title: 'This page is not for you',
    text: ({ detail }) => `${detail} You may log in as another user.`,
  },
  validation_failed: {
    title: 'Something is not right',
    text: () => 'We do not understand a part of the address or the form. Go back and try again.',
  },
  rate_limited: {
    title: 'Too many requests',
    text: (error) =>
      `You ${COUNTED[String(error.extensions?.['limit'])] ?? 'opened many pages'} in a short time. Wait ${waitText(error)} and try again.`,
  },
  overloaded: {
    title: 'We are busy',
    text: (error) => `Many people are here right now. Try again in ${waitText(error)}.`,
  },
  outcome_unknown: {
    title: 'We do not know yet whether this worked',
    text: (error) =>
      `What you sent may have been saved. Wait ${waitText(error)} and send the form again: it counts only once.`,
  },
  unavailable: {
    title: 'We are not available right now',
    text: (error) =>
      `We are working on it. Try again in ${waitText(error)}. A form that you send again counts only once.`,
  },
  internal: {
    title: 'Something went wrong',
    text: () => 'The mistake is on our side, and it was recorded. Try again in a minute.',
  },
}

/** An error for an app that asked for access: where it leads, and a link that the person may follow. */
function appLink({ extensions }: AppError): VNode | false {
  const leadsTo = extensions?.['leadsTo']
  if (typeof leadsTo !== 'string') return false
  const { host, protocol } = new URL(leadsTo)
  return (
    <>
      <p>
        The app wants the error to be sent to <strong>{host === '' ? protocol : host}</strong>, which is not{' '}
        <SiteName />.
      </p>
      <p>
        <a href={leadsTo} rel="noopener noreferrer nofollow">
          Go back to the app
        </a>
      </p>
    </>
  )
}

/** Where a person can go from here, the most useful first. */
function waysOn(request: Request, path: string, { status }: AppError): VNode {
  const again = request.method === 'GET' && (status === 429 || status >= 500)
  const links: (readonly [label: string, href: string])[] = FOR_CONSOLE.test(path)
    ? [['Go to your console', '/console']]
    : [
        ['Find a pro', '/'],
        ['My bookings', '/my'],
        ['Look up a booking', '/bookings'],
      ]
  if (again) links.unshift(['Try again', pathWithQuery(request.url)])
  return (
    <p class="actions">
      {links.map(([label, href], index) => (
        <a class={`button ${index > 0 ? 'quiet' : ''}`} href={href}>
          {label}
        </a>
      ))}
    </p>
  )
}

/** Operators who need a second factor are led to its page, wherever they go. */
const setUpFactorFirst = ({ headers }: Request): Response =>
  headers.has('hx-request')
    ? new Response(null, { status: 403, headers: { 'hx-redirect': FACTOR_PATH } })
    : redirect(FACTOR_PATH)

/**
 * The log-in page leads back to a page that was read, and to the page of a form; a form that was kept is shown again. htmx gets
 * a header that makes it leave the page.
 */
function logInFirst(deps: Deps, request: Request): Response {
  if (request.headers.has('hx-request'))
    return new Response(null, { status: 401, headers: { 'hx-redirect': loginPath() } })
  const next = request.method === 'GET' ? pathWithQuery(request.url) : pageOfForm(deps, request)
  const kept = requestContextOf(request).keptForm
  if (kept === undefined) return redirect(loginPath(next))
  return renderLoginPage(deps, request, { next: safeNext(next), kept, formState: { ...EMPTY_FORM, status: 401 } })
}

/** The page of ours that sent the form, if the browser says which. */
function pageOfForm({ config }: Deps, { headers }: Request): string | undefined {
  const referrer = headers.get('referer') ?? ''
  const isOurs = URL.canParse(referrer) && new URL(referrer).origin === new URL(config.baseUrl).origin
  return isOurs ? pathWithQuery(referrer) : undefined
}

const developerDetails = (error: AppError): VNode => (
  <>
    {error.errors && (
      <ul>
        {error.errors.map(({ path, message }) => (
          <li>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    )}
    <p>
      <a href={`/problems/${error.code}`}>About this error</a>
    </p>
  </>
)

/** The request id, for developers, and for people when the fault is ours. An operator gets a link to its trace. */
function reference(
  id: string,
  { status }: AppError,
  session: Session | undefined,
  isTechnical: boolean,
): VNode | false {
  const isOperator = session?.role === 'operator'
  const mayTrace = session !== undefined && isOperator && mayOpen(session, `/ops/traces/${id}`)
  if (!isTechnical && !isOperator && status !== 500) return false
  return (
    <p class="hint">
      {isTechnical || isOperator ? 'Request' : 'If it happens again, tell us this number:'} <code>{id}</code>{' '}
      {mayTrace && (
        <>
          · <a href={`/ops/traces/${id}`}>Show its trace</a>
        </>
      )}
    </p>
  )
}
