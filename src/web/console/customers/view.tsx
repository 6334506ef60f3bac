/** @jsxImportSource preact */
// A customer for operators: who it is, what there is of them, notes, and the block of the whole marketplace.
import type { ComponentChildren, VNode } from 'preact'

import { type CustomerRecord, LISTED } from '../../../features/customers/operator-customers/verbs.ts'
import { isPseudonym } from '../../../features/customers/privacy/rules/pseudonym.ts'
import { kindInWords } from '../../../features/messages/messages/kind-facts.ts'
import { ACTS } from '../../../features/upkeep/audit/rules/acts-in-words.ts'
import type { Session } from '../../../http/session.ts'
import { FreeText, OneOf } from '../../../platform/schema/types.ts'
import { dateTimeText, localDateTime, money, plural } from '../../../platform/text/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonRow } from '../../ui/buttons.tsx'
import { Fields, defineForm } from '../../ui/define-form.tsx'
import { ActionForm, type FormState, ProblemBox } from '../../ui/form.tsx'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { EmailLink, PhoneLink } from '../../ui/links.tsx'
import { DetailList, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { BOOKINGS_PATH } from '../bookings/visit.tsx'
import { MAIL_PATH } from '../mail/view.tsx'
import { searchPath } from '../operator-search.tsx'
import { PAYMENTS_PATH } from '../payments/view.tsx'
import { VERIFICATION_PATH } from '../verification/view.tsx'
import { customerPath } from './path.ts'

export const CustomerForm = defineForm({
  action: { schema: OneOf(['note', 'block', 'unblock']) },
  reason: { schema: FreeText({ minLength: 1 }), label: 'Reason', rows: 3 },
})

interface CustomerPage {
  id: string
  customer: CustomerRecord
  formState: FormState
}

/** What the page is called. */
export const nameOf = ({ name, email }: CustomerRecord): string => name ?? email ?? 'Erased customer'

export function customerView(session: Session, { id, customer, formState }: CustomerPage): VNode {
  const { email, phone, since, block } = customer
  const isErased = email === null || isPseudonym(email)
  return (
    <>
      <PageHeading beside={block && <Badge tone="bad">Blocked</Badge>}>{nameOf(customer)}</PageHeading>
      <ProblemBox formState={formState} />
      {isErased ? (
        <p class="notice prose">
          This customer is erased. Nothing more is kept about them, and they cannot be told anything.
        </p>
      ) : (
        actsOf(session, { id, customer, formState })
      )}
      <DetailList
        pairs={[
          ['E-mail', !isErased && <EmailLink address={email} />],
          ['Phone', phone !== null && <PhoneLink phone={phone} />],
          ['Since', since !== null && <Time instant={since} />],
          ['Blocked since', block && <Time instant={block.since} />],
          ['Why', block && <span class="text">{block.reason}</span>],
        ]}
      />
      {notesOf(customer)}
      {workOf(customer)}
      {moneyAndMessagesOf(customer)}
      {blocksOf(customer)}
    </>
  )
}

function actsOf(session: Session, { id, customer: { block, bookings }, formState }: CustomerPage): VNode {
  const form = (action: 'note' | 'block' | 'unblock', label: string, content: VNode) => (
    <ActionForm
      of={CustomerForm}
      session={session}
      path={customerPath(id)}
      action={action}
      label={label}
      formState={formState}
    >
      {content}
    </ActionForm>
  )
  const reason = (row: string, more: { label: string; hint: string }) => (
    <Fields of={CustomerForm} names={['reason']} row={row} more={{ reason: more }} />
  )
  return (
    <ButtonRow>
      {form(
        'note',
        'Add a note',
        <>
          {reason('note', {
            label: 'Note',
            hint: 'Only operators see it. It is in the customer’s copy of their data.',
          })}
          <Button isSmall>Keep note</Button>
        </>,
      )}
      {block
        ? form(
            'unblock',
            'Unblock',
            <>
              {reason('unblock', {
                label: 'Reason',
                hint: 'For our log. The customer is told that they can book again.',
              })}
              <Button isSmall>Unblock customer</Button>
            </>,
          )
        : form(
            'block',
            'Block',
            <>
              <p class="prose">{consequencesOf(bookings)}</p>
              {reason('block', { label: 'Reason, which the customer reads', hint: 'Pros are not told.' })}
              <Button look="danger" isSmall>
                Block customer
              </Button>
            </>,
          )}
    </ButtonRow>
  )
}

/** What a block does, and what it leaves. */
function consequencesOf(bookings: CustomerRecord['bookings']): string {
  const open = bookings[0]?.open ?? 0
  const stays = open === 0 ? 'No visit is booked.' : `${plural(open, 'booking')} ${open === 1 ? 'stays' : 'stay'}.`
  return `With this e-mail address nothing new is booked, asked, reviewed or accepted with any pro. ${stays} The block outlasts an erasure of the customer.`
}

interface Listed {
  title: string
  columns: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
  /** Of all, where they may be more than the rows. */
  total?: number
  /** Of the customer, with which the search finds the others. */
  email: string | null
}

/** The latest ones. */
const listOf = ({ title, columns, rows, total = rows.length, email }: Listed): VNode | null =>
  rows.length === 0 ? null : (
    <Section title={title}>
      <Table
        caption={total > rows.length ? `The latest ${rows.length} of ${total}` : 'Newest first'}
        columns={[...columns]}
        rows={rows.map((row) => [...row])}
      />
      {total > rows.length && email !== null && (
        <p>
          <a href={searchPath(email)}>Search for older ones</a>
        </p>
      )}
    </Section>
  )

const proLink = ({ professionalId, businessName }: { professionalId: string; businessName: string }): VNode => (
  <a href={`${VERIFICATION_PATH}/${professionalId}`}>{businessName}</a>
)

const stateOf = (status: string): string => status.replaceAll('_', ' ')

const notesOf = ({ actions, email }: CustomerRecord): VNode | null =>
  listOf({
    title: 'Notes and blocks of operators',
    columns: ['When', 'What', 'Words', 'By'],
    rows: actions.map(({ at, action, reason, by }) => [
      <Time instant={at} />,
      ACTS[action],
      reason,
      by ?? 'Command line',
    ]),
    email,
  })

const workOf = ({ bookings, requests, reviews, email }: CustomerRecord): VNode => (
  <>
    {bookings.length + requests.length + reviews.length === 0 && <p>No booking, request or review.</p>}
    {listOf({
      title: 'Bookings',
      columns: ['Code', 'Visit', 'Pro', 'Status'],
      rows: bookings.map((booking) => [
        <a href={`${BOOKINGS_PATH}/${booking.id}`}>{booking.code}</a>,
        `${booking.service}, ${localDateTime(booking.startsAt, booking.timeZone)}`,
        proLink(booking),
        stateOf(booking.status),
      ]),
      total: bookings[0]?.total ?? 0,
      email,
    })}
    {listOf({
      title: 'Requests for quotes',
      columns: ['Asked', 'Service', 'Pro', 'Status'],
      rows: requests.map((request) => [
        dateTimeText(request.createdAt),
        request.service ?? '–',
        proLink(request),
        stateOf(request.status),
      ]),
      total: requests[0]?.total ?? 0,
      email,
    })}
    {listOf({
      title: 'Reviews',
      columns: ['Sent', 'Stars', 'Pro', 'Status'],
      rows: reviews.map((review) => [
        dateTimeText(review.createdAt),
        review.rating,
        proLink(review),
        stateOf(review.status),
      ]),
      total: reviews[0]?.total ?? 0,
      email,
    })}
  </>
)

const moneyAndMessagesOf = ({ payments, messages, email }: CustomerRecord): VNode => (
  <>
    {listOf({
      title: 'Payments',
      columns: ['Payment', 'Pro', 'Status', 'Amount', 'Refunded'],
      rows: payments
        .slice(0, LISTED)
        .map((payment) => [
          <a href={`${PAYMENTS_PATH}/${payment.id}`}>{payment.title}</a>,
          proLink(payment),
          stateOf(payment.status),
          money(payment.amountCents / 100),
          payment.refundedCents === 0 ? '–' : money(payment.refundedCents / 100),
        ]),
      total: payments.length,
      email,
    })}
    {listOf({
      title: 'Messages',
      columns: ['Message', 'Planned', 'Status'],
      rows: messages.map(({ id, kind, createdAt, status }) => [
        <a href={`${MAIL_PATH}/${id}`}>{kindInWords(kind)}</a>,
        dateTimeText(createdAt),
        status,
      ]),
      total: messages[0]?.total ?? 0,
      email,
    })}
  </>
)

const blocksOf = ({ blocks, email }: CustomerRecord): VNode | null =>
  listOf({
    title: 'Blocked by pros',
    columns: ['Pro', 'Since'],
    rows: blocks.map((block) => [proLink(block), <Time instant={block.createdAt} />]),
    total: blocks[0]?.total ?? 0,
    email,
  })
