/** @jsxImportSource preact */
// /console/team: the people to whom a pro assigns bookings.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { MemberParams, NewMember } from '../../features/business/members/schemas.ts'
import { addMember, listTeam, removeMember } from '../../features/business/members/verbs.ts'
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

const PATH = '/console/team'
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
  const { members, meta } = await listTeam(ctx.as(actingProOf(by)), query)
  const content = (
    <>
      <PageHeading>Team</PageHeading>
      <p class="lead">
        The people who do the work. Assign bookings to them; each can have a{' '}
        <a href="/console/settings">calendar of their own</a>.
      </p>
      {members.length === 0 ? (
        <EmptyState title="No members yet">Add the people to whom you assign bookings.</EmptyState>
      ) : (
        <Table
          caption="Team"
          columns={['Name', 'E-mail', 'Role', '']}
          rows={members.map(({ id, name, email, role }) => [
            name,
            <EmailLink address={email} />,
            ROLES.find(({ value }) => value === role)?.label ?? role,
            <Disclosure label="Remove">
              <p>Their upcoming bookings become unassigned, and their calendars end.</p>
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
      <Disclosure label="Add a member" isOpen={formState !== EMPTY_FORM || members.length === 0}>
        {memberForm(by.session, { formState, idempotencyKey: ctx.ids.uuid() })}
      </Disclosure>
    </>
  )
  return renderConsolePage(ctx, by, { title: 'Team', content, styles: ['console.css'] }, formStatus(formState))
}

const memberForm = (
  by: Session,
  { formState, idempotencyKey }: { formState: FormState; idempotencyKey: string },
): VNode => (
  <Form of={MemberForm} action={PATH} isNarrow session={by} idempotencyKey={idempotencyKey} formState={formState}>
    <Fields of={MemberForm} />
    <Button>Add member</Button>
  </Form>
)
