/** @jsxImportSource preact */
// /console/team: the people to whom a pro assigns bookings, and who logs in.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { MemberParams, NewMember } from '../../features/business/members/schemas.ts'
import { type Login, listLoginsOfTeam } from '../../features/business/members/verbs/logins.ts'
import { addMember, listTeam, removeMember } from '../../features/business/members/verbs/team.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import type { VNode } from 'preact'
import { type FormState, EMPTY_FORM, ActionButton, formStatus, idempotencyOfForm, Form } from '../ui/form.tsx'
import { Disclosure, Button } from '../ui/buttons.tsx'
import { Fields, defineForm } from '../ui/define-form.tsx'
import { EmailLink } from '../ui/links.tsx'
import { EmptyState, Pager } from '../ui/lists.tsx'
import { PageHeading } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.tsx'
import { runAction, submitForm } from '../ui/submit.ts'
import { TEAM_PATH as PATH, loginBadge, memberLoginPages } from './member-login.tsx'

const session = ['pro'] as const

const ROLES = [
  { value: 'crew', label: 'Crew' },
  { value: 'manager', label: 'Manager' },
  { value: 'office', label: 'Office' },
]

const { name, email, role } = NewMember.properties
const MemberForm = defineForm({
  name: { schema: name, label: 'Name' },
  email: { schema: email, label: 'E-mail address' },
  role: { schema: role, label: 'Role', choices: ROLES, isOptional: false },
})

export const teamPages = (deps: Deps) =>
  new Elysia({ name: 'team-pages' })
    .use(guard(deps))
    .use(memberLoginPages(deps))
    .get(
      PATH,
      async function getTeamPage({ ctx, authenticated: by, query }) {
        return await renderTeam(ctx, by, query)
      },
      { session, query: PageQuery },
    )
    .post(
      PATH,
      async function postNewMember({ ctx, authenticated: by }) {
        return await submitForm(
          MemberForm,
          by.form,
          async (input) => {
            const value = await addMember(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), input)
            const text = `${value.member.name} is on your team. You can assign bookings to them.`
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
          },
          (formState) => renderTeam(ctx, by, {}, formState),
        )
      },
      { session, form: MemberForm },
    )
    .post(
      `${PATH}/:id/delete`,
      async function postMemberRemoval({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, PATH, async () => {
          await removeMember(ctx.as(actingProOf(by)), { id })
          return 'The member is removed. Their upcoming bookings are not assigned any more.'
        })
      },
      { session, params: MemberParams },
    )

async function renderTeam(
  ctx: Ctx,
  by: AuthenticatedRequest,
  query: PageQuery,
  formState = EMPTY_FORM,
): Promise<Response> {
  const pro = ctx.as(actingProOf(by))
  const [{ members, meta }, logins] = await Promise.all([listTeam(pro, query), listLoginsOfTeam(pro)])
  const loginOf = (id: string) => logins.find(({ memberId }) => memberId === id)
  const others = logins.filter(({ memberId }) => memberId === null).map(({ email }) => email)
  const content = (
    <>
      <PageHeading>Team</PageHeading>
      <p class="lead">
        The people who do the work. Assign bookings to them; each can have a{' '}
        <a href="/console/settings">calendar of their own</a>, and a log-in.
      </p>
      {members.length === 0 ? (
        <EmptyState title="No members yet">Add the people to whom you assign bookings.</EmptyState>
      ) : (
        <Table
          caption="Team"
          columns={['Name', 'E-mail', 'Role', 'Log-in', '']}
          rows={members.map(({ id, name, email, role }) => [
            <a href={`${PATH}/${id}`}>{name}</a>,
            <EmailLink address={email} />,
            ROLES.find(({ value }) => value === role)?.label ?? role,
            loginCell(id, loginOf(id), ctx.clock.now()),
            <Disclosure label="Remove">
              <p>Their upcoming bookings become unassigned, and their calendars and their log-in end.</p>
              <ActionButton
                session={by.session}
                action={`${PATH}/${id}/delete`}
                label={`Remove ${name}`}
                look="danger"
              />
            </Disclosure>,
          ])}
        />
      )}
      <Pager path={PATH} meta={meta} />
      <p class="hint">
        {others.length === 0 ? 'Only members log in to this business.' : `As owner logs in: ${others.join(', ')}.`}
      </p>
      <Disclosure label="Add a member" isOpen={formState !== EMPTY_FORM || members.length === 0}>
        {memberForm(by.session, { formState, idempotencyKey: ctx.ids.uuid() })}
      </Disclosure>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Team', content, styles: ['console.css'] }, formStatus(formState))
}

const loginCell = (id: string, login: Login | undefined, now: Date): VNode =>
  login ? (
    <>
      {login.proRole} {loginBadge(login, now)}
    </>
  ) : (
    <a href={`${PATH}/${id}`}>Give log-in</a>
  )

const memberForm = (
  by: Session,
  { formState, idempotencyKey }: { formState: FormState; idempotencyKey: string },
): VNode => (
  <Form of={MemberForm} action={PATH} isNarrow session={by} idempotencyKey={idempotencyKey} formState={formState}>
    <Fields of={MemberForm} />
    <Button>Add member</Button>
  </Form>
)
