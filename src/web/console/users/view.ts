// The views of users: the list, and one user with the change history.
import type { PageMeta } from '../../../platform/schema/paging.ts'
import {
  type ListedUser,
  ROLES,
  type UserAction,
  type UserAccess,
  type UserChange,
  type UsersQuery,
} from '../../../auth/users/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { count, dateTime, plural } from '../../../platform/text/format.ts'
import {
  type FormState,
  EMPTY_FORM,
  actionButton,
  disclosure,
  problemBox,
  csrfField,
  selectField,
  textField,
} from '../../ui/forms.ts'
import { type Html, type HtmlValue, html } from '../../../platform/text/html.ts'
import {
  badge,
  buttonRow,
  emptyState,
  detailList,
  pageHeading,
  pager,
  section,
  table,
  backLink,
} from '../../ui/parts.ts'

const PATH = '/console/users'

interface UsersView {
  users: ListedUser[]
  meta: PageMeta
  query: UsersQuery
  /** The invitation form. */
  formState: FormState
  now: Date
}

export function userListView(session: Session, { users, meta, query, formState, now }: UsersView): Html {
  const { q = '', role = '', state = '' } = query
  const isFiltered = Boolean(q || role || state)
  return html`
    ${pageHeading('Users')} ${invitation(session, formState)} ${searchForm(query)}
    ${
      users.length === 0
        ? emptyState(
            isFiltered ? 'No users found' : 'No users',
            isFiltered ? html`<a href="${PATH}">Show all</a>` : 'Invite the first user above.',
          )
        : table(
            isFiltered ? `${plural(meta.total, 'user')} found` : plural(meta.total, 'user'),
            ['User', 'Role', 'Account', 'Last log-in', 'Status'],
            users.map((user) => rowOf(user, now)),
          )
    }
    ${pager(PATH, meta, { q, role, state }, ['← Previous', 'Next →'])}
  `
}

const rowOf = (user: ListedUser, now: Date): HtmlValue[] => [
  html`<a href="${PATH}/${user.id}">${user.email}</a>`,
  user.role,
  accountName(user),
  user.lastLoginAt === null ? 'Never' : dateTime(user.lastLoginAt),
  statusBadge(user, now),
]

const accountName = ({ businessName, account, email }: ListedUser): HtmlValue =>
  businessName ?? (account === null ? 'Marketplace' : account === email ? 'Own account' : account)

function statusBadge({ disabledAt, lastLoginAt, linkExpiresAt }: ListedUser, now: Date): Html {
  if (disabledAt !== null) return badge('Disabled', 'bad')
  if (lastLoginAt !== null) return badge('Active', 'good')
  const isInvited = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return isInvited ? badge('Invited', 'wait') : badge('Never logged in')
}

const searchForm = ({ q = '', role = '', state = '' }: UsersQuery): Html =>
  html`<form method="get" action="${PATH}" class="line" role="search">
    <p class="field">
      <label for="q">E-mail address or business</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" autocomplete="off" spellcheck="false" />
    </p>
    ${filter('role', 'Role', role, ROLES)} ${filter('state', 'Status', state, ['enabled', 'disabled'])}
    <button>Search</button>
  </form>`

const filter = (name: string, label: string, chosen: string, values: readonly string[]): Html =>
  html`<p class="field short">
    <label for="by-${name}">${label}</label>
    <select id="by-${name}" name="${name}">
      <option value="">Any</option>
      ${values.map((value) => html`<option ${value === chosen && html`selected`}>${value}</option>`)}
    </select>
  </p>`

const ROLE_LABELS = {
  operator: 'Operator: runs the marketplace',
  developer: 'Developer: keys, webhooks and usage of an account',
  pro: 'Pro: bookings, leads and keys of a pro',
} as const

