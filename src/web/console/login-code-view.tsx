/** @jsxImportSource preact */
// The second page of a log-in: a code of the second factor. It carries the check of the password, bound to the browser.
import { Type } from '@sinclair/typebox'

import type { PasswordCheck } from '../../auth/users/verbs/sessions.ts'
import { readCookie } from '../../auth/cookies.ts'
import type { Deps } from '../../deps.ts'
import { csrfTokenOf } from '../../http/form.ts'
import { Line, Text } from '../../platform/schema/types.ts'
import { Button, Disclosure } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EMPTY_FORM, Form, formStatus } from '../ui/form.tsx'
import { loginPath, renderPersonalPage } from '../ui/responses.tsx'
import { type LoginPage, KeptField } from './login-view.tsx'

const CHECK_MINUTES = 10
const MINUTE_MS = 60_000

export const CodeForm = defineForm(
  {
    code: {
      schema: Type.Optional(Line(40)),
      label: 'Code',
      hint: 'The six digits that the app on your phone shows now.',
      isOptional: false,
      autocomplete: 'one-time-code',
      inputMode: 'numeric',
    },
    recoveryCode: {
      schema: Type.Optional(Line(40)),
      label: 'Recovery code',
      hint: 'One of those that you kept. It works once.',
      isOptional: false,
    },
    check: { schema: Type.Optional(Text(2000)) },
  },
  ({ code, recoveryCode }) => ({
    code: code === undefined && recoveryCode === undefined ? 'is required' : undefined,
  }),
)

const purpose = (browser: string) => `password check in ${browser}`

/** The text that carries the check through the page, for as long as people need to find their phone. */
export function encryptCheck(
  { encryption, clock }: Deps,
  { check, browser }: { check: PasswordCheck; browser: string },
): string {
  return encryption.encrypt(purpose(browser), check, new Date(clock.now().getTime() + CHECK_MINUTES * MINUTE_MS))
}

/** The check, if it was made in this browser within {@link CHECK_MINUTES}. */
export function readCheck(
  { config, encryption, clock }: Deps,
  request: Request,
  text: string,
): PasswordCheck | undefined {
  const browser = readCookie(config, request, 'hearth-login')
  return browser === undefined
    ? undefined
    : (encryption.decrypt(purpose(browser), text, clock.now()) as PasswordCheck | undefined)
}

export function renderCodePage(
  { config }: Deps,
  request: Request,
  { next, kept, check, retryAfterSeconds, formState = EMPTY_FORM }: LoginPage & { check: string },
): Response {
  const session = { csrfToken: csrfTokenOf(readCookie(config, request, 'hearth-login') ?? '') }
  const isRecovering = formState.values.has('recoveryCode') && formState.values.get('recoveryCode') !== ''
  const content = (
    <div class="narrow">
      <h1>Type your code</h1>
      <p>Your password is right. Your log-in has a second factor.</p>
      <Form of={CodeForm} action="/console/login/code" session={session} formState={formState}>
        <input type="hidden" name="next" value={next} />
        <input type="hidden" name="check" value={check} />
        <KeptField kept={kept} />
        <Fields of={CodeForm} names={['code']} />
        <Disclosure label="Use a recovery code" isOpen={isRecovering}>
          <Fields of={CodeForm} names={['recoveryCode']} />
          <p class="hint">No phone and no codes? An administrator of this site can remove the second factor.</p>
        </Disclosure>
        <Button>Log in</Button>
      </Form>
      <p>
        <a href={loginPath(next)}>Log in as someone else</a>
      </p>
    </div>
  )
  return renderPersonalPage(
    request,
    { title: 'Second factor of your log-in', description: 'The console.', content },
    {
      ...formStatus(formState),
      ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }),
    },
  )
}
