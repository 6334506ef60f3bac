/** @jsxImportSource preact */
// The operators’ search: what was found, in groups, each row with the page that helps.
import type { Found, FoundBooking, FoundPro } from '../../features/upkeep/operator-search/verbs.ts'
import { FOUND_LIMIT } from '../../features/upkeep/operator-search/verbs.ts'
import { kindInWords } from '../../features/messages/messages/kind-facts.ts'
import { dateTimeText, localDateTime, money, plural } from '../../platform/text/format.ts'
import type { ComponentChildren, VNode } from 'preact'
import { Badge } from '../ui/badge.tsx'
import { Section } from '../ui/headings.tsx'
import { PhoneLink } from '../ui/links.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { Table } from '../ui/table.tsx'
import { byHandLink } from './bookings/by-hand-link.tsx'
import { BOOKINGS_PATH } from './bookings/visit.tsx'
import { customerPath } from './customers/path.ts'
import { MAIL_PATH } from './mail/view.tsx'
import { PAYMENTS_PATH } from './payments/view.tsx'
import { PermittedLink } from '../ui/permitted.tsx'
import type { Session } from '../../http/session.ts'
import { reviewsOfPath } from './reviews/filters.tsx'
import { VERIFICATION_PATH } from './verification/view.tsx'

export const SEARCH_PATH = '/console/search'

interface Group {
  title: string
  columns: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}

/** The groups that have a row. A link to the page that helps is in the first column. */
export function foundView(session: Session, { text, found }: { text: string; found: Found }): VNode {
  const groups = groupsOf(session, found).filter(({ rows }) => rows.length > 0)
  if (groups.length === 0)
    return (
      <EmptyState title={`Nothing matches “${text}”`}>
        Ask for the code in the message, or try a part of the name, the last four digits of the phone number, or the
        street.
      </EmptyState>
    )
  return (
    <>
      {groups.map(({ title, columns, rows }) => (
        <Section title={title}>
          <Table caption={title} columns={[...columns]} rows={rows.map((row) => [...row])} />
          {rows.length >= FOUND_LIMIT && (
            <p class="hint">There may be more than {plural(FOUND_LIMIT, 'row')}: add a word or more digits.</p>
          )}
        </Section>
      ))}
    </>
  )
}

export const searchPath = (text: string): string => `${SEARCH_PATH}?${new URLSearchParams({ q: text }).toString()}`
const phoneOf = (phone: string | null): ComponentChildren => (phone === null ? '–' : <PhoneLink phone={phone} />)

const visitOf = ({ startsAt, timeZone }: FoundBooking): string => localDateTime(startsAt, timeZone)

const groupsOf = (session: Session, found: Found): Group[] => [
  ...peopleOf(session, found),
  ...recordsOf(session, found),
]

/** Visits, and the people of them. */
const peopleOf = (session: Session, found: Found): Group[] => [
  {
    title: 'Bookings',
    columns: ['Code', 'Visit', 'Customer', 'Phone', 'Pro', 'Status'],
    rows: found.bookings.map((booking) => [
      <a href={`${BOOKINGS_PATH}/${booking.id}`}>{booking.code}</a>,
      <>
        {visitOf(booking)}
        <br />
        {booking.service}
      </>,
      booking.customerName,
      phoneOf(booking.customerPhone),
      booking.businessName,
      booking.status.replace('_', '-'),
    ]),
  },
  {
    title: 'Customers',
    columns: ['Name', 'E-mail', 'Phone'],
    rows: found.customers.map(({ id, name, email, phone }) => [
      <a href={customerPath(id)}>{name}</a>,
      email,
      phoneOf(phone),
    ]),
  },
  {
    title: 'Pros',
    columns: ['Business', 'Place', 'E-mail', 'Phone', 'Pages'],
    rows: found.pros.map((pro) => [
      pro.isTest ? (
        <>
          <a href={`/pros/${pro.slug}`}>{pro.businessName}</a> <Badge tone="wait">Test</Badge>
        </>
      ) : (
        <a href={`${VERIFICATION_PATH}/${pro.id}`}>{pro.businessName}</a>
      ),
      pro.place,
      pro.email,
      phoneOf(pro.phone),
      pagesOf(session, pro),
    ]),
  },
]

const pagesOf = (session: Session, { id, slug, isActive, isTest }: FoundPro): ComponentChildren =>
  isTest ? (
    'Only for the test keys of its developer'
  ) : (
    <>
      {isActive ? byHandLink(session, id, 'Book') : 'Not shown '}
      <a href={reviewsOfPath(slug)}>Reviews</a> {isActive && <a href={`/pros/${slug}`}>Public page</a>}
    </>
  )

/** What else there is of them. */
const recordsOf = (session: Session, found: Found): Group[] => [
  {
    title: 'Requests for quotes',
    columns: ['Customer', 'Service', 'Phone', 'Pro', 'Asked', 'Status'],
    rows: found.requests.map((request) => [
      <a href={customerPath(request.id)}>{request.customerName}</a>,
      request.service ?? '–',
      phoneOf(request.customerPhone),
      <a href={`${VERIFICATION_PATH}/${request.professionalId}`}>{request.businessName}</a>,
      dateTimeText(request.createdAt),
      request.status,
    ]),
  },
  {
    title: 'Payments',
    columns: ['Payment', 'Customer', 'Pro', 'Amount', 'Refunded'],
    rows: found.payments.map(({ id, title, customerName, businessName, amountCents, refundedCents }) => [
      <a href={`${PAYMENTS_PATH}/${id}`}>{title}</a>,
      customerName,
      businessName,
      money(amountCents / 100),
      refundedCents === 0 ? '–' : money(refundedCents / 100),
    ]),
  },
  {
    title: 'Messages',
    columns: ['Message', 'To', 'Planned', 'Status'],
    rows: found.messages.map(({ id, kind, recipient, createdAt, status }) => [
      <a href={`${MAIL_PATH}/${id}`}>{kindInWords(kind)}</a>,
      recipient,
      dateTimeText(createdAt),
      status,
    ]),
  },
  ...loginsOf(session, found),
]

/** Who logs in, and with which keys. */
const loginsOf = (session: Session, found: Found): Group[] => [
  {
    title: 'Users of the console',
    columns: ['E-mail', 'Role', 'Business', 'State'],
    rows: found.users.map(({ id, email, role, businessName, isDisabled }) => [
      <PermittedLink session={session} href={`/console/users/${id}`}>
        {email}
      </PermittedLink>,
      role,
      businessName ?? '–',
      isDisabled ? 'Disabled' : 'Active',
    ]),
  },
  {
    title: 'API keys',
    columns: ['Name', 'Key', 'Account', 'Last used', 'State'],
    rows: found.keys.map(({ name, mode, lastFour, account, userId, lastUsedAt, isRevoked, isExpired }) => [
      name,
      `${mode}, ends in ${lastFour}`,
      userId === null ? (
        account
      ) : (
        <PermittedLink session={session} href={`/console/users/${userId}`}>
          {account}
        </PermittedLink>
      ),
      lastUsedAt === null ? 'Never' : dateTimeText(lastUsedAt),
      isRevoked ? 'Revoked' : isExpired ? 'Expired' : 'Active',
    ]),
  },
]