const invitation = (session: Session, formState: FormState): Html =>
  disclosure(
    'Invite a user',
    html`<form method="post" action="${PATH}">
      ${csrfField(session)} ${problemBox(formState)}
      <div class="side-by-side">
        ${textField({ name: 'email', label: 'E-mail address', type: 'email', maxLength: 320, formState })}
        ${selectField({
          name: 'role',
          id: 'new-role',
          label: 'Role',
          value: 'developer',
          choices: ROLES.map((value) => ({ value, label: ROLE_LABELS[value] })),
          formState,
        })}
      </div>
      <div class="side-by-side">
        ${textField({ name: 'pro', label: 'Pro, by id or slug', isOptional: true, hint: 'Required for the role pro.', maxLength: 200, formState })}
        ${textField({
          name: 'account',
          label: 'Developer’s account',
          type: 'email',
          isOptional: true,
          hint: 'The e-mail address of an existing account. Leave empty to create a new one.',
          maxLength: 320,
          formState,
        })}
      </div>
      <button>Create link</button>
    </form>`,
    { isOpen: formState !== EMPTY_FORM },
  )

interface UserView {
  user: ListedUser & UserAccess
  changes: UserChange[]
  now: Date
}

export function userView(session: Session, { user, changes, now }: UserView): Html {
  const { email, role, sessions, apps, linkExpiresAt } = user
  const hasLink = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return html`
    ${backLink('Users', PATH)} ${pageHeading(html`${email} ${statusBadge(user, now)}`)}
    ${detailList([
      ['Role', role],
      ['Account', accountName(user)],
      ['Created', dateTime(user.createdAt)],
      ['Last log-in', user.lastLoginAt === null ? 'Never' : dateTime(user.lastLoginAt)],
      ['Active sessions', count(sessions)],
      ['Connected apps', apps > 0 && count(apps)],
      ['Disabled', user.disabledAt !== null && dateTime(user.disabledAt)],
      ['Password link', hasLink && html`valid until ${dateTime(linkExpiresAt)}`],
    ])}
    ${buttonRow(actionsOf(session, user))}
    ${section('History', changes.length === 0 ? html`<p>No changes recorded.</p>` : history(changes))}
  `
}

function actionsOf(session: Session, { id, email, sessions, apps, disabledAt }: UserView['user']): Html {
  const pathOf = (action: string) => `${PATH}/${id}/${action}`
  const isSelf = id === session.userId
  const confirm = (label: string, warning: HtmlValue, action: string, button: string) =>
    disclosure(
      label,
      html`<p>${warning}</p>
        ${actionButton(session, { action: pathOf(action), label: button, tone: 'danger' })}`,
    )
  if (disabledAt !== null) return actionButton(session, { action: pathOf('enable'), label: 'Enable', tone: 'plain' })
  return html`
    ${!isSelf && actionButton(session, { action: pathOf('link'), label: 'Create a password link', tone: 'plain' })}
    ${
      sessions + apps > 0 &&
      confirm(
        'Log out everywhere',
        isSelf
          ? 'You will be logged out everywhere, including here.'
          : `${email} will have to log in again everywhere, and connect their apps again. API keys of the account keep working until they are revoked.`,
        'log-out',
        apps === 0
          ? `End ${plural(sessions, 'session')}`
          : `End ${plural(sessions, 'session')} and ${plural(apps, 'app')}`,
      )
    }
    ${!isSelf && confirm('Disable', `${email} will be logged out immediately and cannot log in. Their connected apps lose access for good; API keys of the account keep working.`, 'disable', 'Disable user')}
    ${isSelf && html`<p class="hint">This is you: <a href="/console/account">change your password</a>.</p>`}
  `
}

const ACTIONS: Record<UserAction, string> = {
  created: 'Created',
  disabled: 'Disabled',
  enabled: 'Enabled',
  logged_out: 'Logged out everywhere',
  link_made: 'Password link created',
  password_set: 'Password set',
}

const history = (changes: readonly UserChange[]): Html =>
  table(
    `Last ${plural(changes.length, 'change')}`,
    ['When', 'Change', 'By'],
    changes.map(({ at, action, by }) => [dateTime(at), ACTIONS[action], by ?? 'Command line']),
  )
