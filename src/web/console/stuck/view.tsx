/** @jsxImportSource preact */
// The view of what is stuck, in three parts.
import type { ComponentChildren, VNode } from 'preact'

import { mayOpen } from '../../../auth/users/rules/permissions.ts'
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import type { ListedLetter } from '../../../features/upkeep/dead-letters/verbs.ts'
import { errorInWords, workInWords } from '../../../features/upkeep/dead-letters/rules/in-words.ts'
import { type StuckCounts, UNDELIVERED_DAYS, type UndeliveredMessage } from '../../../features/upkeep/stuck/verbs.ts'
import type { Session } from '../../../http/session.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { capitalized, count, plural } from '../../../platform/text/format.ts'
import { EVENTS } from '../../../webhooks/endpoints/events.ts'
import type { FailingEndpoint } from '../../../webhooks/endpoints/verbs/failing-endpoints.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonRow, LinkButton } from '../../ui/buttons.tsx'
import { ActionButton } from '../../ui/form.tsx'
import { BackLink, PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState, Pager } from '../../ui/lists.tsx'
import { Metric } from '../../ui/metrics.tsx'
import { PermittedLink } from '../../ui/permitted.tsx'
import { Table } from '../../ui/table.tsx'
import { ExactTime, Time } from '../../ui/time.tsx'
import { BOOKINGS_PATH } from '../bookings/visit.tsx'
import { MAIL_PATH } from '../mail/view.tsx'
import { VERIFICATION_PATH } from '../verification/view.tsx'

export const STUCK_PATH = '/console/stuck'
export const LETTERS_PATH = `${STUCK_PATH}/letters`
const MAX_COUNTED = 1000

export const PARTS = ['endpoints', 'messages', 'letters'] as const
export type Part = (typeof PARTS)[number]

interface List<Row> {
  rows: readonly Row[]
  meta: PageMeta
}

/** The lists of one part, or of all. */
export interface Shown {
  part: Part | undefined
  counts: StuckCounts
  endpoints: List<FailingEndpoint> | undefined
  messages: List<UndeliveredMessage> | undefined
  letters: List<ListedLetter> | undefined
  now: Date
}

export function stuckView(session: Session, { part, counts, endpoints, messages, letters, now }: Shown): VNode {
  const isClear = counts.endpoints + counts.messages + counts.letters === 0
  const lookedAt = <ExactTime instant={now.toISOString()} />
  return (
    <>
      {part !== undefined && <BackLink href={STUCK_PATH}>What is stuck</BackLink>}
      <PageHeading>What is stuck</PageHeading>
      {counts.retried > 0 && (
        <p class="notice wait">
          {plural(counts.retried, 'message was', 'messages were')} refused by the mail server for now and{' '}
          {counts.retried === 1 ? 'is' : 'are'} sent again without your help.{' '}
          <a href={`${MAIL_PATH}?status=pending`}>Waiting messages</a>
        </p>
      )}
      {isClear ? (
        <EmptyState title="All is well">
          No webhook endpoint fails, all messages of the last {UNDELIVERED_DAYS} days arrived, and no event or task was
          given up. Looked at {lookedAt}. <a href={MAIL_PATH}>All messages</a>
        </EmptyState>
      ) : (
        <p class="lead">What does not go on without your help, as of {lookedAt}.</p>
      )}
      {!isClear && endpoints && endpointsPart(session, endpoints)}
      {!isClear && messages && messagesPart(session, messages)}
      {!isClear && letters && lettersPart(session, letters)}
    </>
  )
}

/** A part with its rows and pager, or what is well. */
function partOf<Row>(
  part: Part,
  title: string,
  { rows, meta }: List<Row>,
  { well, table }: { well: string; table: ComponentChildren },
): VNode {
  return (
    <Section title={title} id={part}>
      {rows.length === 0 ? <p class="hint">{meta.offset === 0 ? well : 'There are no older ones.'}</p> : table}
      <Pager path={STUCK_PATH} meta={meta} query={{ part }} />
    </Section>
  )
}

const atMost = (value: number): string => (value >= MAX_COUNTED ? `${count(MAX_COUNTED)} or more` : count(value))

const endpointsPart = (session: Session, list: List<FailingEndpoint>): VNode =>
  partOf('endpoints', 'Webhook endpoints that fail', list, {
    well: 'No endpoint fails.',
    table: (
      <Table
        caption="Endpoints, the latest to fail first"
        columns={['Endpoint', 'Account', 'Failing since', 'Last answer', 'Waiting', 'Missed', '']}
        rows={list.rows.map((endpoint) => [
          <>
            {endpoint.name} <span class="quiet">{endpoint.host}</span>
          </>,
          endpoint.userId === null ? (
            endpoint.owner
          ) : (
            <PermittedLink session={session} href={`/console/users/${endpoint.userId}`}>
              {endpoint.owner}
            </PermittedLink>
          ),
          <div>
            <Time instant={endpoint.failingSince} /> {stateOf(endpoint)}
          </div>,
          lastAnswer(endpoint),
          atMost(endpoint.waiting),
          atMost(endpoint.missed),
          <ActionButton
            session={session}
            action={`${STUCK_PATH}/endpoints/${endpoint.id}`}
            label={endpoint.disabledReason === null ? 'Try now' : 'Resume'}
          />,
        ])}
      />
    ),
  })

const STATES = { gone: 'Turned off: it said it is gone', failing: 'Turned off after five days' } as const

