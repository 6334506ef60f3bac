// Proving the address of a booking: the code goes to the typed address, and the form is kept in the page that asks for it.
import type { CustomerCaller } from '../../../auth/caller.ts'
import { cookie } from '../../../auth/cookies.ts'
import { newToken } from '../../../auth/users/tokens.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { findCustomerSession } from '../../../http/customer-session.ts'
import { refuseForgery } from '../../../http/form.ts'
import { NO_CODE, browserOf, developerHint, enterCode, sendCode, tooManyCodes, wrongCode } from '../../my/codes.tsx'
import { renderPersonalPage } from '../../ui/responses.tsx'
import { type CodeStep, codeStepPage } from './code-view.tsx'

/** The sender of the form, with the cookies of a session that its code started; or why the code is not accepted. */
export type Visitor =
  | { customer: Pick<CustomerCaller, 'customerEmail'> | undefined; cookies: string[] }
  | { problem: string; needsCode: boolean }

/** Finds the sender of a booking form. Uses up the code in the form. */
export async function readVisitor(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Visitor> {
  const code = form.get('code')
  if (code === null) return { customer: await findCustomerSession(ctx, request), cookies: [] }
  const browser = browserOf(ctx, request)
  try {
    refuseForgery(form, browser)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'form_refused')) throw error
    return { problem: 'Your browser did not send its cookie with the code. Enter the new one.', needsCode: true }
  }
  const result = await enterCode(ctx, request, { browser: browser ?? '', code })
  if (result.outcome === 'wrong_code' && result.triesLeft > 0)
    return { problem: wrongCode(result.triesLeft), needsCode: false }
  if (result.outcome !== 'signed_in') return { problem: `${NO_CODE} We sent a new one.`, needsCode: true }
  return { customer: { customerEmail: result.email }, cookies: result.cookies }
}

interface Step extends Pick<CodeStep, 'path' | 'businessName' | 'form' | 'email' | 'problem' | 'isResent'> {
  /** A code is sent first. */
  send: boolean
  cookies: readonly string[]
}

/** Shows the step. */
export async function renderCodeStep(ctx: Ctx, request: Request, { send, cookies, ...step }: Step): Promise<Response> {
  const browser = browserOf(ctx, request) ?? newToken()
  const refused = send ? await trySend(ctx, request, browser, step) : undefined
  const page = codeStepPage({
    ...step,
    browser,
    hint: developerHint(ctx),
    ...(refused ? { problem: tooManyCodes(refused), isResent: false } : {}),
  })
  const status = refused ? 429 : step.problem === undefined ? 200 : 401
  const response = renderPersonalPage(request, page, { status, ...retryAfter(refused) })
  // The code of this browser is checked last, because a code for another address may just have replaced it.
  for (const one of [...cookies, cookie(ctx.config, 'hearth-sign-in', browser)])
    response.headers.append('set-cookie', one)
  return response
}

const retryAfter = (refused: AppError | undefined) =>
  refused ? { headers: { 'retry-after': String(refused.retryAfterSeconds ?? 60) } } : {}

const CHOICE = new Set(['service', 'package', 'date', 'time'])

/** The link in the message leads back to the chosen time. */
async function trySend(
  ctx: Ctx,
  request: Request,
  browser: string,
  { path, form, email }: Omit<Step, 'send' | 'cookies'>,
) {
  const chosen = new URLSearchParams([...form].filter(([name]) => CHOICE.has(name)))
  try {
    const returnTo = `${path}?${chosen.toString()}`
    await sendCode(ctx, request, { email, browser, returnTo })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    return error
  }
}
