/** @jsxImportSource preact */
// /console/team/{id}: a member of the team, and the log-in that an owner gives them.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { PRO_ROLES, type ProRole } from '../../auth/users/rules/pro-roles.ts'
import { type Member, MemberParams } from '../../features/business/members/schemas.ts'
import {
  type Login,
  changeLoginRole,
  endLogin,
  getMemberWithLogin,
  giveLogin,
  sendLinkAgain,
} from '../../features/business/members/verbs/logins.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { Email, OneOf } from '../../platform/schema/types.ts'
import type { VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { Button, ButtonRow, Disclosure } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { ActionButton, EMPTY_FORM, Form, type FormState, formStatus } from '../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../ui/headings.tsx'
import { EmailLink } from '../ui/links.tsx'
import { DetailList } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { redirect, redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { runAction, submitForm } from '../ui/submit.ts'
import { linkFlash } from './users/link-flash.ts'

export const TEAM_PATH = '/console/team'
const PATH = `${TEAM_PATH}/:id`
const session = ['pro'] as const
const params = MemberParams

const ROLE_LABELS: Record<ProRole, string> = {
  owner: 'Owner: everything, also money, keys, log-ins and closing the account',
  dispatcher: 'Dispatcher: bookings, requests, quotes, jobs, customers and the calendar',
  worker: 'Worker: the visits and jobs that are assigned to them',
}
const role = {
  schema: OneOf(PRO_ROLES),
  label: 'What they may do',
  choices: PRO_ROLES.toReversed().map((value) => ({ value, label: ROLE_LABELS[value] })),
}
const LoginForm = defineForm({
  email: {
    schema: Email(),
    label: 'E-mail address to log in with',
    hint: 'They get a link with which they choose a password.',
  },
  proRole: role,
})
const RoleForm = defineForm({ proRole: role })

export const memberLoginPages = (deps: Deps) =>
  new Elysia({ name: 'member-login-pages' })
    .use(guard(deps))
    .get(
      PATH,
      async function getMemberPage({ ctx, authenticated, params: { id } }) {
        return await renderMember(ctx, authenticated, id)
      },
      { session, params },
    )
    .get(`${PATH}/login`, ({ params: { id } }) => redirect(`${TEAM_PATH}/${id}`), { session, params })
    .post(
      `${PATH}/login`,
      async function postLogin({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          LoginForm,
          by.form,
          async (input) => {
            const link = await giveLogin(ctx.as(actingProOf(by)), { id, ...input })
            const text = `${input.email} was sent a link to choose a password. You may also pass it on.`
            return redirectWithFlash(ctx, by.session, `${TEAM_PATH}/${id}`, linkFlash(ctx, text, link))
          },
          (formState) => renderMember(ctx, by, id, formState),
        )
      },
      { session, params, form: LoginForm },
    )
    .use(loginActs(deps))

/** What is done with a log-in that a member has. */
const loginActs = (deps: Deps) =>
  new Elysia({ name: 'member-login-acts' })
    .use(guard(deps))
    .post(
      `${PATH}/login/link`,
      async function postLinkAgain({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${TEAM_PATH}/${id}`, async () => {
          const { email, link } = await sendLinkAgain(ctx.as(actingProOf(by)), { id })
          return linkFlash(ctx, `The link was sent to ${email}. You may also pass it on yourself.`, link)
        })
      },
      { session, params },
    )
    .get(`${PATH}/login/role`, ({ params: { id } }) => redirect(`${TEAM_PATH}/${id}`), { session, params })
    .post(
      `${PATH}/login/role`,
      async function postLoginRole({ ctx, authenticated: by, params: { id } }) {
        return await submitForm(
          RoleForm,
          by.form,
          async ({ proRole }) => {
            const isChanged = await changeLoginRole(ctx.as(actingProOf(by)), { id, proRole })
            const text = isChanged
              ? `The role is ${proRole} now. It counts wherever they are logged in.`
              : 'Nothing was changed: they had this role.'
            return redirectWithFlash(ctx, by.session, `${TEAM_PATH}/${id}`, { tone: 'good', text })
          },
          (formState) => renderMember(ctx, by, id, formState),
        )
      },
      { session, params, form: RoleForm },
    )
    .post(
      `${PATH}/login/end`,
      async function postLoginEnd({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, `${TEAM_PATH}/${id}`, async () =>
          (await endLogin(ctx.as(actingProOf(by)), { id }))
            ? 'The log-in has ended. They are logged out everywhere.'
            : 'The log-in had ended already.',
        )
      },
      { session, params },
    )

async function renderMember(ctx: Ctx, by: AuthenticatedRequest, id: string, formState = EMPTY_FORM): Promise<Response> {
  const { member, login } = await getMemberWithLogin(ctx.as(actingProOf(by)), { id })
  const content = (
    <>
      <BackLink href={TEAM_PATH}>Team</BackLink>
      <PageHeading beside={login && loginBadge(login, ctx.clock.now())}>{member.name}</PageHeading>
      <DetailList
        pairs={[
          ['E-mail', <EmailLink address={member.email} />],
          ['Logs in with', login?.email],
          ['May do', login?.proRole && ROLE_LABELS[login.proRole]],
          ['Last log-in', login && (login.lastLoginAt === null ? 'Never' : <Time instant={login.lastLoginAt} />)],
        ]}
      />
      {login ? loginSections(by.session, { member, login, formState }) : newLogin(by.session, member, formState)}
    </>
  )
  return renderConsolePage(ctx, by, { title: `${member.name}, team`, content }, formStatus(formState))
}

/** Where a log-in stands. */
export function loginBadge({ disabledAt, lastLoginAt, linkExpiresAt }: Login, now: Date): VNode {
  if (disabledAt !== null) return <Badge tone="bad">Disabled by us</Badge>
  if (lastLoginAt !== null) return <Badge tone="good">Logs in</Badge>
  const isOpen = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return isOpen ? <Badge tone="wait">Invited</Badge> : <Badge tone="wait">Invitation expired</Badge>
}

const newLogin = (session: Session, { id, email, name }: Member, formState: FormState): VNode => (
  <Section title="Give a log-in">
    <p>
      {name} has no log-in yet. With one they see on their phone what they have to do. You can change the role and end
      the log-in at any time.
    </p>
    <Form of={LoginForm} action={`${TEAM_PATH}/${id}/login`} session={session} formState={formState} isNarrow>
      <Fields of={LoginForm} values={{ email, proRole: 'worker' }} />
      <Button>Give log-in</Button>
    </Form>
  </Section>
)

interface LoginPart {
  member: Member
  login: Login
  /** Of the change of the role. */
  formState: FormState
}

function loginSections(session: Session, { member: { id, name }, login, formState }: LoginPart): VNode {
  const path = `${TEAM_PATH}/${id}/login`
  if (login.id === session.userId)
    return (
      <p class="hint">
        This is you: <a href="/console/account">your account</a>. Another owner can change your role.
      </p>
    )
  return (
    <>
      <Section title="Change the role">
        <Form of={RoleForm} action={`${path}/role`} session={session} formState={formState} isNarrow>
          <p class="hint">It counts at once, wherever they are logged in. Apps that they connected lose access.</p>
          <Fields of={RoleForm} values={{ proRole: login.proRole }} />
          <Button isSmall>Change role</Button>
        </Form>
      </Section>
      <ButtonRow>
        {login.disabledAt === null && (
          <ActionButton
            session={session}
            action={`${path}/link`}
            label={login.lastLoginAt === null ? 'Send the invitation again' : 'Send a link for a new password'}
            look="plain"
          />
        )}
        <Disclosure label="End the log-in">
          <p>
            {name} is logged out everywhere at once and cannot log in. Visits that are assigned to them stay so, and{' '}
            {name} stays on your team.
          </p>
          <ActionButton session={session} action={`${path}/end`} label={`End the log-in of ${name}`} look="danger" />
        </Disclosure>
      </ButtonRow>
    </>
  )
}
