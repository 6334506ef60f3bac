/** @jsxImportSource preact */
// /console/login, its link by e-mail, and /console/logout.
import { Button } from '../ui/buttons.tsx'
import type { Static } from '@sinclair/typebox'
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
import { type FormSchema, csrfTokenOf, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { Email, Password } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { findSession } from '../../http/session.ts'
import { queryOf } from '../../http/request-target.ts'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { type FormState, EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { isConsent, renderPersonalPage, safeNext } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'

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
        return await submitLogin(ctx, request)
      },
      { access: publicPage, form: LoginForm },
    )
    .post(
      '/console/login/link',
      async function postLoginLink({ ctx, request }) {
        return await sendLoginLink(ctx, request)
      },
      { access: publicPage, form: LinkForm },
    )
    .post(
      '/console/logout',
      async function postLogout({ ctx, authenticated }) {
        await logOut(ctx, { token: authenticated.session.token })
        return goTo('/console/login', [noCookie(ctx.config, 'hearth-session'), noCookie(ctx.config, 'hearth-flash')])
      },
      { session: [...ROLES] },
    )

const email = { schema: Email(), label: 'E-mail address', autocomplete: 'username' }
const LoginForm = defineForm({
  email,
  password: { schema: Password({ minLength: 1 }), label: 'Password', autocomplete: 'current-password' },
})
const LinkForm = defineForm({ email })

type Show = (state: Partial<FormState>, it?: Partial<LoginPage>) => Response

/** Runs the action of a form of the page, and shows the page again where it is refused. `limited` is said after too many. */
async function submitHere<S extends FormSchema>(
  { ctx, request, schema, limited }: { ctx: Ctx; request: Request; schema: S; limited: (wait: string) => string },
  action: (input: Static<S>, it: { next: string; show: Show }) => Promise<Response>,
): Promise<Response> {
  const form = await readForm(ctx, request)
  const next = safeNext(form.get('next'))
  const show: Show = (state, it = {}) =>
    renderLoginPage(ctx, request, { next, ...it, formState: { values: form, errors: {}, ...state } })
  try {
    refuseForgery(form, readCookie(ctx.config, request, 'hearth-login'))
    return await submitForm(schema, form, (input) => action(input, { next, show }), show)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, retryAfterSeconds } = error
    if (code === 'form_refused') return show({ problem: FORGED, status: 403 })
    if (code === 'rate_limited') return show({ problem: limited(waitOf(error)), status: 429 }, { retryAfterSeconds })
    throw error
  }
}

/** Checks the password and starts a new session. Any earlier session of the browser ends. */
const submitLogin = (ctx: Ctx, request: Request): Promise<Response> =>
  submitHere({ ctx, request, schema: LoginForm, limited: tooManyLogins }, async (input, { next, show }) => {
    const { email } = input
    await requestLimitsOf(ctx).admitLogin(request, email, findDeviceId(ctx, request, email))
    const token = await logIn(ctx, input)
    if (token === undefined) return show({ problem: 'Wrong e-mail or password.', status: 401 })
    await logOut(ctx, { token: readCookie(ctx.config, request, 'hearth-session') ?? '' })
    return goTo(next, [
      cookie(ctx.config, 'hearth-session', token),
      deviceCookie(ctx, request, email),
      noCookie(ctx.config, 'hearth-login'),
    ])
  })

/** Gives the same response after the same time for every address, so that it does not reveal who has an account. */
const sendLoginLink = (ctx: Ctx, request: Request): Promise<Response> =>
  submitHere({ ctx, request, schema: LinkForm, limited: tooManyLinks }, async ({ email }, { show }) => {
    const mayBeSent = await requestLimitsOf(ctx).admitCode(request, email, findDeviceId(ctx, request, email))
    await Promise.all([
      mayBeSent && requestPasswordLink(ctx, { email, planMessage: planPasswordLink }),
      Bun.sleep(LINK_ANSWER_MS),
    ])
    return show({ status: 200 }, { isLinkSent: true })
  })

const tooManyLogins = (wait: string) => `Too many attempts. Wait ${wait} and try again, or let us e-mail you a link.`
const tooManyLinks = (wait: string) => `You asked for too many links. Wait ${wait} and try again.`
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
  retryAfterSeconds?: number | undefined
  formState?: FormState
}

/** Without a session, the CSRF token of the form is bound to a cookie of its own. */
function renderLoginPage(deps: Deps, request: Request, it: LoginPage): Response {
  const { next, hasChosen, isLinkSent, retryAfterSeconds, formState = EMPTY_FORM } = it
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
      <Form of={LoginForm} action="/console/login" session={{ csrfToken: csrfTokenOf(token) }} formState={formState}>
        <input type="hidden" name="next" value={next} />
        <Fields of={LoginForm} />
        <Button>Log in</Button>
        <p class="hint">
          Forgot your password, or too many attempts?{' '}
          <Button look="quiet" isSmall formaction="/console/login/link">
            E-mail me a link
          </Button>
        </p>
      </Form>
      <p class="hint">
        No account yet? Ask an operator for a link. <code>hearth users invite</code> makes one for the first operator.
      </p>
    </div>
  )
  const response = renderPersonalPage(
    request,
    { title: 'Log in', description: 'The console.', content },
    {
      ...formStatus(formState),
      ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
    },
  )
  if (token !== existing) response.headers.append('set-cookie', cookie(deps.config, 'hearth-login', token))
  return response
}
