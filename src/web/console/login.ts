// /console/login and /console/logout.
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { newToken } from '../../auth/users/tokens.ts'
import { logIn, logOut } from '../../auth/users/verbs/sessions.ts'
import { publicPage } from '../../auth/access.ts'
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { csrfTokenOf, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { pageHeaders } from '../../http/headers.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { normalEmail } from '../../platform/schema/email.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { findSession } from '../../http/session.ts'
import { queryOf } from '../../http/request-target.ts'
import { type FormState, EMPTY_FORM, problemBox, csrfField, textField } from '../ui/forms.ts'
import { html } from '../../platform/text/html.ts'
import { PAGE_TYPE, page } from '../ui/layout.ts'
import { isConsent, safeNext } from '../ui/responses.ts'

export const loginPages = (deps: Deps) =>
  new Elysia({ name: 'login-pages' })
    .use(guard(deps))
    .get(
      '/console/login',
      async function getLogin({ request }) {
        const query = queryOf(request.url)
        const next = safeNext(query.get('next'))
        if (await findSession(deps, request)) return goTo(next)
        return renderLoginPage(deps, request, { next, hasChosen: query.has('chosen') })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      '/console/login',
      async function postLogin({ request }) {
        return await submitLogin(deps, request, await readForm(deps, request))
      },
      { access: publicPage },
    )
    .post(
      '/console/logout',
      async function postLogout({ authenticated }) {
        await logOut(deps, authenticated.session.token)
        return goTo('/console/login', [noCookie(deps.config, 'hearth-session'), noCookie(deps.config, 'hearth-flash')])
      },
      { session: [...ROLES] },
    )

/** Checks the password and starts a new session. Any earlier session of the browser ends. */
async function submitLogin(deps: Deps, request: Request, form: URLSearchParams): Promise<Response> {
  const next = safeNext(form.get('next'))
  const email = normalEmail((form.get('email') ?? '').trim())
  const values = new URLSearchParams({ email })
  const again = (status: number, problem: string, retryAfterSeconds?: number) =>
    renderLoginPage(deps, request, { next, status, retryAfterSeconds, formState: { values, errors: {}, problem } })
  try {
    refuseForgery(form, readCookie(deps.config, request, 'hearth-login'))
    await requestLimitsOf(deps).admitLogin(request, email, findDeviceId(deps, request, email))
    const token = await logIn(deps, email, form.get('password') ?? '')
    if (token === undefined) return again(401, 'Wrong e-mail or password.')
    await logOut(deps, readCookie(deps.config, request, 'hearth-session') ?? '')
    return goTo(next, [
      cookie(deps.config, 'hearth-session', token),
      deviceCookie(deps, request, email),
      noCookie(deps.config, 'hearth-login'),
    ])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'form_refused') return again(403, 'Your browser did not send a cookie with the form. Try again.')
    if (error.code === 'rate_limited')
      return again(429, `Too many attempts. Wait ${waitOf(error)} and try again.`, error.retryAfterSeconds)
    throw error
  }
}

const waitOf = ({ retryAfterSeconds = 60 }: AppError) =>
  retryAfterSeconds < 90 ? 'a minute' : `${Math.ceil(retryAfterSeconds / 60)} minutes`

function goTo(location: string, cookies: readonly string[] = []): Response {
  const headers = new Headers({ location })
  for (const value of cookies) headers.append('set-cookie', value)
  return new Response(null, { status: 303, headers })
}

interface LoginPage {
  next: string
  /** The person has just chosen a password. */
  hasChosen?: boolean
  status?: number
  retryAfterSeconds?: number | undefined
  formState?: FormState
}

/** Without a session, the CSRF token of the form is bound to a cookie of its own. */
function renderLoginPage(deps: Deps, request: Request, it: LoginPage): Response {
  const { next, hasChosen, status = 200, retryAfterSeconds, formState = EMPTY_FORM } = it
  const existing = readCookie(deps.config, request, 'hearth-login')
  const token = existing && existing.length === 43 ? existing : newToken()
  const content = html`
    <div class="narrow">
      <h1>Log in</h1>
      ${hasChosen === true && html`<p class="notice good" role="status">Your password is set. You can log in now.</p>`}
      ${isConsent(next) && html`<p>An app asks for access to your business. Log in to see which one, and to allow or deny it.</p>`}
      ${problemBox(formState)}
      <form method="post" action="/console/login">
        ${csrfField({ csrfToken: csrfTokenOf(token) })}
        <input type="hidden" name="next" value="${next}" />
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', maxLength: 320, formState })}
        ${textField({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
        <button>Log in</button>
      </form>
      <p class="hint">
        No account yet, or forgot your password? Ask an operator for a link. <code>hearth users create</code> creates
        the first operator.
      </p>
    </div>
  `
  const headers = new Headers({
    'content-type': PAGE_TYPE,
    'referrer-policy': 'same-origin',
    'x-robots-tag': 'noindex',
    ...pageHeaders({ 'form-action': "'self'" }),
  })
  if (token !== existing) headers.append('set-cookie', cookie(deps.config, 'hearth-login', token))
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  return new Response(page({ title: 'Log in', description: 'The console of Hearth.', content }), { status, headers })
}
