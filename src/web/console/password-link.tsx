/** @jsxImportSource preact */
// /console/password/{token}: a one-time link to choose a password.
import { Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { LINK_HOURS, choosePassword, readPasswordLink } from '../../auth/users/verbs/password-links.ts'
import { PASSWORD_LENGTH } from '../../auth/users/schemas.ts'
import { publicPage } from '../../auth/access.ts'
import { deviceCookie } from '../../auth/device-cookie.ts'
import { readForm } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { pageHeaders } from '../../http/headers.ts'
import { submitForm } from '../ui/submit.ts'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../ui/form.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Password } from '../../platform/schema/types.ts'
import { PAGE_TYPE, page } from '../ui/layout.tsx'

const PATH = '/console/password/:token'
const { min, max } = PASSWORD_LENGTH
const PasswordForm = defineForm({
  password: {
    schema: Password({ minLength: min, maxLength: max }),
    label: 'New password',
    hint: `At least ${min} characters`,
    autocomplete: 'new-password',
  },
})

export const passwordLinkPages = (deps: Deps) =>
  new Elysia({ name: 'password-link-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getPasswordLink({ ctx, params: { token } }) {
        return renderPasswordPage(await readPasswordLink(ctx, { token }), token)
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      async function postPasswordByLink({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        const email = await readPasswordLink(ctx, { token })
        return await submitForm(
          PasswordForm,
          form,
          async ({ password }) => {
            await choosePassword(ctx, { token, password })
            // The link proves the owner of the address, so guesses elsewhere do not keep this browser from logging in.
            return new Response(null, {
              status: 303,
              headers: { location: '/console/login?chosen=1', 'set-cookie': deviceCookie(ctx, request, email) },
            })
          },
          (formState) => renderPasswordPage(email, token, formState),
        )
      },
      { access: publicPage, form: PasswordForm },
    )

function renderPasswordPage(email: string, token: string, formState: FormState = EMPTY_FORM): Response {
  const content = (
    <div class="narrow">
      <h1>Choose a password</h1>
      <p>
        For <strong>{email}</strong>. This link works once and expires after {LINK_HOURS} hours.
      </p>
      <p class="hint">
        A new password logs you out everywhere and ends the access of connected apps. API keys of your account keep
        working until they are revoked in the console.
      </p>
      <Form of={PasswordForm} action={`/console/password/${token}`} formState={formState}>
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <Fields of={PasswordForm} />
        <Button>Set password</Button>
      </Form>
    </div>
  )
  return new Response(page({ title: 'Choose a password', description: 'The console of Hearth.', content }), {
    ...formStatus(formState),
    headers: {
      'content-type': PAGE_TYPE,
      // Under the usual `no-referrer`, browsers send `Origin: null` even to this site, and the form would be refused.
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex',
      ...pageHeaders({ 'form-action': "'self'" }),
    },
  })
}
