/** @jsxImportSource preact */
// The views of messages: the list, and one message with what was sent.
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import {
  type LoggedMessage,
  MESSAGE_STATUSES,
  type MessageStatus,
  type MessagesQuery,
} from '../../../features/messages/messages/schemas.ts'
import type { Suppression, ViewedMessage } from '../../../features/messages/messages/verbs/message-log.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { Time } from '../../ui/time.tsx'
import type { ComponentChildren, VNode } from 'preact'
import { ActionButton } from '../../ui/form.tsx'
import { type Tone, Badge } from '../../ui/badge.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { ButtonRow } from '../../ui/buttons.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { messageParts } from './html-document.tsx'
import { SearchChoice, SearchLine } from '../search-form.tsx'

export const MAIL_PATH = '/console/mail'

const STATUSES: Record<MessageStatus, { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'wait' },
  sent: { label: 'Sent', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  suppressed: { label: 'Not wanted', tone: 'plain' },
  dropped: { label: 'Outdated', tone: 'plain' },
  joined: { label: 'In a digest', tone: 'plain' },
}

const statusOf = (status: MessageStatus): VNode => <Badge tone={STATUSES[status].tone}>{STATUSES[status].label}</Badge>

interface MessagesView {
  messages: LoggedMessage[]
  meta: PageMeta
  query: MessagesQuery
  /** Whether messages are kept here instead of sent. */
  isMailbox: boolean
}

export function messageListView({ messages, meta, query, isMailbox }: MessagesView): VNode {
  const { recipient = '', status = '' } = query
  return (
    <>
      <PageHeading beside={<a href={`${MAIL_PATH}/templates`}>Templates</a>}>Messages</PageHeading>
      {isMailbox && <p class="hint">MAIL_URL is not set: messages are kept here and are not sent.</p>}
      {searchForm(recipient, status)}
      {messages.length === 0 ? (
        <EmptyState title="No messages">
          {recipient || status ? <a href={MAIL_PATH}>Show all</a> : 'Bookings, quotes and sign-ins bring messages.'}
        </EmptyState>
      ) : (
        <Table
          caption="Messages, newest first"
          columns={['Message', 'To', 'Planned', 'Status']}
          rows={messages.map(rowOf)}
        />
      )}
      <Pager path={MAIL_PATH} meta={meta} query={{ recipient, status }} />
    </>
  )
}

const rowOf = ({ id, kind, recipient, sendAt, status, outcome }: LoggedMessage): ComponentChildren[] => [
  <a href={`${MAIL_PATH}/${id}`}>{kindInWords(kind)}</a>,
  recipient,
  <Time instant={sendAt} />,
  <div>
    {statusOf(status)} {status !== 'sent' && outcome !== null && <span class="hint">{outcome}</span>}
  </div>,
]

const searchForm = (recipient: string, chosen: string): VNode => (
  <SearchLine path={MAIL_PATH} name="recipient" label="Recipient’s e-mail address" text={recipient}>
    <SearchChoice
      name="status"
      label="Status"
      chosen={chosen}
      choices={MESSAGE_STATUSES.map((value) => ({ value, label: STATUSES[value].label }))}
    />
  </SearchLine>
)

export const messageView = (session: Session, { message, content, source, suppressions }: ViewedMessage): VNode => (
  <>
    <BackLink href={MAIL_PATH}>Messages</BackLink>
    <PageHeading beside={statusOf(message.status)}>{kindInWords(message.kind)}</PageHeading>
    <DetailList
      pairs={[
        ['To', message.recipient],
        ['Planned for', <Time instant={message.sendAt} />],
        ['Attempts', message.attempts],
        ['Next attempt', message.nextAttemptAt && <Time instant={message.nextAttemptAt} />],
        ['Finished', message.finishedAt && <Time instant={message.finishedAt} />],
        ['Last answer', message.outcome],
        ['Source', source !== undefined && <a href={`${MAIL_PATH}/${message.id}/source`}>As it was sent</a>],
      ]}
    />
    <ButtonRow>{actionsOf(session, message, suppressions)}</ButtonRow>
    {content ? (
      messageParts(content, `${MAIL_PATH}/${message.id}/html`)
    ) : (
      <Section title="Content">
        <p>
          {message.isSecret
            ? 'It had a code or link for its recipient only, and is not kept.'
            : 'It is written when it is sent.'}
        </p>
      </Section>
    )}
  </>
)

const actionsOf = (
  session: Session,
  { id, status, outcome }: LoggedMessage,
  suppressions: readonly Suppression[],
): VNode => (
  <>
    {(status === 'failed' || status === 'suppressed' || (status === 'pending' && outcome !== null)) && (
      <ActionButton session={session} action={`${MAIL_PATH}/${id}/send`} label="Send now" look="plain" />
    )}
    {suppressions.map(({ email, reason }) => (
      <ActionButton
        session={session}
        action={`${MAIL_PATH}/${id}/lift`}
        label={reason === 'bounced' ? 'The address works again' : 'The recipient subscribes again'}
        fields={{ email, reason }}
      />
    ))}
  </>
)
