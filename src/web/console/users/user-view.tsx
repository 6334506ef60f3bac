/** @jsxImportSource preact */
// One user for operators: what there is to know, what can be done, and what was done.
import type { ComponentChildren, VNode } from 'preact'

import type { ListedUser, UserAccess, UserAction, UserChange } from '../../../auth/users/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { count, plural } from '../../../platform/text/format.ts'
import { Button, ButtonRow, Disclosure } from '../../ui/buttons.tsx'
import { Fields } from '../../ui/define-form.tsx'
import { ActionButton, Form } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import {
  OPERATOR_LABELS,
  OperatorRoleForm,
  USERS_PATH as PATH,
  RemoveFactorForm,
  accountName,
  roleOf,
  statusBadge,
} from './view.tsx'

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
          `${email} will be logged out immediately and cannot log in. ${user.role === 'operator' ? 'Their platform keys are refused until you enable them again.' : 'Their connected apps lose access for good; API keys of the account keep working.'}`,
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
