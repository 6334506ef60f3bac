// /my/sign-in: a customer asks for a code by e-mail and enters it in the same browser. /my/sign-out.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import { publicPage } from '../../auth/access.ts'
import { cookie, noCookie } from '../../auth/cookies.ts'
import { endCustomerSession } from '../../auth/customers/verbs.ts'
import { newToken } from '../../auth/users/tokens.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { CODE_PATH, findSentCode } from '../../features/customers/customers/verbs/sign-in.ts'
import { findCustomerSession } from '../../http/customer-session.ts'
import { readFields, readForm, refuseForgery } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { Email, Text } from '../../platform/schema/types.ts'
import { type FormState, EMPTY_FORM } from '../ui/form.tsx'
import { redirect, renderPersonalPage, safeCustomerNext, signInPath } from '../ui/responses.tsx'
import { NO_CODE, browserOf, developerHint, enterCode, sendCode, tooManyCodes, wrongCode } from './codes.tsx'
import { type CodeState, type SignInState, codePage, otherBrowserPage, signInPage } from './sign-in-view.tsx'

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
      async function postSignIn({ ctx, request }) {
        return await submitAddress(ctx, request, await readForm(ctx, request))
      },
      { access: publicPage, form: AddressForm },
    )
    .get(
      CODE_PATH,
      async function getSignInCode({ ctx, request }) {
        const code = queryOf(request.url).get('code') ?? ''
        const browser = browserOf(ctx, request)
        const sent = browser ? await findSentCode(ctx, { browser }) : undefined
        if (browser && sent?.isValid) return renderCode(ctx, request, browser, { ...sent, code })
        return code === '' ? redirect(signInPath(sent?.returnTo)) : renderPersonalPage(request, otherBrowserPage(code))
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      CODE_PATH,
      async function postSignInCode({ ctx, request }) {
        return await submitCode(ctx, request, await readForm(ctx, request))
      },
      { access: publicPage, form: CodeForm },
    )
    .post(
      '/my/sign-out',
      async function postSignOut({ ctx, signedIn }) {
        await endCustomerSession(ctx, { token: signedIn.customer.token })
        return redirect('/', [
          noCookie(ctx.config, 'hearth-customer'),
          noCookie(ctx.config, 'hearth-flash'),
          noCookie(ctx.config, 'hearth-typed'),
        ])
      },
      { customer: true },
    )

/** Sends a code and shows the page to enter it. The response is the same for every address. */
async function submitAddress(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Response> {
  const next = safeCustomerNext(form.get('next'))
  const again = (state: Omit<SignInState, 'next'>) => renderSignIn(ctx, request, { next, ...state })
  const browser = browserOf(ctx, request)
  try {
    refuseForgery(form, browser)
    if (browser === undefined) throw new Error('A form without a cookie passed.')
    const read = readFields(AddressForm, form)
    if (!read.ok) return again({ formState: { values: form, errors: read.errors } })
    const { email } = read.value
    await sendCode(ctx, request, { email, browser, returnTo: next })
    return redirect(CODE_PATH)
  } catch (error) {
    const refusal = refusalOf(error, form)
    if (!refusal) throw error
    return again(refusal)
  }
}

/** Signs the browser's customer in. */
async function submitCode(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Response> {
  const browser = browserOf(ctx, request)
  try {
    refuseForgery(form, browser)
  } catch (error) {
    const refusal = refusalOf(error, new URLSearchParams())
    if (!refusal) throw error
    return renderSignIn(ctx, request, { next: safeCustomerNext(null), ...refusal })
  }
  if (browser === undefined) throw new Error('A form without a cookie passed.')
  const result = await enterCode(ctx, request, { browser, code: form.get('code') ?? '' })
  if (result.outcome === 'signed_in') return redirect(safeCustomerNext(result.returnTo), result.cookies)
  const sent = await findSentCode(ctx, { browser })
  if (sent?.isValid && result.outcome === 'wrong_code')
    return renderCode(ctx, request, browser, { ...sent, problem: wrongCode(result.triesLeft) })
  const problem = `${NO_CODE} Ask for a new one.`
  return renderSignIn(ctx, request, { next: safeCustomerNext(sent?.returnTo), formState: problemState(problem, 401) })
}

const problemState = (problem: string, status: number, values = new URLSearchParams()): FormState => ({
  values,
  errors: {},
  problem,
  status,
})

/** The message in the form for a refusal that the person can correct. */
function refusalOf(error: unknown, values: URLSearchParams): Omit<SignInState, 'next'> | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'form_refused')
    return { formState: problemState('Your browser did not send a cookie with the form. Try again.', 403, values) }
  if (error.code !== 'rate_limited') return undefined
  return { formState: problemState(tooManyCodes(error), 429, values), retryAfterSeconds: error.retryAfterSeconds ?? 60 }
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

function renderCode(deps: Deps, request: Request, browser: string, it: Omit<CodeState, 'hint'>): Response {
  return renderPersonalPage(request, codePage(browser, { ...it, hint: developerHint(deps) }), {
    status: it.problem === undefined ? 200 : 401,
  })
}
