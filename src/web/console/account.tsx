/** @jsxImportSource preact */
// /console/account: the logged-in person's account and password.
import { Button } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import { PASSWORD_LENGTH, ROLES } from '../../auth/users/schemas.ts'
import { findFactor } from '../../auth/users/verbs/second-factors.ts'
import { changePassword } from '../../auth/users/verbs/users.ts'
import { logInAgain } from '../../auth/users/verbs/sessions.ts'
import { cookie } from '../../auth/cookies.ts'
import { guard } from '../../http/guard.ts'
import { ownerCookie } from '../../http/kept-form.ts'
import { requestLimitsOf } from '../../rate-limit/request-limits.ts'
import { type AuthenticatedRequest } from '../../http/session.ts'
import { plural } from '../../platform/text/format.ts'
import { FACTOR_PATH } from './second-factor/view.tsx'
import { ownEmailPages, ownEmailSection } from './email-change.tsx'
import { PLATFORM_KEYS_PATH } from './keys/platform-view.tsx'
import { KEYS_PATH } from './keys/view.tsx'
import { loginPath, redirect, renderConsolePage, redirectWithFlash } from '../ui/responses.tsx'
import { submitForm } from '../ui/submit.ts'
import { EMPTY_FORM, type FormState, formStatus, Form } from '../ui/form.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { Password } from '../../platform/schema/types.ts'
import { DetailList } from '../ui/table.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'

const PATH = '/console/account'
const session = [...ROLES] as const
const { min, max } = PASSWORD_LENGTH
const PasswordForm = defineForm({
  current: { schema: Password({ maxLength: max }), label: 'Current password', autocomplete: 'current-password' },
  next: {
    schema: Password({ minLength: min, maxLength: max }),
    label: 'New password',
    hint: `At least ${min} characters`,
    autocomplete: 'new-password',
  },
})

export const accountPages = (deps: Deps) =>
  new Elysia({ name: 'account-pages' })
    .use(guard(deps))
    .use(ownEmailPages(deps, (ctx, by, emailForm) => renderAccountPage(ctx, by, { emailForm })))
    .get(
      PATH,
      async function getAccount({ ctx, authenticated }) {
        return await renderAccountPage(ctx, authenticated)
      },
      { session },
    )
    .get(`${PATH}/password`, () => redirect(PATH), { session })
    .post(
      `${PATH}/password`,
      async function postPassword({ ctx, request, authenticated: by }) {
        return await submitForm(
          PasswordForm,
          by.form,
          async ({ current, next }) => {
            const { email, userId } = by.session
            // Limits by user, as for a known device: guesses elsewhere do not lock out a person who is logged in.
            await requestLimitsOf(ctx).admitLogin(request, email, userId)
            await changePassword(ctx, { userId, email, current, next })
            return await renewSession(ctx, email, next)
          },
          (formState) => renderAccountPage(ctx, by, { formState }),
        )
      },
      { session, form: PasswordForm },
    )

/** A new password ends every session; this browser gets a new one. */
async function renewSession(ctx: Ctx, email: string, password: string): Promise<Response> {
  const session = await logInAgain(ctx, { email, password })
  // Another change came between: the person logs in with that password.
  if (!session) return redirect(loginPath())
  const flash = {
    tone: 'good' as const,
    text: 'Your password was changed. You are logged out on all other devices, and apps have to be connected again.',
  }
  const cookies = [cookie(ctx.config, 'hearth-session', session.token), ownerCookie(ctx, session)]
  return redirectWithFlash(ctx, session, PATH, flash, cookies)
}

async function renderAccountPage(
  ctx: Ctx,
  by: AuthenticatedRequest,
  { formState = EMPTY_FORM, emailForm = EMPTY_FORM }: { formState?: FormState; emailForm?: FormState } = {},
): Promise<Response> {
  const { email, role, operatorRole, proRole, businessName, accountEmail } = by.session
  const factor = await findFactor(ctx, by.session)
  const content = (
    <>
      <PageHeading>Your account</PageHeading>
      <DetailList
        pairs={[
          ['Logs in with', email],
          ['Role', operatorRole ?? proRole ?? role],
          ['Business', businessName],
          [role === 'pro' ? 'Messages to the business go to' : 'Account', accountEmail],
        ]}
      />
      {ownEmailSection(by.session, emailForm)}
      <Section title="Second factor">
        <p>
          <a href={FACTOR_PATH}>{factor ? 'See your second factor' : 'Set up a second factor'}</a>:{' '}
          {factor
            ? `you log in with your password and a code. You have ${plural(factor.codesLeft, 'recovery code')} left.`
            : 'a code from your phone besides your password.'}
        </p>
      </Section>
      {role === 'operator' && (
        <Section title="Your programs">
          <p>
            <a href={PLATFORM_KEYS_PATH}>Platform keys</a>: with one, a program does by the API what your role allows
            you here. A new password does not end them.
          </p>
        </Section>
      )}
      <Section title="Change your password">
        <Form of={PasswordForm} action={`${PATH}/password`} isNarrow session={by.session} formState={formState}>
          <p class="hint">
            A new password logs you out everywhere else and ends the access of connected apps.{' '}
            {accountEmail !== null && mayOpen(by.session, KEYS_PATH) && (
              <>
                API keys of the account keep working: <a href={KEYS_PATH}>revoke them</a> one by one.
              </>
            )}
          </p>
          <Fields of={PasswordForm} />
          <Button>Change password</Button>
        </Form>
      </Section>
    </>
  )
  return renderConsolePage(
    ctx,
    by,
    { title: 'Your account', content },
    formStatus(emailForm === EMPTY_FORM ? formState : emailForm),
  )
}
