/** @jsxImportSource preact */
// /console/login, its link by e-mail, and /console/logout.
import { Button } from '../ui/buttons.tsx'
import { Value } from '@sinclair/typebox/value'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { newToken } from '../../auth/users/tokens.ts'
import { requestPasswordLink } from '../../auth/users/verbs/password-links.ts'
import { logIn, logOut } from '../../auth/users/verbs/sessions.ts'
import { publicPage } from '../../auth/access.ts'
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { planPasswordLink } from '../../features/messages/messages/verbs/user-links.ts'
import { csrfTokenOf, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { normalEmail } from '../../platform/schema/email.ts'
import { Email } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { findSession } from '../../http/session.ts'
import { queryOf } from '../../http/request-target.ts'
import { type FormState, EMPTY_FORM, Form } from '../ui/form.tsx'
import { TextField } from '../ui/fields.tsx'
import { isConsent, renderPersonalPage, safeNext } from '../ui/responses.tsx'

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
      async function postLogin({ ctx, request }) {
        return await submitLogin(ctx, request, await readForm(ctx, request))
      },
      { access: publicPage },
    )
    .post(
      '/console/login/link',
      async function postLoginLink({ ctx, request }) {
        return await sendLoginLink(ctx, request, await readForm(ctx, request))
      },
      { access: publicPage },
    )
    .post(
      '/console/logout',
      async function postLogout({ ctx, authenticated }) {
        await logOut(ctx, { token: authenticated.session.token })
        return goTo('/console/login', [noCookie(ctx.config, 'hearth-session'), noCookie(ctx.config, 'hearth-flash')])
      },
      { session: [...ROLES] },
    )

/** Checks the password and starts a new session. Any earlier session of the browser ends. */
async function submitLogin(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Response> {
  const next = safeNext(form.get('next'))
  const email = normalEmail((form.get('email') ?? '').trim())
  const values = new URLSearchParams({ email })
  const again = (status: number, problem: string, retryAfterSeconds?: number) =>
    renderLoginPage(ctx, request, { next, status, retryAfterSeconds, formState: { values, errors: {}, problem } })
  try {
    refuseForgery(form, readCookie(ctx.config, request, 'hearth-login'))
    await requestLimitsOf(ctx).admitLogin(request, email, findDeviceId(ctx, request, email))
    const token = await logIn(ctx, { email, password: form.get('password') ?? '' })
    if (token === undefined) return again(401, 'Wrong e-mail or password.')
    await logOut(ctx, { token: readCookie(ctx.config, request, 'hearth-session') ?? '' })
    return goTo(next, [
      cookie(ctx.config, 'hearth-session', token),
      deviceCookie(ctx, request, email),
      noCookie(ctx.config, 'hearth-login'),
    ])
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'form_refused') return again(403, FORGED)
    if (error.code === 'rate_limited')
      return again(
        429,
        `Too many attempts. Wait ${waitOf(error)} and try again, or let us e-mail you a link.`,
        error.retryAfterSeconds,
      )
    throw error
  }
}

/** Gives the same response after the same time for every address, so that it does not reveal who has an account. */
async function sendLoginLink(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Response> {
  const next = safeNext(form.get('next'))
  const email = normalEmail((form.get('email') ?? '').trim())
  const values = new URLSearchParams({ email })
  const show = (it: Partial<LoginPage>) =>
    renderLoginPage(ctx, request, { next, formState: { ...EMPTY_FORM, values }, ...it })
  try {
    refuseForgery(form, readCookie(ctx.config, request, 'hearth-login'))
    if (!Value.Check(Email(), email))
      return show({ status: 400, formState: { values, errors: { email: 'Type your e-mail address.' } } })
    const mayBeSent = await requestLimitsOf(ctx).admitCode(request, email, findDeviceId(ctx, request, email))
    await Promise.all([
      mayBeSent && requestPasswordLink(ctx, { email, planMessage: planPasswordLink }),
      Bun.sleep(LINK_ANSWER_MS),
    ])
    return show({ isLinkSent: true })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, retryAfterSeconds } = error
    if (code !== 'form_refused' && code !== 'rate_limited') throw error
    const isForged = code === 'form_refused'
    const problem = isForged ? FORGED : `You asked for too many links. Wait ${waitOf(error)} and try again.`
    const formState = { values, errors: {}, problem }
    return show({ status: isForged ? 403 : 429, formState, ...(isForged ? {} : { retryAfterSeconds }) })
  }
}

const FORGED = 'Your browser did not send a cookie with the form. Try again.'
/** Longer than creating a link takes, so that the time does not reveal whether one was created. */
const LINK_ANSWER_MS = 250

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
  isLinkSent?: boolean
  status?: number
  retryAfterSeconds?: number | undefined
  formState?: FormState
}

/** Without a session, the CSRF token of the form is bound to a cookie of its own. */
function renderLoginPage(deps: Deps, request: Request, it: LoginPage): Response {
  const { next, hasChosen, isLinkSent, status = 200, retryAfterSeconds, formState = EMPTY_FORM } = it
  const existing = readCookie(deps.config, request, 'hearth-login')
  const token = existing && existing.length === 43 ? existing : newToken()
  const content = (
    <div class="narrow">
      <h1>Log in</h1>
      {hasChosen === true && (
        <p class="notice good" role="status">
          Your password is set. You can log in now.
        </p>
      )}
      {isLinkSent === true && (
        <p class="notice good" role="status">
          If this address has an account, a link to choose a new password is on its way to it.
        </p>
      )}
      {isConsent(next) && (
        <p>An app asks for access to your business. Log in to see which one, and to allow or deny it.</p>
      )}
      <Form action="/console/login" session={{ csrfToken: csrfTokenOf(token) }} formState={formState}>
        <input type="hidden" name="next" value={next} />
        <TextField name="email" label="E-mail address" type="email" autocomplete="username" maxLength={320} />
        <TextField name="password" label="Password" type="password" autocomplete="current-password" />
        <Button>Log in</Button>
        <p class="hint">
          Forgot your password, or too many attempts?{' '}
          <Button look="quiet" isSmall formaction="/console/login/link" formnovalidate>
            E-mail me a link
          </Button>
        </p>
      </Form>
      <p class="hint">
        No account yet? Ask an operator for a link. <code>hearth users create</code> creates the first operator.
      </p>
    </div>
  )
  const response = renderPersonalPage(
    request,
    { title: 'Log in', description: 'The console of Hearth.', content },
    { status, ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }) },
  )
  if (token !== existing) response.headers.append('set-cookie', cookie(deps.config, 'hearth-login', token))
  return response
}
