// /my/sign-in: a customer asks for a code by e-mail and enters it in the same browser. /my/sign-out.
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
import { readForm, refuseForgery, validFields } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { queryOf } from '../../http/request-target.ts'
import { type FormState, EMPTY_FORM, formStatus, withProblem } from '../ui/form.tsx'
import { redirect, renderPersonalPage, safeCustomerNext, signInPath } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { CodeForm, NO_CODE, browserOf, developerHint, enterCode, sendCode, tooManyCodes, wrongCode } from './codes.tsx'
import {
  AddressForm,
  type CodeState,
  type SignInState,
  codePage,
  otherBrowserPage,
  signInPage,
} from './sign-in-view.tsx'

const PATH = '/my/sign-in'

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
  const next = safeCustomerNext(validFields(AddressForm, form).next)
  const again = (state: Omit<SignInState, 'next'>) => renderSignIn(ctx, request, { next, ...state })
  const browser = browserOf(ctx, request)
  try {
    refuseForgery(form, browser)
    if (browser === undefined) throw new Error('A form without a cookie passed.')
    return await submitForm(
      AddressForm,
      form,
      async ({ email }) => {
        await sendCode(ctx, request, { email, browser, returnTo: next })
        return redirect(CODE_PATH)
      },
      (formState) => again({ formState }),
    )
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
  /** The page of the browser's code, as long as it has one. */
  const again = async (formState: FormState | undefined) => {
    const sent = await findSentCode(ctx, { browser })
    if (sent?.isValid && formState) return renderCode(ctx, request, browser, { ...sent, formState })
    const noCode = withProblem(`${NO_CODE} Ask for a new one.`, 401)
    return renderSignIn(ctx, request, { next: safeCustomerNext(sent?.returnTo), formState: noCode })
  }
  return await submitForm(
    CodeForm,
    form,
    async ({ code }) => {
      const result = await enterCode(ctx, request, { browser, code })
      if (result.outcome === 'signed_in') return redirect(safeCustomerNext(result.returnTo), result.cookies)
      return await again(result.outcome === 'wrong_code' ? wrongCode(form, result.triesLeft) : undefined)
    },
    again,
  )
}

/** The message in the form for a refusal that the person can correct. */
function refusalOf(error: unknown, values: URLSearchParams): Omit<SignInState, 'next'> | undefined {
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'form_refused')
    return {
      formState: { ...withProblem('Your browser did not send a cookie with the form. Try again.', 403), values },
    }
  if (error.code !== 'rate_limited') return undefined
  const { retryAfterSeconds = 60 } = error
  return { formState: { ...withProblem(tooManyCodes(error), 429), values }, retryAfterSeconds }
}

/** The page that asks for the address. It gives the browser its cookie, unless it has one. */
export function renderSignIn(deps: Deps, request: Request, state: SignInState): Response {
  const { formState = EMPTY_FORM, retryAfterSeconds } = state
  const existing = browserOf(deps, request)
  const browser = existing ?? newToken()
  const response = renderPersonalPage(request, signInPage(browser, state), {
    ...formStatus(formState),
    ...(retryAfterSeconds === undefined ? {} : { headers: { 'retry-after': String(retryAfterSeconds) } }),
  })
  if (browser !== existing) response.headers.append('set-cookie', cookie(deps.config, 'hearth-sign-in', browser))
  return response
}

function renderCode(deps: Deps, request: Request, browser: string, it: Omit<CodeState, 'hint'>): Response {
  const page = codePage(browser, { ...it, hint: developerHint(deps) })
  return renderPersonalPage(request, page, formStatus(it.formState ?? EMPTY_FORM))
}
