/** @jsxImportSource preact */
// The step before a booking in which a visitor enters the code that was sent to the typed address.
import { Button } from '../../ui/buttons.tsx'
import { CODE_MINUTES } from '../../../features/customers/customers/verbs/sign-in.ts'
import { CSRF_FIELD, csrfTokenOf } from '../../../http/form.ts'
import type { VNode } from 'preact'
import { Form, withProblem } from '../../ui/form.tsx'
import { TextField } from '../../ui/fields.tsx'
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
  problem?: string | undefined
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
  problem,
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
      <Form action={path} session={{ csrfToken: csrfTokenOf(browser) }} formState={withProblem(problem)}>
        {[...form].map(([name, value]) => !OWN_FIELDS.has(name) && <input type="hidden" name={name} value={value} />)}
        <TextField
          name="code"
          label="Code"
          autocomplete="one-time-code"
          inputMode="numeric"
          placeholder="1234 5678"
          maxLength={40}
        />
        <p class="actions">
          <Button>Book</Button>{' '}
          <Button look="quiet" name="step" value="resend" formnovalidate>
            Send another code
          </Button>{' '}
          <Button look="quiet" name="step" value="details" formnovalidate>
            Change the details
          </Button>
        </p>
      </Form>
      <p class="hint">No message? Look in the spam folder, or check the address. The time is not held meanwhile.</p>
      {hint}
    </div>
  ),
})
