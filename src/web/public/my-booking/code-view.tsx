/** @jsxImportSource preact */
// The form for a confirmation code, and what to do when a code or a link leads nowhere.
import { Button } from '../../ui/buttons.tsx'
import type { VNode } from 'preact'
import { Text } from '../../../platform/schema/types.ts'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { type FormState, EMPTY_FORM, Form } from '../../ui/form.tsx'
import type { Page } from '../../ui/layout.tsx'

export const FindForm = defineForm({
  code: {
    schema: Text(40, { minLength: 1 }),
    label: 'Confirmation code',
    hint: (
      <>
        It looks like <code>HTH-7K3M9PQ2X4AB</code>.
      </>
    ),
  },
})

export const codePage = (formState: FormState): Page => ({
  title: 'Find your booking',
  description: 'Find your booking by its confirmation code.',
  content: (
    <div class="narrow">
      <h1>Find your booking</h1>
      {findForm(formState)}
      <p class="hint">
        You received the code when you booked. Keep it private: anyone with the code can see the booking. To move or
        cancel it, open the link that you received with the code, or <a href="/my">sign in</a> with your e-mail address.
      </p>
    </div>
  ),
})

/** For a code that no booking has. */
export const wrongCodePage = (code: string): Page => ({
  title: 'No booking has this code',
  description: 'Find your booking by its confirmation code.',
  content: (
    <div class="narrow">
      <h1>No booking has this code</h1>
      {findForm({ values: new URLSearchParams({ code }), errors: { code: 'check the code in your message' } })}
      <p>
        A code is <code>HTH-</code> and 12 letters and digits, such as <code>HTH-7K3M9PQ2X4AB</code>. Capital or small
        letters make no difference. There is no letter O, I, L or U in it: what looks like an O is a zero, what looks
        like an I or L is a one.
      </p>
      <p>
        You do not have the code any more? <a href="/my">Sign in with your e-mail address</a> to see all of your
        bookings.
      </p>
    </div>
  ),
})

/** For a manage link that is not complete. */
export const wrongLinkPage: Page = {
  title: 'This link does not lead to a booking',
  description: 'Find your booking in another way.',
  content: (
    <div class="narrow">
      <h1>This link does not lead to a booking</h1>
      <p>A part of it may be missing. Open it exactly as you received it, or find the booking by its code:</p>
      {findForm(EMPTY_FORM)}
      <p>
        <a href="/my">Sign in with your e-mail address</a> to see, move and cancel all of your bookings.
      </p>
    </div>
  ),
}

function findForm(formState: FormState): VNode {
  return (
    <Form of={FindForm} method="get" action="/bookings" formState={formState}>
      <Fields of={FindForm} />
      <Button>Find booking</Button>
    </Form>
  )
}
