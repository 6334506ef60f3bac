// The list of a pro's bookings: upcoming ones first, filtered by the action they need or by a search.
import type { BookingView, ProBooking } from '../../../features/booking/bookings/schemas.ts'
import type { PageMeta } from '../../../platform/schema/paging.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { phoneLink } from '../../ui/links.ts'
import { emptyState, pageHeading, pager, table, tabs } from '../../ui/parts.ts'
import { searchForm } from '../search-form.ts'
import { BOOKINGS_PATH as PATH, stateOf, visitPrice, visitStart } from './visit.ts'

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

export function bookingListView({ bookings, meta, view, text }: BookingList): Html {
  const empty = VIEWS.find(({ value }) => value === view)?.empty ?? ''
  return html`
    ${pageHeading('Bookings', html`<a href="${BLOCKED_PATH}">Blocked customers</a>`)}
    ${searchForm({ path: PATH, label: 'Search bookings', hint: 'Name, phone, e-mail or code', text, fields: { show: text === '' ? 'all' : view } })}
    ${tabs(
      'Bookings',
      { path: PATH, parameter: 'show', chosen: view === 'upcoming' ? '' : view },
      VIEWS.map(({ value, label }) => ({ value: value === 'upcoming' ? '' : value, label })),
    )}
    ${bookings.length > 0 && bookingTable(bookings)}
    ${
      bookings.length === 0 &&
      (text === ''
        ? emptyState('No bookings here', empty)
        : emptyState(
            `No booking matches “${text}”`,
            html`Try a part of the name. <a href="${PATH}?show=all">All bookings</a>`,
          ))
    }
    ${pager(PATH, meta, { show: view, ...(text === '' ? {} : { q: text }) }, ['← Before', 'More →'])}
  `
}

export const bookingTable = (bookings: readonly ProBooking[]): Html =>
  table(
    'Bookings',
    ['When', 'Customer', 'Service', 'Price', 'Assigned to', 'Status'],
    bookings.map((booking) => [
      html`<div><a href="${PATH}/${booking.id}">${visitStart(booking)}</a></div>`,
      html`<div>
        ${booking.customer.name}${booking.customerPhone && html`<br />${phoneLink(booking.customerPhone)}`}
      </div>`,
      booking.package?.name ?? booking.service.name,
      visitPrice(booking),
      booking.assignedTo?.name ?? '–',
      html`<div>${stateOf(booking)}</div>`,
    ]),
  )
