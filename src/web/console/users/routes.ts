// /console/users: an operator invites, disables and enables users.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { listChanges } from '../../../auth/users/verbs/changes.ts'
import { LINK_HOURS, type PasswordLink, createPasswordLink } from '../../../auth/users/verbs/password-links.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { type ActorId, ROLES, UsersQuery } from '../../../auth/users/schemas.ts'
import {
  disableUser,
  enableUser,
  endSessions,
  findUsers,
  getUser,
  inviteUser,
} from '../../../auth/users/verbs/users.ts'
import { passwordLinkUrl, tellInvitation, tellPasswordLink } from '../../../features/messages/verbs/user-links.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest } from '../../../http/session.ts'
import { Email, OneOf, Text, Uuid } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.ts'
import { renderConsolePage, redirectWithFlash } from '../../ui/responses.ts'
import { runAction, submitForm } from '../../ui/submit.ts'
import { EMPTY_FORM, formStatus } from '../../ui/forms.ts'
import { userView, userListView } from './view.ts'

const PATH = '/console/users'
const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
const InviteForm = Type.Object({
  email: Email(),
  role: OneOf(ROLES),
  pro: Type.Optional(Text(200)),
  account: Type.Optional(Email()),
})

export const userPages = (deps: Deps) =>
  new Elysia({ name: 'user-pages' })
    .use(guard(deps))
    .use(userActions(deps))
    .get(
      PATH,
      async function getUsers({ authenticated, query }) {
        return await renderList(deps, authenticated, query)
      },
      { session, query: UsersQuery },
    )
    .post(
      PATH,
      async function postUser({ authenticated: by }) {
        return await submitForm(
          InviteForm,
          by.form,
          async (input) => {
            const { id, flash } = await inviteFromForm(deps, by, input)
            return redirectWithFlash(deps, by.session, `${PATH}/${id}`, flash)
          },
          (formState) => renderList(deps, by, {}, formState),
        )
      },
      { session, form: InviteForm },
    )
    .get(
      `${PATH}/:id`,
      async function getUserPage({ authenticated: by, params: { id } }) {
        const user = await getUser(deps, id)
        const changes = await listChanges(deps, id)
        const content = userView(by.session, { user, changes, now: deps.clock.now() })
        return renderConsolePage(deps, by, { title: user.email, content })
      },
      { session, params },
    )

/** The actions on one user. */
const userActions = (deps: Deps) =>
  new Elysia({ name: 'user-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/:id/link`,
      async function postPasswordLink({ authenticated, params: { id } }) {
        return await runUserAction(deps, authenticated, id, async (email, by) =>
          linkFlash(
            deps,
            `The link was sent to ${email}. You may also pass it on yourself.`,
            await createPasswordLink(deps, email, { by, tell: tellPasswordLink(deps) }),
          ),
        )
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/log-out`,
      async function postEndOfSessions({ authenticated, params: { id } }) {
        return await runUserAction(deps, authenticated, id, async (email, by) => {
          await endSessions(deps, email, by)
          return `${email} is logged out everywhere, and their apps have lost access.`
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/disable`,
      async function postDisabling({ authenticated, params: { id } }) {
        return await runUserAction(deps, authenticated, id, async (email, by) => {
          await disableUser(deps, email, by)
          return `${email} is disabled and logged out everywhere, and their apps have lost access.`
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/enable`,
      async function postEnabling({ authenticated, params: { id } }) {
        return await runUserAction(deps, authenticated, id, async (email, by) => {
          await enableUser(deps, email, by)
          return `${email} can log in again.`
        })
      },
      { session, params },
    )

/** Runs an action on a user and shows the result on the user's page. */
async function runUserAction(
  deps: Deps,
  authenticated: AuthenticatedRequest,
  id: string,
  action: (email: string, by: ActorId) => Promise<string | Flash>,
): Promise<Response> {
  const { email } = await getUser(deps, id)
  return await runAction(deps, authenticated, `${PATH}/${id}`, () => action(email, authenticated.session.userId))
}

async function inviteFromForm(
  deps: Deps,
  { session }: AuthenticatedRequest,
  { email, role, pro, account }: Static<typeof InviteForm>,
) {
  const input = { email, role, ...(pro === undefined ? {} : { pro }), ...(account === undefined ? {} : { account }) }
  try {
    const { user, link } = await inviteUser(deps, input, { by: session.userId, tell: tellInvitation(deps) })
    return {
      id: user.id,
      flash: linkFlash(deps, `${user.email} was sent a link to choose a password. You may also pass it on.`, link),
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found')
      throw invalidField('pro', 'must be the id or slug of a pro')
    throw error
  }
}

const linkFlash = (deps: Deps, text: string, link: PasswordLink): Flash => ({
  tone: 'good',
  text,
  secret: {
    label: 'Link',
    value: passwordLinkUrl(deps, link),
    note: `You will not see it again. It works once and expires after ${LINK_HOURS} hours.`,
  },
})

async function renderList(
  deps: Deps,
  by: AuthenticatedRequest,
  query: UsersQuery,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { users, total } = await findUsers(deps, query)
  const meta = pageMeta(total, query)
  const content = userListView(by.session, { users, meta, query, formState, now: deps.clock.now() })
  return renderConsolePage(deps, by, { title: 'Users', content }, formStatus(formState))
}
