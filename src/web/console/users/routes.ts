// /console/users: an operator invites, disables and enables users.
import { type Static, Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { listChanges } from '../../../auth/users/verbs/changes.ts'
import { createPasswordLink } from '../../../auth/users/verbs/password-links.ts'
import { removeFactor } from '../../../auth/users/verbs/second-factors.ts'
import { isCorrectPassword } from '../../../auth/users/verbs/sessions.ts'
import { giveOperatorRole } from '../../../auth/users/verbs/operator-roles.ts'
import { checkedFields } from '../../../http/form.ts'
import { pageMeta } from '../../../platform/schema/paging.ts'
import { type ActorId, UsersQuery } from '../../../auth/users/schemas.ts'
import {
  disableUser,
  enableUser,
  endSessions,
  findUsers,
  getUser,
  inviteUser,
} from '../../../auth/users/verbs/users.ts'
import {
  planFactorMessage,
  planInvitation,
  planPasswordLink,
} from '../../../features/messages/messages/verbs/user-links.ts'
import { guard } from '../../../http/guard.ts'
import { type AuthenticatedRequest } from '../../../http/session.ts'
import { requestLimitsOf } from '../../../rate-limit/request-limits.ts'
import { Uuid } from '../../../platform/schema/types.ts'
import type { Flash } from '../../ui/flash.tsx'
import { renderConsolePage, redirectWithFlash } from '../../ui/responses.tsx'
import { runAction, submitForm } from '../../ui/submit.ts'
import { EMPTY_FORM, formStatus } from '../../ui/form.tsx'
import { operatorEmailPages } from '../email-change.tsx'
import { linkFlash } from './link-flash.ts'
import { InviteForm, OperatorRoleForm, RemoveFactorForm, userListView } from './view.tsx'
import { userView } from './user-view.tsx'

const PATH = '/console/users'
const session = ['operator'] as const
const params = Type.Object({ id: Uuid() })
export const userPages = (deps: Deps) =>
  new Elysia({ name: 'user-pages' })
    .use(guard(deps))
    .use(userActions(deps))
    .use(operatorEmailPages(deps))
    .get(
      PATH,
      async function getUsers({ ctx, authenticated, query }) {
        return await renderList(ctx, authenticated, query)
      },
      { session, query: UsersQuery },
    )
    .post(
      PATH,
      async function postUser({ ctx, authenticated: by }) {
        return await submitForm(
          InviteForm,
          by.form,
          async (input) => {
            const { id, flash } = await inviteFromForm(ctx, by, input)
            return redirectWithFlash(ctx, by.session, `${PATH}/${id}`, flash)
          },
          (formState) => renderList(ctx, by, {}, formState),
        )
      },
      { session, form: InviteForm },
    )
    .get(
      `${PATH}/:id`,
      async function getUserPage({ ctx, authenticated: by, params: { id } }) {
        const user = await getUser(ctx, { id })
        const changes = await listChanges(ctx, { userId: id })
        const content = userView(by.session, { user, changes, now: ctx.clock.now() })
        return renderConsolePage(ctx, by, { title: user.email, content })
      },
      { session, params },
    )

/** The actions on one user. */
const userActions = (deps: Deps) =>
  new Elysia({ name: 'user-actions' })
    .use(guard(deps))
    .post(
      `${PATH}/:id/link`,
      async function postPasswordLink({ ctx, authenticated, params: { id } }) {
        return await runUserAction(ctx, authenticated, id, async (email, by) =>
          linkFlash(
            ctx,
            `The link was sent to ${email}. You may also pass it on yourself.`,
            await createPasswordLink(ctx, { by, planMessage: planPasswordLink, email }),
          ),
        )
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/log-out`,
      async function postEndOfSessions({ ctx, authenticated, params: { id } }) {
        return await runUserAction(ctx, authenticated, id, async (email, by) => {
          await endSessions(ctx, { email, by })
          return `${email} is logged out everywhere, and their apps have lost access.`
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/role`,
      async function postOperatorRole({ ctx, authenticated, params: { id } }) {
        const { operatorRole } = checkedFields(OperatorRoleForm, authenticated.form)
        return await runUserAction(ctx, authenticated, id, async (email, by) => {
          const isChanged = await giveOperatorRole(ctx, { email, operatorRole, by })
          return isChanged ? `${email} has the role ${operatorRole} now.` : 'Nothing was changed: they had this role.'
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/second-factor`,
      async function postFactorRemoval({ ctx, request, authenticated, params: { id } }) {
        const { password } = checkedFields(RemoveFactorForm, authenticated.form)
        const own = authenticated.session
        await requestLimitsOf(ctx).admitLogin(request, own.email, own.userId)
        return await runUserAction(ctx, authenticated, id, async (email, by) => {
          if (!(await isCorrectPassword(ctx, { email: own.email, password })))
            throw new AppError('validation_failed', 'This is not your password. Nothing was changed.')
          const isRemoved = await removeFactor(ctx, { email, by, planMessage: planFactorMessage })
          return isRemoved
            ? `${email} logs in with the password only now, and is told by e-mail.`
            : 'Nothing was changed: they had no second factor.'
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/disable`,
      async function postDisabling({ ctx, authenticated, params: { id } }) {
        return await runUserAction(ctx, authenticated, id, async (email, by) => {
          await disableUser(ctx, { email, by })
          return `${email} is disabled and logged out everywhere, and their apps have lost access.`
        })
      },
      { session, params },
    )
    .post(
      `${PATH}/:id/enable`,
      async function postEnabling({ ctx, authenticated, params: { id } }) {
        return await runUserAction(ctx, authenticated, id, async (email, by) => {
          await enableUser(ctx, { email, by })
          return `${email} can log in again.`
        })
      },
      { session, params },
    )

/** Runs an action on a user and shows the result on the user's page. */
async function runUserAction(
  ctx: Ctx,
  authenticated: AuthenticatedRequest,
  id: string,
  action: (email: string, by: ActorId) => Promise<string | Flash>,
): Promise<Response> {
  const { email } = await getUser(ctx, { id })
  return await runAction(ctx, authenticated, `${PATH}/${id}`, () => action(email, authenticated.session.userId))
}

async function inviteFromForm(
  ctx: Ctx,
  { session }: AuthenticatedRequest,
  { email, role, operatorRole, pro, account }: Static<typeof InviteForm>,
) {
  const input = {
    email,
    role,
    ...(operatorRole === undefined || role !== 'operator' ? {} : { operatorRole }),
    ...(pro === undefined ? {} : { pro }),
    ...(account === undefined ? {} : { account }),
  }
  try {
    const { user, link } = await inviteUser(ctx, { ...input, by: session.userId, planMessage: planInvitation })
    return {
      id: user.id,
      flash: linkFlash(ctx, `${user.email} was sent a link to choose a password. You may also pass it on.`, link),
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'professional_not_found')
      throw invalidField('pro', 'must be the id or slug of a pro')
    throw error
  }
}

async function renderList(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: UsersQuery,
  formState = EMPTY_FORM,
): Promise<Response> {
  const { users, total } = await findUsers(ctx, query)
  const meta = pageMeta(total, query)
  const content = userListView(by.session, { users, meta, query, formState, now: ctx.clock.now() })
  return renderConsolePage(ctx, by, { title: 'Users', content }, formStatus(formState))
}
