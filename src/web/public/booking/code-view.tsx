/** @jsxImportSource preact */
// The step before a booking in which a visitor enters the code that was sent to the typed address.
import { Button } from '../../ui/buttons.tsx'
import { CODE_MINUTES } from '../../../features/customers/customers/verbs/sign-in.ts'
import { CSRF_FIELD, csrfTokenOf } from '../../../http/form.ts'
import type { VNode } from 'preact'
import { CodeForm } from '../../my/codes.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { type FormState, Form } from '../../ui/form.tsx'
import type { Page } from '../../ui/layout.tsx'

export interface CodeStep {
  /** Of the booking page. */
  path: string
  businessName: string
  /** As it was typed, with everything else. */
  form: URLSearchParams
  email: string
  /** The secret of the browser's cookie. */
  browser: string
  /** Of the code alone. */
  codeState: FormState
  /** Another code was sent. */
  isResent?: boolean
  hint: VNode | false
}

/** What the step adds to the form. */
const OWN_FIELDS = new Set([CSRF_FIELD, 'code', 'step'])

/** The page is the same for every address: it does not tell which ones are known, or why a code is needed. */
export const codeStepPage = ({
  path,
  businessName,
  form,
  email,
  browser,
  codeState,
  isResent,
  hint,
}: CodeStep): Page => ({
  title: 'Enter your code',
  description: 'Show that the e-mail address is yours.',
  styles: ['booking.css'],
  content: (
    <div class="narrow">
      <h1>Enter your code</h1>
      <p class="lead">Before {businessName} is booked, show that the e-mail address is yours.</p>
      <p>
        We sent a code to <strong>{email}</strong>. It is valid for {CODE_MINUTES} minutes, in this browser. With it you
        book and are signed in.
      </p>
      {isResent === true && (
        <p class="notice good" role="status">
          We sent another code. The earlier one works no more.
        </p>
      )}
      <Form of={CodeForm} action={path} session={{ csrfToken: csrfTokenOf(browser) }} formState={codeState}>
        {[...form].map(([name, value]) => !OWN_FIELDS.has(name) && <input type="hidden" name={name} value={value} />)}
        <Fields of={CodeForm} />
        <p class="actions">
          <Button name="step" value="code">
            Book
          </Button>{' '}
          <Button look="quiet" name="step" value="resend">
            Send another code
          </Button>{' '}
          <Button look="quiet" name="step" value="details">
            Change the details
          </Button>
        </p>
      </Form>
      <p class="hint">No message? Look in the spam folder, or check the address. The time is not held meanwhile.</p>
      {hint}
    </div>
  ),
})
