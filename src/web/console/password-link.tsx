/** @jsxImportSource preact */
// /console/password/{token}: a one-time link to choose a password.
import { Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { LINK_HOURS, choosePassword, readPasswordLink } from '../../auth/users/verbs/password-links.ts'
import { PASSWORD_LENGTH, type Role } from '../../auth/users/schemas.ts'
import { getMarketplace } from '../../features/upkeep/marketplace/verbs.ts'
import { publicPage } from '../../auth/access.ts'
import { deviceCookie } from '../../auth/device-cookie.ts'
import { readForm } from '../../http/form.ts'
import { guard } from '../../http/guard.ts'
import { submitForm } from '../ui/submit.ts'
import { type FormState, EMPTY_FORM, formStatus, Form } from '../ui/form.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Password } from '../../platform/schema/types.ts'
import { GUIDE_PATH } from '../ui/guide-steps.ts'
import { renderPersonalPage } from '../ui/responses.tsx'

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
      async function getPasswordLink({ ctx, request, params: { token } }) {
        return renderPasswordPage(request, { email: (await readPasswordLink(ctx, { token })).email, token })
      },
      { access: publicPage, caching: 'personal' },
    )
    .post(
      PATH,
      async function postPasswordByLink({ ctx, request, params: { token } }) {
        const form = await readForm(ctx, request)
        const { email, role } = await readPasswordLink(ctx, { token })
        return await submitForm(
          PasswordForm,
          form,
          async ({ password }) => {
            await choosePassword(ctx, { token, password })
            // The link proves the owner of the address, so guesses elsewhere do not keep this browser from logging in.
            return new Response(null, {
              status: 303,
              headers: { location: await logInPath(ctx, role), 'set-cookie': deviceCookie(ctx, request, email) },
            })
          },
          (formState) => renderPasswordPage(request, { email, token, formState }),
        )
      },
      { access: publicPage, form: PasswordForm },
    )

/** Until the marketplace opens, an operator goes on with the guide. */
async function logInPath(ctx: Ctx, role: Role): Promise<string> {
  const isGuided = role === 'operator' && !(await getMarketplace(ctx)).isOpen
  return `/console/login?chosen=1${isGuided ? `&next=${GUIDE_PATH}` : ''}`
}

interface PasswordPage {
  email: string
  token: string
  formState?: FormState
}

function renderPasswordPage(request: Request, { email, token, formState = EMPTY_FORM }: PasswordPage): Response {
  const content = (
    <div class="narrow">
      <h1>Choose a password</h1>
      <p>
        For <strong>{email}</strong>. This link works once and expires after {LINK_HOURS} hours.
      </p>
      <p class="hint">
        If you had a password before, the new one logs you out everywhere and ends the access of connected apps. API
        keys of your account keep working until they are revoked in the console.
      </p>
      <Form of={PasswordForm} action={`/console/password/${token}`} formState={formState}>
        <input type="hidden" name="username" value={email} autocomplete="username" />
        <Fields of={PasswordForm} />
        <Button>Set password</Button>
      </Form>
    </div>
  )
  const page = { title: 'Choose a password', description: 'The console.', content }
  return renderPersonalPage(request, page, formStatus(formState))
}