const stateOf = ({ disabledReason }: FailingEndpoint): VNode =>
  disabledReason === null ? <Badge tone="wait">Tried again</Badge> : <Badge tone="bad">{STATES[disabledReason]}</Badge>

/** What each error without an answer means. Others are the name of a fault of the network. */
const NO_ANSWERS: Readonly<Record<string, string>> = {
  timeout: 'It did not answer in time.',
  too_large: 'Its answer was too long.',
  too_many_redirects: 'It led from one address to the next without an end.',
}

function lastAnswer({ lastStatus, lastError }: FailingEndpoint): string {
  if (lastStatus !== null) return `It answered with the status ${lastStatus}.`
  if (lastError === null) return 'No longer kept.'
  return NO_ANSWERS[lastError] ?? 'It could not be reached.'
}

const messagesPart = (session: Session, list: List<UndeliveredMessage>): VNode =>
  partOf('messages', 'Messages that did not arrive', list, {
    well: `All messages of the last ${UNDELIVERED_DAYS} days arrived.`,
    table: (
      <Table
        caption={`Messages of the last ${UNDELIVERED_DAYS} days, the latest first`}
        columns={['Message', 'To', 'Since', 'Why', '']}
        rows={list.rows.map((message) => [
          <a href={`${MAIL_PATH}/${message.id}`}>{kindInWords(message.kind)}</a>,
          message.recipient,
          <Time instant={message.finishedAt} />,
          message.outcome ?? 'It was given up.',
          messageButton(session, message),
        ])}
      />
    ),
  })

/** An address that bounced gets nothing until it works again; then each message can be sent. */
const messageButton = (session: Session, { id, recipient, hasBounced, isKept }: UndeliveredMessage): VNode =>
  hasBounced ? (
    <ActionButton
      session={session}
      action={`${MAIL_PATH}/${id}/lift`}
      label="The address works again"
      fields={{ email: recipient, reason: 'bounced' }}
    />
  ) : isKept ? (
    <ActionButton session={session} action={`${MAIL_PATH}/${id}/send`} label="Send now" />
  ) : (
    <span class="hint">It had a code, which is not kept: the recipient asks for another one.</span>
  )

function lettersPart(session: Session, list: List<ListedLetter>): VNode {
  const workers = Map.groupBy(list.rows, ({ actor }) => actor)
  return partOf('letters', 'Dead letters', list, {
    well: 'No event or task was given up.',
    table: (
      <>
        <p class="hint">Events and tasks that failed so often that the workers gave them up.</p>
        <Table
          caption="Dead letters, the latest first"
          columns={['What failed', 'About', 'Tried', 'First', 'Last', 'Last error', '']}
          rows={list.rows.map((letter) => [
            titleOf(letter),
            subjectOf(session, letter),
            plural(letter.attempts, 'time'),
            <Time instant={letter.firstFailedAt} />,
            <Time instant={letter.failedAt} />,
            errorInWords(letter.error),
            letterButtons(session, letter),
          ])}
        />
        <ButtonRow>
          {[...workers]
            .filter(([, { length }]) => length > 1)
            .map(([worker]) => (
              <ActionButton
                session={session}
                action={LETTERS_PATH}
                label={`Try all again: ${workInWords(worker)}`}
                fields={{ worker }}
              />
            ))}
        </ButtonRow>
      </>
    ),
  })
}

/** "Could not pass an event on: A booking was created". */
export const titleOf = ({ actor, eventType }: ListedLetter): string => {
  const event: string | undefined = eventType === null ? undefined : (EVENTS as Record<string, string>)[eventType]
  return capitalized(`could not ${workInWords(actor)}${event === undefined ? '' : `: ${event}`}`)
}

/** The pro and the booking, with their pages. */
export const subjectOf = (session: Session, letter: ListedLetter): VNode | null =>
  letter.professionalId === null ? null : (
    <>
      <PermittedLink session={session} href={`${VERIFICATION_PATH}/${letter.professionalId}`}>
        {letter.businessName}
      </PermittedLink>
      {letter.bookingId !== null && (
        <>
          , <a href={`${BOOKINGS_PATH}/${letter.bookingId}`}>the booking</a>
        </>
      )}
    </>
  )

const letterButtons = (session: Session, { id, retriedAt }: ListedLetter): VNode => (
  <ButtonRow>
    {retriedAt === null ? (
      <ActionButton session={session} action={`${LETTERS_PATH}/${id}`} label="Try again" />
    ) : (
      <Badge tone="wait">Being tried again</Badge>
    )}
    {mayOpen(session, `${LETTERS_PATH}/${id}/discard`) && (
      <LinkButton href={`${LETTERS_PATH}/${id}/discard`} look="quiet" isSmall>
        Discard
      </LinkButton>
    )}
  </ButtonRow>
)

/** Only what there is: an overview of a marketplace that runs well says nothing of it. */
export const stuckMetrics = ({ endpoints, messages, letters }: StuckCounts): VNode[] =>
  [
    { part: 'endpoints', value: endpoints, label: endpoints === 1 ? 'failing webhook' : 'failing webhooks' },
    { part: 'messages', value: messages, label: messages === 1 ? 'message not delivered' : 'messages not delivered' },
    { part: 'letters', value: letters, label: letters === 1 ? 'dead letter' : 'dead letters' },
  ].flatMap(({ part, value, label }) =>
    value === 0
      ? []
      : [
          <Metric label={label} href={`${STUCK_PATH}?part=${part}`}>
            {count(value)}
          </Metric>,
        ],
  )
