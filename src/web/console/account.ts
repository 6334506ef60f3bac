// /console/account: who one is here, and another password.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { PASSWORD_LENGTH, ROLES } from '../../auth/users/schemas.ts'
import { changePassword } from '../../auth/users/verbs/users.ts'
import { logIn } from '../../auth/users/verbs/sessions.ts'
import { session } from '../../auth/access.ts'
import { cookie } from '../../auth/cookies.ts'
import { guard } from '../../http/guard.ts'
import { limitsOf } from '../../rate-limit/rate-limits.ts'
import { type AuthenticatedRequest, visitOf } from '../../http/session.ts'
import { go, show, submit } from '../ui/answer.ts'
import { NOTHING_ENTERED, problemOf, csrfField, textField, wasRefused } from '../ui/forms.ts'
import { html } from '../ui/html.ts'
import { facts, heading, section } from '../ui/parts.ts'

const PATH = '/console/account'
const access = session(...ROLES)
const { min, max } = PASSWORD_LENGTH
const PasswordForm = Type.Object({
  current: Type.String({ maxLength: max }),
  next: Type.String({ minLength: min, maxLength: max }),
})

export const accountPages = (deps: Deps) =>
  new Elysia({ name: 'account-pages' })
    .use(guard(deps))
    .get(
      PATH,
      function getAccount({ visit }) {
        return accountPage(deps, visitOf(visit))
      },
      { access },
    )
    .post(
      `${PATH}/password`,
      async function postPassword({ request, visit }) {
        const by = visitOf(visit)
        return await submit(
          PasswordForm,
          by.form,
          async () => {
            const { email, userId } = by.session
            // As they were typed: a blank at an end counts.
            const [current, next] = [by.form.get('current') ?? '', by.form.get('next') ?? '']
            // Whoever is logged in is known.
            await limitsOf(deps).admitLogin(request, email, userId)
            await changePassword(deps, { userId, email }, { current, next })
            return await enterAgain(deps, email, next)
          },
          (entered) => accountPage(deps, by, { ...entered, values: new URLSearchParams() }),
        )
      },
      { access, form: PasswordForm },
    )

/** Every session is over with the old password: here begins the next. */
async function enterAgain(deps: Deps, email: string, password: string): Promise<Response> {
  const token = (await logIn(deps, email, password)) ?? ''
  const said = { tone: 'good' as const, text: 'You have another password. Everywhere else you are logged out.' }
  return go(deps, { token }, PATH, said, [cookie(deps.config, 'hearth-session', token)])
}

function accountPage(deps: Deps, by: AuthenticatedRequest, entered = NOTHING_ENTERED): Response {
  const { email, role, businessName, accountEmail } = by.session
  const content = html`
    ${heading('You')}
    ${facts([
      ['E-mail address', email],
      ['Role', role],
      ['Business', businessName],
      ['Account', accountEmail],
    ])}
    ${section(
      'Another password',
      html`<form method="post" action="${PATH}/password" class="narrow-form">
        ${csrfField(by.session)} ${problemOf(entered)}
        ${textField({ name: 'current', label: 'Present password', type: 'password', autocomplete: 'current-password', entered })}
        ${textField({
          name: 'next',
          label: 'New password',
          type: 'password',
          hint: `${min} characters or more`,
          autocomplete: 'new-password',
          entered,
        })}
        <button>Change the password</button>
      </form>`,
    )}
  `
  return show(deps, by, { title: 'You', content }, wasRefused(entered))
}
