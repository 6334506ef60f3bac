/** @jsxImportSource preact */
// The pages of signing in: the address, the code, and the link in another browser.
import { Button } from '../ui/buttons.tsx'
import { CODE_MINUTES, CODE_PATH } from '../../features/customers/customers/verbs/sign-in.ts'
import { Type } from '@sinclair/typebox'
import { csrfTokenOf } from '../../http/form.ts'
import { Email, Text } from '../../platform/schema/types.ts'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { type FormState, EMPTY_FORM, Form } from '../ui/form.tsx'
import type { VNode } from 'preact'
import type { Page } from '../ui/layout.tsx'
import { isConsent, isJoining, signInPath } from '../ui/responses.tsx'
import { CodeForm } from './codes.tsx'

export const AddressForm = defineForm({
  email: { schema: Email(), label: 'E-mail address', autocomplete: 'email' },
  /** The page to open afterwards. */
  next: { schema: Type.Optional(Text(2048)) },
})

export interface SignInState {
  /** The page to open afterwards. */
  next: string
  formState?: FormState
  retryAfterSeconds?: number
}

/** Without a session, the CSRF token of the forms is bound to the browser's cookie. */
const sessionOf = (browser: string) => ({ csrfToken: csrfTokenOf(browser) })

export const signInPage = (browser: string, { next, formState = EMPTY_FORM }: SignInState): Page => ({
  ...(isJoining(next)
    ? { title: 'Apply to join', description: 'Join as a pro: say what you do, where and for how much.' }
    : { title: 'Sign in', description: 'See your bookings, quotes and reviews.' }),
  content: (
    <div class="narrow">
      {isJoining(next) ? joiningLead : signInLead(next)}
      <Form of={AddressForm} action="/my/sign-in" session={sessionOf(browser)} formState={formState}>
        <Fields of={AddressForm} values={{ next }} />
        <Button>Send me a code</Button>
      </Form>
      {isJoining(next) ? (
        <p class="hint">
          You have applied already? Use the same address: you come back to your application. Your page is here already?{' '}
          <a href="/console/login">Log in</a>.
        </p>
      ) : (
        <p class="hint">
          Use the address that you booked with. Without signing in, <a href="/bookings">find a booking by its code</a>.
        </p>
      )}
    </div>
  ),
})

const signInLead = (next: string): VNode => (
  <>
    <h1>Sign in</h1>
    <p>
      {isConsent(next)
        ? 'An app asks for access to your account. Sign in to see which one, and to allow or deny it.'
        : 'See and change your bookings, read your quotes, write reviews.'}{' '}
      We send you a code by e-mail.
    </p>
  </>
)

const joiningLead: VNode = (
  <>
    <p class="quiet">Step 1 of 8</p>
    <h1>Apply to join</h1>
    <p>
      It takes about ten minutes: your business, where you work, your services with prices, your hours. Each step is
      saved, and you can come back at any time. First we send you a code by e-mail.
    </p>
  </>
)

export interface CodeState {
  email: string
  /** The page to open afterwards. */
  returnTo: string
  /** Of the link in the message. */
  code?: string
  formState?: FormState
  hint: VNode | false
}

export const codePage = (browser: string, { email, returnTo, code, formState, hint }: CodeState): Page => ({
  title: 'Enter your code',
  description: 'Sign in with the code that we sent you.',
  content: (
    <div class="narrow">
      <h1>Enter your code</h1>
      <p>
        We sent a code to <strong>{email}</strong>. It is valid for {CODE_MINUTES} minutes, in this browser. Keep it to
        yourself: we never ask for it by phone or mail.
      </p>
      <Form of={CodeForm} action={CODE_PATH} session={sessionOf(browser)} {...(formState && { formState })}>
        <Fields of={CodeForm} values={{ code }} />
        <Button>Sign in</Button>
      </Form>
      <p class="hint">
        No message? Look in the spam folder, check the address, or{' '}
        <a href={signInPath(returnTo)}>ask for another code</a>. An address that many codes were asked for gets no more
        for up to an hour: use the last one that you got, in the browser in which you asked for it.
      </p>
      {hint}
    </div>
  ),
})

/** For the link of a message in a browser that asked for no code. */
export const otherBrowserPage = (code: string): Page => ({
  title: 'Open this in the other browser',
  description: 'Sign in with the code that we sent you.',
  content: (
    <div class="narrow">
      <h1>Go back to the browser in which you asked for the code</h1>
      <p>To keep your account safe, the code works only there, once, for {CODE_MINUTES} minutes. Type it there:</p>
      <p class="lead">
        <code>{/^\d{8}$/.test(code) ? `${code.slice(0, 4)} ${code.slice(4)}` : 'the code in the message'}</code>
      </p>
      <p class="hint">
        To sign in here instead, <a href="/my/sign-in">ask for a code in this browser</a>.
      </p>
    </div>
  ),
})
