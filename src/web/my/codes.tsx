/** @jsxImportSource preact */
// Codes by e-mail in the browser that asked for them: on the sign-in page, and in the midst of a booking.
import { cookie, noCookie, readCookie } from '../../auth/cookies.ts'
import { CUSTOMER_SESSION_MS, endCustomerSession } from '../../auth/customers/verbs.ts'
import { deviceCookie, findDeviceId } from '../../auth/device-cookie.ts'
import { isToken } from '../../auth/users/tokens.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors/app-error.ts'
import { type SignIn, requestCode, signIn } from '../../features/customers/customers/verbs/sign-in.ts'
import type { VNode } from 'preact'
import { Text } from '../../platform/schema/types.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { defineForm } from '../ui/define-form.tsx'
import type { FormState } from '../ui/form.tsx'

export const CodeForm = defineForm({
  code: {
    schema: Text(40, { minLength: 1 }),
    label: 'Code',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    placeholder: '1234 5678',
  },
})

/** The secret of the browser's cookie, to which its code and its forms are bound. */
export function browserOf({ config }: Deps, request: Request): string | undefined {
  const token = readCookie(config, request, 'hearth-sign-in')
  return token !== undefined && isToken(token) ? token : undefined
}

/** Sends a code to the address. The result is the same for every address. Throws rate_limited. */
export async function sendCode(
  ctx: Ctx,
  request: Request,
  { email, browser, returnTo }: { email: string; browser: string; returnTo: string },
): Promise<void> {
  const mayBeSent = await requestLimitsOf(ctx).admitCode(request, email, findDeviceId(ctx, request, email))
  await requestCode(ctx, { email, browser, returnTo, mayBeSent })
}

type SignedIn = Extract<SignIn, { outcome: 'signed_in' }>

/** Signs the browser's customer in, in a new session. Any earlier session of the browser ends. */
export async function enterCode(
  ctx: Ctx,
  request: Request,
  entered: { browser: string; code: string },
): Promise<Exclude<SignIn, SignedIn> | (SignedIn & { cookies: string[] })> {
  const { config } = ctx
  const result = await signIn(ctx, entered)
  if (result.outcome !== 'signed_in') return result
  await endCustomerSession(ctx, { token: readCookie(config, request, 'hearth-customer') ?? '' })
  return {
    ...result,
    cookies: [
      cookie(config, 'hearth-customer', result.token, CUSTOMER_SESSION_MS / 1000),
      deviceCookie(ctx, request, result.email),
      noCookie(config, 'hearth-sign-in'),
    ],
  }
}

/** The form with a wrong code. */
export const wrongCode = (values: URLSearchParams, triesLeft: number): FormState => ({
  values,
  errors: { code: `wrong code. You can try ${triesLeft === 1 ? 'once more' : `${triesLeft} more times`}` },
  status: 401,
})

export const NO_CODE = 'This code was used or has expired, or a wrong one was entered too often.'

/** For an address or network that asked for too many codes. */
export function tooManyCodes({ retryAfterSeconds = 60 }: AppError): string {
  const wait = retryAfterSeconds < 90 ? 'a minute' : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  return `You asked for too many codes. Wait ${wait} and try again.`
}

/** Where a developer reads the code: without a mail server nothing is sent. */
export const developerHint = ({ config }: Deps): VNode | false =>
  config.environment === 'development' &&
  config.mail.server === undefined && (
    <p class="hint">
      In development no mail is sent: operators read the code at <code>/console/mail</code>.
    </p>
  )
