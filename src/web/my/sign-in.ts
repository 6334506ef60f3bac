// /my/sign-in: a customer asks for a code by e-mail and enters it in the same browser. /my/sign-out.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { CUSTOMER_SESSION_MS, endCustomerSession } from '../../auth/customers/verbs.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { isToken, newToken } from '../../auth/users/tokens.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { CODE_PATH, findSentCode, requestCode, signIn } from '../../features/customers/verbs/sign-in.ts'
import { findCustomerSession } from '../../http/customer-session.ts'
import { readFields, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { Email, Text } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { type FormState, EMPTY_FORM } from '../ui/forms.ts'
import { redirect, renderPersonalPage, safeCustomerNext, signInPath } from '../ui/responses.ts'
import { type CodeState, type SignInState, codePage, otherBrowserPage, signInPage } from './sign-in-view.ts'

const PATH = '/my/sign-in'
export const AddressForm = Type.Object({ email: Email(), next: Type.Optional(Text(2048)) })
export const CodeForm = Type.Object({ code: Text(40, { minLength: 1 }) })

export const signInPages = (deps: Deps) =>
  new Elysia({ name: 'sign-in-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getSignIn({ request }) {
        const next = safeCustomerNext(queryOf(request.url).get('next'))
        if (await findCustomerSession(deps, request)) return redirect(next)
        return renderSignIn(deps, request, { next })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      async function postSignIn({ request }) {
        return await submitAddress(deps, request, await readForm(deps, request))
      },
      { access: publicPage, form: AddressForm },
    )
    .get(
      CODE_PATH,
      async function getSignInCode({ request }) {
        const code = queryOf(request.url).get('code') ?? ''
        const browser = browserOf(deps, request)
        const sent = browser ? await findSentCode(deps, browser) : undefined
        if (browser && sent?.isValid) return renderCode(request, browser, { ...sent, code })
        return code === '' ? redirect(signInPath(sent?.returnTo)) : renderPersonalPage(request, otherBrowserPage(code))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      CODE_PATH,
      async function postSignInCode({ request }) {
        return await submitCode(deps, request, await readForm(deps, request))
      },
      { access: publicPage, form: CodeForm },
    )
    .post(
      '/my/sign-out',
      async function postSignOut({ signedIn }) {
        await endCustomerSession(deps, signedIn.customer.token)
        return redirect('/', [
          noCookie(deps.config, 'hearth-customer'),
          noCookie(deps.config, 'hearth-flash'),
          noCookie(deps.config, 'hearth-typed'),
        ])
      },
      { customer: true },
    )

/** The secret of the browser's cookie, to which its code and its forms are bound. */
function browserOf({ config }: Deps, request: Request): string | undefined {
  const token = readCookie(config, request, 'hearth-sign-in')
  return token !== undefined && isToken(token) ? token : undefined
}

/** Sends a code, and leads to the page for it: the same for every address. */
async function submitAddress(deps: Deps, request: Request, form: URLSearchParams): Promise<Response> {
  const next = safeCustomerNext(form.get('next'))
  const again = (state: Omit<SignInState, 'next'>) => renderSignIn(deps, request, { next, ...state })
  const browser = browserOf(deps, request)
  try {
    refuseForgery(form, browser)
    if (browser === undefined) throw new Error('A form without a cookie passed.')
    const read = readFields(AddressForm, form)
    if (!read.ok) return again({ formState: { values: form, errors: read.errors } })
    const { email } = read.value
    const mayBeSent = await requestLimitsOf(deps).admitCode(request, email, findDeviceId(deps, request, email))
    await requestCode(deps, { email, browser, returnTo: next, mayBeSent })
    return redirect(CODE_PATH)
  } catch (error) {
    const refusal = refusalOf(error, form)
    if (!refusal) throw error
    return again(refusal)
  }
}

/** Signs the browser's customer in, in a new session. Any earlier session of the browser ends. */
async function submitCode(deps: Deps, request: Request, form: URLSearchParams): Promise<Response> {
  const { config } = deps
  const browser = browserOf(deps, request)
  try {
    refuseForgery(form, browser)
  } catch (error) {
    const refusal = refusalOf(error, new URLSearchParams())
    if (!refusal) throw error
    return renderSignIn(deps, request, { next: safeCustomerNext(null), ...refusal })
  }
  if (browser === undefined) throw new Error('A form without a cookie passed.')
  const result = await signIn(deps, { browser, code: form.get('code') ?? '' })
  if (result.outcome === 'signed_in') {
    await endCustomerSession(deps, readCookie(config, request, 'hearth-customer') ?? '')
    return redirect(safeCustomerNext(result.returnTo), [
      cookie(config, 'hearth-customer', result.token, CUSTOMER_SESSION_MS / 1000),
      deviceCookie(deps, request, result.email),
      noCookie(config, 'hearth-sign-in'),
    ])
  }
  const sent = await findSentCode(deps, browser)
  if (sent?.isValid && result.outcome === 'wrong_code')
    return renderCode(request, browser, { ...sent, problem: wrongCode(result.triesLeft) })
  const problem = 'This code was used or has expired, or a wrong one was entered too often. Ask for a new one.'
  return renderSignIn(deps, request, { next: safeCustomerNext(sent?.returnTo), formState: problemState(problem, 401) })
}

const wrongCode = (triesLeft: number) =>
  `Wrong code. You can try ${triesLeft === 1 ? 'once more' : `${triesLeft} more times`}.`

const problemState = (problem: string, status: number, values = new URLSearchParams()): FormState => ({
  values,
  errors: {},
  problem,
  status,
})

/** What the form shows for a refusal that the person can do something about. */
function refusalOf(error: unknown, values: URLSearchParams): Omit<SignInState, 'next'> | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'form_refused')
    return { formState: problemState('Your browser did not send a cookie with the form. Try again.', 403, values) }
  if (error.code !== 'rate_limited') return undefined
  const { retryAfterSeconds = 60 } = error
  const wait = retryAfterSeconds < 90 ? 'a minute' : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  const problem = `You asked for too many codes. Wait ${wait} and try again.`
  return { formState: problemState(problem, 429, values), retryAfterSeconds }
}

/** Gives the browser its cookie, unless it has one. */
function renderSignIn(deps: Deps, request: Request, state: SignInState): Response {
  const { formState = EMPTY_FORM, retryAfterSeconds } = state
  const existing = browserOf(deps, request)
  const browser = existing ?? newToken()
  const response = renderPersonalPage(request, signInPage(browser, state), {
    status: formState === EMPTY_FORM ? 200 : (formState.status ?? 400),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
  if (browser !== existing) response.headers.append('set-cookie', cookie(deps.config, 'hearth-sign-in', browser))
  return response
}

function renderCode(request: Request, browser: string, it: CodeState): Response {
  return renderPersonalPage(request, codePage(browser, it), { status: it.problem === undefined ? 200 : 401 })
}
