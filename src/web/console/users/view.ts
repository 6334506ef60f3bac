// How users are shown: the list of them, and one with what was done to them.
import type { PageMeta } from '../../../platform/schema/paging.ts'
import {
  type ListedUser,
  ROLES,
  type UserAction,
  type UserChange,
  type UsersQuery,
} from '../../../auth/users/schemas.ts'
import type { Session } from '../../../http/session.ts'
import { count, dateTime, plural } from '../../ui/format.ts'
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
import { type Html, type HtmlValue, html } from '../../ui/html.ts'
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
  /** Of the form that invites somebody. */
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
            isFiltered ? 'Nobody is found' : 'Nobody here',
            isFiltered ? html`<a href="${PATH}">Show all</a>` : 'Invite the first one above.',
          )
        : table(
            isFiltered ? `${plural(meta.total, 'user')} found` : plural(meta.total, 'user'),
            ['Who', 'Role', 'Account', 'Last here', 'State'],
            users.map((user) => rowOf(user, now)),
          )
    }
    ${pager(PATH, meta, { q, role, state }, ['← Back', 'On →'])}
  `
}

const rowOf = (user: ListedUser, now: Date): HtmlValue[] => [
  html`<a href="${PATH}/${user.id}">${user.email}</a>`,
  user.role,
  whoseOf(user),
  user.lastLoginAt === null ? 'Never' : dateTime(user.lastLoginAt),
  stateOf(user, now),
]

const whoseOf = ({ businessName, account, email }: ListedUser): HtmlValue =>
  businessName ?? (account === null ? 'The marketplace' : account === email ? 'Their own' : account)

/** Whether they can log in, and whether they ever did. */
function stateOf({ disabledAt, lastLoginAt, linkExpiresAt }: ListedUser, now: Date): Html {
  if (disabledAt !== null) return badge('Disabled', 'bad')
  if (lastLoginAt !== null) return badge('Active', 'good')
  const isInvited = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return isInvited ? badge('Invited', 'wait') : badge('Never here')
}

const searchForm = ({ q = '', role = '', state = '' }: UsersQuery): Html =>
  html`<form method="get" action="${PATH}" class="line" role="search">
    <p class="field">
      <label for="q">E-mail address or business</label>
      <input id="q" name="q" type="search" value="${q}" maxlength="200" autocomplete="off" spellcheck="false" />
    </p>
    ${filter('role', 'Role', role, ROLES)} ${filter('state', 'State', state, ['enabled', 'disabled'])}
    <button>Find</button>
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
    'Invite somebody',
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
        ${textField({ name: 'pro', label: 'Pro, by id or slug', isOptional: true, hint: 'Needed with the role pro.', maxLength: 200, formState })}
        ${textField({
          name: 'account',
          label: 'Developer’s account',
          type: 'email',
          isOptional: true,
          hint: 'Its e-mail address. Without it they get one of their own.',
          maxLength: 320,
          formState,
        })}
      </div>
      <button>Make the link</button>
    </form>`,
    { isOpen: formState !== EMPTY_FORM },
  )

interface UserView {
  user: ListedUser & { sessions: number }
  changes: UserChange[]
  now: Date
}

export function userView(session: Session, { user, changes, now }: UserView): Html {
  const { email, role, sessions, linkExpiresAt } = user
  const hasLink = linkExpiresAt !== null && Date.parse(linkExpiresAt) > now.getTime()
  return html`
    ${backLink('Users', PATH)} ${pageHeading(html`${email} ${stateOf(user, now)}`)}
    ${detailList([
      ['Role', role],
      ['Account', whoseOf(user)],
      ['Since', dateTime(user.createdAt)],
      ['Last here', user.lastLoginAt === null ? 'Never' : dateTime(user.lastLoginAt)],
      ['Logged in', sessions === 0 ? 'Nowhere' : plural(sessions, 'browser')],
      ['Disabled', user.disabledAt !== null && dateTime(user.disabledAt)],
      ['Link to choose a password', hasLink && html`until ${dateTime(linkExpiresAt)}`],
    ])}
    ${buttonRow(actionsOf(session, user))}
    ${section('What was done', changes.length === 0 ? html`<p>Nothing since this is written down.</p>` : history(changes))}
  `
}

function actionsOf(session: Session, { id, email, sessions, disabledAt }: UserView['user']): Html {
  const at = (verb: string) => `${PATH}/${id}/${verb}`
  const isSelf = id === session.userId
  const ask = (label: string, what: HtmlValue, verb: string, button: string) =>
    disclosure(
      label,
      html`<p>${what}</p>
        ${actionButton(session, { action: at(verb), label: button, tone: 'danger' })}`,
    )
  if (disabledAt !== null) return actionButton(session, { action: at('enable'), label: 'Enable', tone: 'plain' })
  return html`
    ${
      !isSelf && actionButton(session, { action: at('link'), label: 'Make a link to choose a password', tone: 'plain' })
    }
    ${
      sessions > 0 &&
      ask(
        'Log out everywhere',
        isSelf
          ? 'You are logged out in every browser, this one too.'
          : `${email} has to log in again in every browser.`,
        'log-out',
        `End ${plural(sessions, 'session')}`,
      )
    }
    ${!isSelf && ask('Disable', `${email} is logged out at once and cannot log in.`, 'disable', 'Disable the user')}
    ${isSelf && html`<p class="hint">This is you: <a href="/console/account">change your password</a>.</p>`}
  `
}

const ACTIONS: Record<UserAction, string> = {
  created: 'Made',
  disabled: 'Disabled',
  enabled: 'Enabled',
  logged_out: 'Logged out everywhere',
  link_made: 'Link to choose a password made',
  password_set: 'Password set',
}

const history = (changes: readonly UserChange[]): Html =>
  table(
    `The last ${count(changes.length)}`,
    ['When', 'What', 'By'],
    changes.map(({ at, action, by }) => [dateTime(at), ACTIONS[action], by ?? 'A terminal']),
  )
