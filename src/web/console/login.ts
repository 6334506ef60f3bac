// /console/login with its second page for a code, its link by e-mail, and /console/logout.
import type { Static } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { requestPasswordLink } from '../../auth/users/verbs/password-links.ts'
import { proveFactor } from '../../auth/users/verbs/second-factors.ts'
import { type StartedSession, logIn, logOut, startCheckedSession } from '../../auth/users/verbs/sessions.ts'
import { publicPage } from '../../auth/access.ts'
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { planFactorMessage, planPasswordLink } from '../../features/messages/messages/verbs/user-links.ts'
import { type FormSchema, csrfTokenOf, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { KEPT_FIELD, openKeptForm, ownerCookie } from '../../http/kept-form.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { findSession } from '../../http/session.ts'
import { queryOf } from '../../http/request-target.ts'
import { type FormState, EMPTY_FORM } from '../ui/form.tsx'
import { CodeForm, encryptCheck, readCheck, renderCodePage } from './login-code-view.tsx'
import { type LoginPage, LinkForm, LoginForm, renderKeptForm, renderLoginPage } from './login-view.tsx'
import { loginPath, redirect, safeNext } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'

export const loginPages = (deps: Deps) =>
  new Elysia({ name: 'login-pages' })
    .use(guard(deps))
    .get(
      '/console/login',
      async function getLogin({ request }) {
        const query = queryOf(request.url)
        const next = safeNext(query.get('next'))
        if (await findSession(deps, request)) return redirect(next)
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
    .get('/console/login/code', ({ request }) => redirect(loginPath(queryOf(request.url).get('next') ?? undefined)), {
      access: publicPage,
      caching: 'personal',
    })
    .post(
      '/console/login/code',
      async function postLoginCode({ ctx, request }) {
        return await submitCode(ctx, request)
      },
      { access: publicPage, form: CodeForm },
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
        return redirect(
          '/console/login',
          (['hearth-session', 'hearth-owner', 'hearth-flash'] as const).map((name) => noCookie(ctx.config, name)),
        )
      },
      { session: [...ROLES] },
    )

type Show = (state: Partial<FormState>, it?: Partial<LoginPage>) => Response

interface Submitted<S extends FormSchema> {
  ctx: Ctx
  request: Request
  schema: S
  /** Said after too many attempts. */
  limited: (wait: string) => string
  /** The page of the form: by default the first one. */
  render?: (deps: Deps, request: Request, it: LoginPage) => Response
}

/** Runs the action of a form of the page, and shows the page again where it is refused. */
async function submitHere<S extends FormSchema>(
  { ctx, request, schema, limited, render = renderLoginPage }: Submitted<S>,
  action: (input: Static<S>, it: { next: string; kept: string | undefined; show: Show }) => Promise<Response>,
): Promise<Response> {
  const form = await readForm(ctx, request)
  const next = safeNext(form.get('next'))
  const kept = form.get(KEPT_FIELD) ?? undefined
  const show: Show = (state, it = {}) =>
    render(ctx, request, { next, kept, ...it, formState: { values: form, errors: {}, ...state } })
  try {
    refuseForgery(form, readCookie(ctx.config, request, 'hearth-login'))
    return await submitForm(schema, form, (input) => action(input, { next, kept, show }), show)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, retryAfterSeconds } = error
    if (code === 'form_refused') return show({ problem: FORGED, status: 403 })
    if (code === 'rate_limited') return show({ problem: limited(waitOf(error)), status: 429 }, { retryAfterSeconds })
    throw error
  }
}

/** Checks the password and starts a new session, or asks for a code where the user has a second factor. */
const submitLogin = (ctx: Ctx, request: Request): Promise<Response> =>
  submitHere({ ctx, request, schema: LoginForm, limited: tooManyLogins }, async (input, { next, kept, show }) => {
    const { email } = input
    await requestLimitsOf(ctx).admitLogin(request, email, findDeviceId(ctx, request, email))
    const session = await logIn(ctx, input)
    if (!session) return show({ problem: 'Wrong e-mail or password.', status: 401 })
    if (!('check' in session)) return await welcome(ctx, request, { ...session, email, next, kept })
    // The form was not refused, so the browser has the cookie.
    const browser = readCookie(ctx.config, request, 'hearth-login') ?? ''
    return renderCodePage(ctx, request, { next, kept, check: encryptCheck(ctx, { ...session, browser }) })
  })

/** Checks the code of a person whose password was right, and starts their session. */
const submitCode = (ctx: Ctx, request: Request): Promise<Response> =>
  submitHere(
    { ctx, request, schema: CodeForm, limited: tooManyCodes, render: renderSecondPage },
    async ({ code, recoveryCode = '', check: text = '' }, { next, kept, show }) => {
      const check = readCheck(ctx, request, text)
      const startAgain = () =>
        renderLoginPage(ctx, request, { next, kept, formState: { ...EMPTY_FORM, problem: TOO_LATE, status: 401 } })
      if (!check) return startAgain()
      const { userId, email } = check
      const isKnown = findDeviceId(ctx, request, email) !== undefined
      await requestLimitsOf(ctx).admitFactor(request, { userId, isKnown })
      const outcome = await ctx.transaction('logInWithCode', async (ctx) => {
        const proof = { userId, email, code: code ?? recoveryCode, planMessage: planFactorMessage }
        return (await proveFactor(ctx, proof)) ? { session: await startCheckedSession(ctx, check) } : undefined
      })
      if (!outcome) return show({ problem: WRONG_CODE, status: 401 })
      return outcome.session ? await welcome(ctx, request, { ...outcome.session, email, next, kept }) : startAgain()
    },
  )

/** The page for a code, or the first one for a browser without the check of a password. */
function renderSecondPage(deps: Deps, request: Request, it: LoginPage): Response {
  const check = it.formState?.values.get('check') ?? ''
  return readCheck(deps, request, check)
    ? renderCodePage(deps, request, { ...it, check })
    : renderLoginPage(deps, request, it)
}

/** After the log-in. Any earlier session of the browser ends. */
async function welcome(
  ctx: Ctx,
  request: Request,
  { next, kept, ...session }: StartedSession & { email: string; next: string; kept: string | undefined },
): Promise<Response> {
  await logOut(ctx, { token: readCookie(ctx.config, request, 'hearth-session') ?? '' })
  const { token, userId } = session
  // Another user of the browser sees nothing of it.
  const form = kept === undefined ? undefined : openKeptForm(ctx, { kept, userId })
  const response =
    kept !== undefined && form
      ? renderKeptForm(request, { session: { csrfToken: csrfTokenOf(token) }, kept, path: form.path, next })
      : redirect(next)
  for (const value of cookiesOf(ctx, request, session)) response.headers.append('set-cookie', value)
  return response
}

const cookiesOf = (ctx: Ctx, request: Request, user: { token: string; userId: string; email: string }) => [
  cookie(ctx.config, 'hearth-session', user.token),
  ownerCookie(ctx, user),
  deviceCookie(ctx, request, user.email),
  noCookie(ctx.config, 'hearth-login'),
]

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
const tooManyCodes = (wait: string) => `Too many attempts. Wait ${wait} and try again.`
const WRONG_CODE =
  'This code is wrong, or it was used before. Wait for the next one of your app, or use a recovery code.'
const TOO_LATE = 'Too much time has passed since you typed your password. Log in again.'
const FORGED = 'Your browser did not send a cookie with the form. Try again.'
/** Longer than creating a link takes, so that the time does not reveal whether one was created. */
const LINK_ANSWER_MS = 250

const waitOf = ({ retryAfterSeconds = 60 }: AppError) =>
  retryAfterSeconds < 90 ? 'a minute' : `${Math.ceil(retryAfterSeconds / 60)} minutes`
