// The views of messages: the list, and one message with what was sent.
import {
  type LoggedMessage,
  MESSAGE_STATUSES,
  type MessageStatus,
  type MessagesQuery,
} from '../../../features/messages/messages/schemas.ts'
import type { Suppression, ViewedMessage } from '../../../features/messages/messages/verbs/message-log.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { dateTime } from '../../../platform/text/format.ts'
import { type Html, type HtmlValue, html } from '../../../platform/text/html.ts'
import { actionButton } from '../../ui/forms.ts'
import {
  type Tone,
  backLink,
  badge,
  buttonRow,
  detailList,
  emptyState,
  pageHeading,
  pager,
  section,
  table,
} from '../../ui/parts.ts'
import { messageParts } from './html-document.ts'

export const MAIL_PATH = '/console/mail'

const STATUSES: Record<MessageStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  sent: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  suppressed: { label: 'Not wanted', tone: 'plain' },
  dropped: { label: 'Outdated', tone: 'plain' },
  joined: { label: 'In a digest', tone: 'plain' },
}

const statusOf = (status: MessageStatus): Html => badge(STATUSES[status].label, STATUSES[status].tone)

interface MessagesView {
  messages: LoggedMessage[]
  meta: PageMeta
  query: MessagesQuery
  /** Whether messages are kept here instead of sent. */
  isMailbox: boolean
}

export function messageListView({ messages, meta, query, isMailbox }: MessagesView): Html {
  const { recipient = '', status = '' } = query
  return html`
    ${pageHeading('Messages', html`<a href="${MAIL_PATH}/templates">Templates</a>`)}
    ${isMailbox && html`<p class="hint">MAIL_URL is not set: messages are kept here and are not sent.</p>`}
    ${searchForm(recipient, status)}
    ${
      messages.length === 0
        ? emptyState(
            'No messages',
            recipient || status
              ? html`<a href="${MAIL_PATH}">Show all</a>`
              : 'Bookings, quotes and sign-ins bring messages.',
          )
        : table('Messages, newest first', ['Message', 'To', 'Planned', 'Status'], messages.map(rowOf))
    }
    ${pager(MAIL_PATH, meta, { recipient, status })}
  `
}

const rowOf = ({ id, kind, recipient, sendAt, status, outcome }: LoggedMessage): HtmlValue[] => [
  html`<a href="${MAIL_PATH}/${id}">${kind}</a>`,
  recipient,
  dateTime(sendAt),
  html`<div>
    ${statusOf(status)} ${status !== 'sent' && outcome !== null && html`<span class="hint">${outcome}</span>`}
  </div>`,
]

const searchForm = (recipient: string, chosen: string): Html =>
  html`<form method="get" action="${MAIL_PATH}" class="line" role="search">
    <p class="field">
      <label for="recipient">Recipient’s e-mail address</label>
      <input
        id="recipient"
        name="recipient"
        type="search"
        value="${recipient}"
        maxlength="320"
        autocomplete="off"
        spellcheck="false"
      />
    </p>
    <p class="field short">
      <label for="status">Status</label>
      <select id="status" name="status">
        <option value="">Any</option>
        ${MESSAGE_STATUSES.map((status) => html`<option value="${status}" ${status === chosen && html`selected`}>${STATUSES[status].label}</option>`)}
      </select>
    </p>
    <button>Search</button>
  </form>`

export const messageView = (session: Session, { message, content, source, suppressions }: ViewedMessage): Html => html`
  ${backLink('Messages', MAIL_PATH)} ${pageHeading(message.kind, statusOf(message.status))}
  ${detailList([
    ['To', message.recipient],
    ['Planned for', dateTime(message.sendAt)],
    ['Attempts', message.attempts],
    ['Next attempt', message.nextAttemptAt && dateTime(message.nextAttemptAt)],
    ['Finished', message.finishedAt && dateTime(message.finishedAt)],
    ['Last answer', message.outcome],
    ['Source', source !== undefined && html`<a href="${MAIL_PATH}/${message.id}/source">As it was sent</a>`],
  ])}
  ${buttonRow(actionsOf(session, message, suppressions))}
  ${
    content
      ? messageParts(content, `${MAIL_PATH}/${message.id}/html`)
      : section(
          'Content',
          html`<p>
            ${message.isSecret ? 'It had a code or link for its recipient only, and is not kept.' : 'It is written when it is sent.'}
          </p>`,
        )
  }
`

const actionsOf = (
  session: Session,
  { id, status, outcome }: LoggedMessage,
  suppressions: readonly Suppression[],
): Html => html`
  ${
    (status === 'failed' || status === 'suppressed' || (status === 'pending' && outcome !== null)) &&
    actionButton(session, { action: `${MAIL_PATH}/${id}/send`, label: 'Send now', tone: 'plain' })
  }
  ${suppressions.map(({ email, reason }) =>
    actionButton(session, {
      action: `${MAIL_PATH}/${id}/lift`,
      label: reason === 'bounced' ? 'The address works again' : 'The recipient subscribes again',
      fields: { email, reason },
    }),
  )}
`
