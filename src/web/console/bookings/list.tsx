/** @jsxImportSource preact */
// The list of a pro's bookings: upcoming ones first, filtered by the action they need or by a search.
import { type Permitted, mayOpen } from '../../../auth/users/rules/permissions.ts'
import type { BookingView, ProBooking } from '../../../features/booking/bookings/schemas.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import type { VNode } from 'preact'
import { LinkButton } from '../../ui/buttons.tsx'
import { PhoneLink } from '../../ui/links.tsx'
import { EmptyState, Pager, Tabs } from '../../ui/lists.tsx'
import { PageHeading } from '../../ui/headings.tsx'
import { Table } from '../../ui/table.tsx'
import { searchForm } from '../search-form.tsx'
import { BOOKINGS_PATH as PATH, NEW_BOOKING_PATH, stateOf, visitPrice, visitStart } from './visit.tsx'

export const BLOCKED_PATH = '/console/blocked-customers'

const VIEWS: readonly { value: BookingView; label: string; empty: string }[] = [
  { value: 'upcoming', label: 'Upcoming', empty: 'New bookings from customers appear here, the next one first.' },
  { value: 'to_confirm', label: 'To confirm', empty: 'Bookings that wait for your answer appear here.' },
  { value: 'unpaid', label: 'Waiting for payment', empty: 'Bookings whose customers still have to pay appear here.' },
  { value: 'past', label: 'Past', empty: 'Visits that are over appear here.' },
  { value: 'cancelled', label: 'Cancelled', empty: 'Cancelled and rejected bookings appear here.' },
  { value: 'all', label: 'All', empty: 'Bookings from customers appear here.' },
]

export interface BookingList {
  bookings: readonly ProBooking[]
  meta: PageMeta
  view: BookingView
  text: string
}

export function bookingListView(session: Permitted, { bookings, meta, view, text }: BookingList): VNode {
  const empty = VIEWS.find(({ value }) => value === view)?.empty ?? ''
  return (
    <>
      <PageHeading
        beside={
          <>
            {mayOpen(session, NEW_BOOKING_PATH) && <LinkButton href={NEW_BOOKING_PATH}>New booking</LinkButton>}{' '}
            {mayOpen(session, BLOCKED_PATH) && <a href={BLOCKED_PATH}>Blocked customers</a>}
          </>
        }
      >
        Bookings
      </PageHeading>
      {searchForm({
        path: PATH,
        label: 'Search bookings',
        hint: 'Name, phone, e-mail or code',
        text,
        fields: { show: text === '' ? 'all' : view },
      })}
      <Tabs
        label="Bookings"
        path={PATH}
        parameter="show"
        chosen={view === 'upcoming' ? '' : view}
        choices={VIEWS.map(({ value, label }) => ({ value: value === 'upcoming' ? '' : value, label }))}
      />
      {bookings.length > 0 && bookingTable(bookings)}
      {bookings.length === 0 &&
        (text === '' ? (
          <EmptyState title="No bookings here">{empty}</EmptyState>
        ) : (
          <EmptyState title={`No booking matches “${text}”`}>
            Try a part of the name. <a href={`${PATH}?show=all`}>All bookings</a>
          </EmptyState>
        ))}
      <Pager
        path={PATH}
        meta={meta}
        query={{ show: view, ...(text === '' ? {} : { q: text }) }}
        words={['← Before', 'More →']}
      />
    </>
  )
}

export const bookingTable = (bookings: readonly ProBooking[]): VNode => (
  <Table
    caption="Bookings"
    columns={['When', 'Customer', 'Service', 'Price', 'Assigned to', 'Status']}
    rows={bookings.map((booking) => [
      <div>
        <a href={`${PATH}/${booking.id}`}>{visitStart(booking)}</a>
      </div>,
      <div>
        {booking.customer.name}
        {booking.customerPhone && (
          <>
            <br />
            <PhoneLink phone={booking.customerPhone} />
          </>
        )}
      </div>,
      booking.package?.name ?? booking.service.name,
      visitPrice(booking),
      booking.assignedTo?.name ?? '–',
      <div>{stateOf(booking)}</div>,
    ])}
  />
)
