// /console/team: the people to whom a pro assigns bookings.
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { MemberParams, NewMember } from '../../features/business/members/schemas.ts'
import { addMember, listTeam, removeMember } from '../../features/business/members/verbs.ts'
import { guard } from '../../http/guard.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { type Html, html } from '../../platform/text/html.ts'
import {
  type FormState,
  EMPTY_FORM,
  actionButton,
  csrfField,
  disclosure,
  formStatus,
  idempotencyField,
  idempotencyOfForm,
  problemBox,
  selectField,
  textField,
} from '../ui/forms.ts'
import { emailLink } from '../ui/links.ts'
import { emptyState, pageHeading, pager, table } from '../ui/parts.ts'
import { redirectWithFlash, renderConsolePage } from '../ui/responses.ts'
import { runAction, submitForm } from '../ui/submit.ts'

const PATH = '/console/team'
const session = ['pro'] as const

const ROLES = [
  { value: 'crew', label: 'Crew' },
  { value: 'manager', label: 'Manager' },
  { value: 'office', label: 'Office' },
]

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
          NewMember,
          by.form,
          async (input) => {
            const value = await addMember(ctx.as(actingProOf(by), idempotencyOfForm(by.form)), input)
            const text = `${value.member.name} is on your team. You can assign bookings to them.`
            return redirectWithFlash(ctx, by.session, PATH, { tone: 'good', text })
          },
          (formState) => renderTeam(ctx, by, {}, formState),
        )
      },
      { session, form: NewMember },
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
  const content = html`
    ${pageHeading('Team')}
    <p class="lead">
      The people who do the work. Assign bookings to them; each can have a
      <a href="/console/settings">calendar of their own</a>.
    </p>
    ${
      members.length === 0
        ? emptyState('No members yet', 'Add the people to whom you assign bookings.')
        : table(
            'Team',
            ['Name', 'E-mail', 'Role', ''],
            members.map(({ id, name, email, role }) => [
              name,
              emailLink(email),
              ROLES.find(({ value }) => value === role)?.label ?? role,
              disclosure(
                'Remove',
                html`<p>Their upcoming bookings become unassigned, and their calendars end.</p>
                  ${actionButton(by.session, { action: `${PATH}/${id}/delete`, label: `Remove ${name}`, tone: 'danger' })}`,
              ),
            ]),
          )
    }
    ${pager(PATH, meta)}
    ${disclosure('Add a member', memberForm(by.session, { formState, idempotencyKey: ctx.ids.uuid() }), {
      isOpen: formState !== EMPTY_FORM || members.length === 0,
    })}
  `
  return renderConsolePage(ctx, by, { title: 'Team', content, styles: ['console.css'] }, formStatus(formState))
}

const memberForm = (
  by: Session,
  { formState, idempotencyKey }: { formState: FormState; idempotencyKey: string },
): Html =>
  html`<form method="post" action="${PATH}" class="narrow-form">
    ${csrfField(by)} ${idempotencyField(idempotencyKey)} ${problemBox(formState)}
    ${textField({ name: 'name', label: 'Name', maxLength: 200, formState })}
    ${textField({ name: 'email', label: 'E-mail address', type: 'email', maxLength: 320, formState })}
    ${selectField({ name: 'role', label: 'Role', choices: ROLES, formState })}
    <button>Add member</button>
  </form>`
