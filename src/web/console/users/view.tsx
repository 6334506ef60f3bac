/** @jsxImportSource preact */
// The list of users, and the forms about one.
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { type ListedUser, PASSWORD_LENGTH, ROLES, type UsersQuery } from '../../../auth/users/schemas.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../../../auth/users/rules/operator-roles.ts'
import type { Session } from '../../../http/session.ts'
import { plural } from '../../../platform/text/format.ts'
import { Time } from '../../ui/time.tsx'
import { type FormState, EMPTY_FORM, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Email, OneOf, Password, Text } from '../../../platform/schema/types.ts'
import { Type } from '@sinclair/typebox'
import type { ComponentChildren, VNode } from 'preact'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { Table } from '../../ui/table.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { SearchChoice, SearchLine } from '../search-form.tsx'

export const USERS_PATH = '/console/users'
const PATH = USERS_PATH

interface UsersView {
  users: ListedUser[]
  meta: PageMeta
  query: UsersQuery
  /** The invitation form. */
  formState: FormState
  now: Date
}

export function userListView(session: Session, { users, meta, query, formState, now }: UsersView): VNode {
  const { q = '', role = '', state = '' } = query
  const isFiltered = Boolean(q || role || state)
  return (
    <>
      <PageHeading>Users</PageHeading>
      {invitation(session, formState)}
      {searchForm(query)}
      {users.length === 0 ? (
        <EmptyState title={isFiltered ? 'No users found' : 'No users'}>
          {isFiltered ? <a href={PATH}>Show all</a> : 'Invite the first user above.'}
        </EmptyState>
      ) : (
        <Table
          caption={isFiltered ? `${plural(meta.total, 'user')} found` : plural(meta.total, 'user')}
          columns={['User', 'Role', 'Account', 'Last log-in', 'Second factor', 'Status']}
          rows={users.map((user) => rowOf(user, now))}
        />
      )}
      <Pager path={PATH} meta={meta} query={{ q, role, state }} words={['← Previous', 'Next →']} />
    </>
  )
}

const rowOf = (user: ListedUser, now: Date): ComponentChildren[] => [
  <a href={`${PATH}/${user.id}`}>{user.email}</a>,
  roleOf(user),
  accountName(user),
  user.lastLoginAt === null ? 'Never' : <Time instant={user.lastLoginAt} />,
  user.hasSecondFactor ? 'Yes' : 'No',
  statusBadge(user, now),
]

/** A pro's owner is a pro; others have their own names. */
export const roleOf = ({ role, operatorRole, proRole }: ListedUser): string => {
  if (role !== 'pro') return operatorRole ?? role
  return proRole === null ? 'ended' : proRole === 'owner' ? role : proRole
}

export const accountName = ({ businessName, account, email }: ListedUser): ComponentChildren =>
  businessName ?? (account === null ? 'Marketplace' : account === email ? 'Own account' : account)

export function statusBadge({ disabledAt, lastLoginAt, linkExpiresAt }: ListedUser, now: Date): VNode {
  if (disabledAt !== null) return <Badge tone="bad">Disabled</Badge>
  if (lastLoginAt !== null) return <Badge tone="good">Active</Badge>
  const isInvited = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return isInvited ? <Badge tone="wait">Invited</Badge> : <Badge>Never logged in</Badge>
}

const asChoices = (values: readonly string[]) => values.map((value) => ({ value, label: value }))

const searchForm = ({ q = '', role = '', state = '' }: UsersQuery): VNode => (
  <SearchLine path={PATH} label="E-mail address or business" text={q}>
    <SearchChoice name="role" label="Role" chosen={role} choices={asChoices(ROLES)} />
    <SearchChoice name="state" label="Status" chosen={state} choices={asChoices(['enabled', 'disabled'])} />
  </SearchLine>
)

const ROLE_LABELS = {
  operator: 'Operator: runs the marketplace',
  developer: 'Developer: keys, webhooks and usage of an account',
  pro: 'Pro: bookings, leads and keys of a pro',
} as const

export const OPERATOR_LABELS: Record<OperatorRole, string> = {
  administrator: 'Administrator: everything',
  support: 'Support: looks everything up, moves and cancels bookings, sends messages again',
  moderation: 'Moderation: looks everything up, reviews, marks and pauses of pros',
  finance: 'Finance: looks everything up, refunds, plans and credits',
}

const OPERATOR_CHOICES = OPERATOR_ROLES.map((value) => ({ value, label: OPERATOR_LABELS[value] }))

/** Of an operator who is there. */
export const OperatorRoleForm = defineForm({
  operatorRole: { schema: OneOf(OPERATOR_ROLES), label: 'Operator’s role', choices: OPERATOR_CHOICES },
})

/** With the administrator's own password: with the link by e-mail, this gives access to the user's log-in. */
export const RemoveFactorForm = defineForm({
  password: {
    schema: Password({ maxLength: PASSWORD_LENGTH.max }),
    label: 'Your own password',
    autocomplete: 'current-password',
  },
})

export const InviteForm = defineForm(
  {
    email: { schema: Email(), label: 'E-mail address' },
    role: {
      schema: OneOf(ROLES),
      id: 'new-role',
      label: 'Role',
      choices: ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
    },
    operatorRole: {
      schema: Type.Optional(OneOf(OPERATOR_ROLES)),
      id: 'new-operator-role',
      label: 'Operator’s role',
      hint: 'Required for the role operator.',
      choices: [{ value: '', label: 'No operator' }, ...OPERATOR_CHOICES],
    },
    pro: { schema: Type.Optional(Text(200)), label: 'Pro, by id or slug', hint: 'Required for the role pro.' },
    account: {
      schema: Type.Optional(Email()),
      label: 'Developer’s account',
      hint: 'The e-mail address of an existing account. Leave empty to create a new one.',
    },
  },
  ({ role, operatorRole }) => ({
    operatorRole: role === 'operator' && operatorRole === undefined ? 'is required with the role operator' : undefined,
  }),
)

const invitation = (session: Session, formState: FormState): VNode => (
  <Disclosure label="Invite a user" isOpen={formState !== EMPTY_FORM}>
    <Form of={InviteForm} action={PATH} session={session} formState={formState}>
      <div class="side-by-side">
        <Fields of={InviteForm} names={['email', 'role', 'operatorRole']} values={{ role: 'developer' }} />
      </div>
      <div class="side-by-side">
        <Fields of={InviteForm} names={['pro', 'account']} />
      </div>
      <Button>Create link</Button>
    </Form>
  </Disclosure>
)
