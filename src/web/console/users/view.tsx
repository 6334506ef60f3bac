/** @jsxImportSource preact */
// The views of users: the list, and one user with the change history.
import type { PageMeta } from '../../../platform/schema/paging.ts'
import {
  type ListedUser,
  PASSWORD_LENGTH,
  ROLES,
  type UserAction,
  type UserAccess,
  type UserChange,
  type UsersQuery,
} from '../../../auth/users/schemas.ts'
import { OPERATOR_ROLES, type OperatorRole } from '../../../auth/users/rules/operator-roles.ts'
import type { Session } from '../../../http/session.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Time } from '../../ui/time.tsx'
import { type FormState, EMPTY_FORM, ActionButton, Form } from '../../ui/form.tsx'
import { Disclosure, Button } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { Email, OneOf, Password, Text } from '../../../platform/schema/types.ts'
import { Type } from '@sinclair/typebox'
import type { ComponentChildren, VNode } from 'preact'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { PageHeading, Section, BackLink } from '../../ui/headings.tsx'
import { SearchChoice, SearchLine } from '../search-form.tsx'

const PATH = '/console/users'

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
const roleOf = ({ role, operatorRole, proRole }: ListedUser): string => {
  if (role !== 'pro') return operatorRole ?? role
  return proRole === null ? 'ended' : proRole === 'owner' ? role : proRole
}

const accountName = ({ businessName, account, email }: ListedUser): ComponentChildren =>
  businessName ?? (account === null ? 'Marketplace' : account === email ? 'Own account' : account)

function statusBadge({ disabledAt, lastLoginAt, linkExpiresAt }: ListedUser, now: Date): VNode {
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

const OPERATOR_LABELS: Record<OperatorRole, string> = {
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

interface UserView {
  user: ListedUser & UserAccess
  changes: UserChange[]
  now: Date
}

export function userView(session: Session, { user, changes, now }: UserView): VNode {
  const { email, operatorRole, sessions, apps, linkExpiresAt } = user
  const hasLink = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return (
    <>
      <BackLink href={PATH}>Users</BackLink>
      <PageHeading>
        {email} {statusBadge(user, now)}
      </PageHeading>
      <DetailList
        pairs={[
          ['Role', operatorRole === null ? roleOf(user) : OPERATOR_LABELS[operatorRole]],
          ['Account', accountName(user)],
          ['Created', <Time instant={user.createdAt} />],
          ['Last log-in', user.lastLoginAt === null ? 'Never' : <Time instant={user.lastLoginAt} />],
          ['Second factor', user.hasSecondFactor ? 'Set up' : 'Not set up'],
          ['Active sessions', count(sessions)],
          ['Connected apps', apps > 0 && count(apps)],
          ['Disabled', user.disabledAt !== null && <Time instant={user.disabledAt} />],
          [
            'Password link',
            hasLink && (
              <>
                valid until <Time instant={linkExpiresAt} />
              </>
            ),
          ],
        ]}
      />
      <ButtonRow>{actionsOf(session, user)}</ButtonRow>
      {user.hasSecondFactor && user.id !== session.userId && factorForm(session, user)}
      {user.proRole !== null && user.disabledAt === null && emailLink(user.id)}
      {operatorRole !== null && user.id !== session.userId && roleForm(session, user)}
      <Section title="History">{changes.length === 0 ? <p>No changes recorded.</p> : history(changes)}</Section>
    </>
  )
}

const emailLink = (id: string): VNode => (
  <p>
    <a href={`${PATH}/${id}/email`}>Change the address for a caller who lost the mailbox</a>
  </p>
)

const roleForm = (session: Session, { id, operatorRole }: UserView['user']): VNode => (
  <Section title="Change the role">
    <Form of={OperatorRoleForm} action={`${PATH}/${id}/role`} session={session} isNarrow>
      <p class="hint">It counts at once, wherever they are logged in.</p>
      <Fields of={OperatorRoleForm} values={{ operatorRole }} />
      <Button isSmall>Change role</Button>
    </Form>
  </Section>
)

const factorForm = (session: Session, { id, email }: UserView['user']): VNode => (
  <Section title="Remove the second factor">
    <Form of={RemoveFactorForm} action={`${PATH}/${id}/second-factor`} session={session} isNarrow>
      <p class="hint">
        For a person who has lost phone and recovery codes. Make sure that it is them who asks: {email} then logs in
        with the password only, and is told by e-mail.
      </p>
      <Fields of={RemoveFactorForm} />
      <Button isSmall look="danger">
        Remove the second factor
      </Button>
    </Form>
  </Section>
)

function actionsOf(session: Session, user: UserView['user']): VNode {
  const { id, email, sessions, apps, disabledAt } = user
  const pathOf = (action: string) => `${PATH}/${id}/${action}`
  const isSelf = id === session.userId
  const confirm = (label: string, warning: ComponentChildren, action: string, button: string) => (
    <Disclosure label={label}>
      <p>{warning}</p>
      <ActionButton session={session} action={pathOf(action)} label={button} look="danger" />
    </Disclosure>
  )
  if (user.role === 'pro' && user.proRole === null)
    return <p class="hint">An owner of the business ended this log-in. Its address is free for another.</p>
  if (disabledAt !== null)
    return <ActionButton session={session} action={pathOf('enable')} label="Enable" look="plain" />
  return (
    <>
      {!isSelf && (
        <ActionButton session={session} action={pathOf('link')} label="Create a password link" look="plain" />
      )}
      {sessions + apps > 0 &&
        confirm(
          'Log out everywhere',
          isSelf
            ? 'You will be logged out everywhere, including here.'
            : `${email} will have to log in again everywhere, and connect their apps again. API keys of the account keep working until they are revoked.`,
          'log-out',
          apps === 0
            ? `End ${plural(sessions, 'session')}`
            : `End ${plural(sessions, 'session')} and ${plural(apps, 'app')}`,
        )}
      {!isSelf &&
        confirm(
          'Disable',
          `${email} will be logged out immediately and cannot log in. Their connected apps lose access for good; API keys of the account keep working.`,
          'disable',
          'Disable user',
        )}
      {isSelf && (
        <p class="hint">
          This is you: <a href="/console/account">change your password</a>.
        </p>
      )}
    </>
  )
}

const ACTIONS: Record<UserAction, string> = {
  created: 'Created',
  disabled: 'Disabled',
  enabled: 'Enabled',
  logged_out: 'Logged out everywhere',
  link_made: 'Password link created',
  password_set: 'Password set',
  role_given: 'Role given',
  factor_set_up: 'Second factor set up',
  factor_removed: 'Second factor removed',
  recovery_codes_made: 'Recovery codes made',
  recovery_code_used: 'Recovery code used',
  email_changed: 'Address changed',
}

const history = (changes: readonly UserChange[]): VNode => (
  <Table
    caption={`Last ${plural(changes.length, 'change')}`}
    columns={['When', 'Change', 'By']}
    rows={changes.map(({ at, action, operatorRole, by }) => [
      <Time instant={at} />,
      operatorRole === null ? ACTIONS[action] : `${ACTIONS[action]}: ${operatorRole}`,
      by ?? 'Command line',
    ])}
  />
)
