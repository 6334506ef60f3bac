// Proving the address of a booking: the code goes to the typed address, and the form is kept in the page that asks for it.
import type { CustomerCaller } from '../../../auth/caller.ts'
import { cookie } from '../../../auth/cookies.ts'
import { newToken } from '../../../auth/users/tokens.ts'
import type { Ctx } from '../../../ctx.ts'
import { AppError } from '../../../errors/app-error.ts'
import { findCustomerSession } from '../../../http/customer-session.ts'
import { readFields, refuseForgery, validFields } from '../../../http/form.ts'
import {
  CodeForm,
  NO_CODE,
  browserOf,
  developerHint,
  enterCode,
  sendCode,
  tooManyCodes,
  wrongCode,
} from '../../my/codes.tsx'
import { type FormState, EMPTY_FORM, formStatus, withProblem } from '../../ui/form.tsx'
import { renderPersonalPage } from '../../ui/responses.tsx'
import { type CodeStep, codeStepPage } from './code-view.tsx'
import { ChoiceForm, StepForm } from './forms.ts'

/** The sender of the form, with the cookies of a session that its code started; or why the code is not accepted. */
export type Visitor =
  | { customer: Pick<CustomerCaller, 'customerEmail'> | undefined; cookies: string[] }
  | { codeState: FormState; needsCode: boolean }

/** Finds the sender of a booking form. Uses up the code in the form. */
export async function readVisitor(ctx: Ctx, request: Request, form: URLSearchParams): Promise<Visitor> {
  if (validFields(StepForm, form).step !== 'code')
    return { customer: await findCustomerSession(ctx, request), cookies: [] }
  const browser = browserOf(ctx, request)
  try {
    refuseForgery(form, browser)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'form_refused')) throw error
    return needsNewCode('Your browser did not send its cookie with the code. Enter the new one.')
  }
  const read = readFields(CodeForm, form)
  if (!read.ok) return { codeState: { values: form, errors: read.errors }, needsCode: false }
  const result = await enterCode(ctx, request, { browser: browser ?? '', code: read.value.code })
  if (result.outcome === 'wrong_code' && result.triesLeft > 0)
    return { codeState: wrongCode(form, result.triesLeft), needsCode: false }
  if (result.outcome !== 'signed_in') return needsNewCode(`${NO_CODE} We sent a new one.`)
  return { customer: { customerEmail: result.email }, cookies: result.cookies }
}

const needsNewCode = (problem: string) => ({ codeState: withProblem(problem, 401), needsCode: true })

interface Step extends Pick<CodeStep, 'path' | 'businessName' | 'form' | 'email' | 'isResent'> {
  codeState?: FormState
  /** A code is sent first. */
  send: boolean
  cookies: readonly string[]
}

/** Shows the step. */
export async function renderCodeStep(
  ctx: Ctx,
  request: Request,
  { send, cookies, codeState = EMPTY_FORM, ...step }: Step,
): Promise<Response> {
  const browser = browserOf(ctx, request) ?? newToken()
  const refused = send ? await trySend(ctx, request, browser, step) : undefined
  const shown = refused ? withProblem(tooManyCodes(refused), 429) : codeState
  const isResent = step.isResent === true && !refused
  const page = codeStepPage({ ...step, browser, codeState: shown, isResent, hint: developerHint(ctx) })
  const response = renderPersonalPage(request, page, { ...formStatus(shown), ...retryAfter(refused) })
  // The code of this browser is checked last, because a code for another address may just have replaced it.
  for (const one of [...cookies, cookie(ctx.config, 'hearth-sign-in', browser)])
    response.headers.append('set-cookie', one)
  return response
}

const retryAfter = (refused: AppError | undefined) =>
  refused ? { headers: { 'retry-after': String(refused.retryAfterSeconds ?? 60) } } : {}

/** The link in the message leads back to the chosen time. */
async function trySend(
  ctx: Ctx,
  request: Request,
  browser: string,
  { path, form, email }: Pick<Step, 'path' | 'form' | 'email'>,
) {
  const chosen = new URLSearchParams(validFields(ChoiceForm, form))
  try {
    const returnTo = `${path}?${chosen.toString()}`
    await sendCode(ctx, request, { email, browser, returnTo })
    return undefined
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'rate_limited')) throw error
    return error
  }
}
