// /my: a customer's bookings, reviews to write and quote requests.
import { Elysia } from 'elysia'

import type { CustomerCaller } from '../../auth/caller.ts'
import type { Deps } from '../../deps.ts'
import type { Booking } from '../../features/bookings/schemas.ts'
import { listBookingsOfCustomer } from '../../features/bookings/verbs/find-booking.ts'
import type { FinishedWork } from '../../features/customers/schemas.ts'
import { listReviewableWork } from '../../features/customers/verbs/finished-work.ts'
import { listRequestsOfCustomer } from '../../features/rfqs/verbs/follow-link.ts'
import type { Rfq } from '../../features/rfqs/schemas.ts'
import { guard } from '../../http/guard.ts'
import type { PaymentDue } from '../../payments/schemas.ts'
import { findPaymentsDue } from '../../payments/verbs/payments.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { statusBadge } from '../public/my-booking/view.ts'
import { requestBadge } from '../public/quote-request/request-view.ts'
import { datedVisitTime, longDay, money, shortMoney } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import type { Page } from '../ui/layout.ts'
import { backLink, emptyState, pager, section } from '../ui/parts.ts'
import { renderCustomerPage } from '../ui/responses.ts'

/** How many of the latest the first page shows. */
const LATEST = 5

export const customerPages = (deps: Deps) =>
  new Elysia({ name: 'customer-pages', prefix: '/my' })
    .use(guard(deps))
    .get(
      '',
      async function getOverview({ signedIn }) {
        return renderCustomerPage(deps, signedIn, await overviewPage(deps, signedIn.customer))
      },
      { customer: true },
    )
    .get(
      '/earlier',
      async function getEarlierBookings({ signedIn, query }) {
        const { earlier, meta } = await listBookingsOfCustomer(deps, signedIn.customer, query)
        return renderCustomerPage(deps, signedIn, {
          title: 'Earlier bookings',
          content: html`
            ${backLink('My bookings', '/my')}
            <h1>Earlier bookings</h1>
            ${earlier.length > 0 ? list(earlier.map((booking) => bookingRow(booking))) : nothingYet}
            ${pager('/my/earlier', meta)}
          `,
        })
      },
      { customer: true, query: PageQuery },
    )
    .get(
      '/requests',
      async function getRequests({ signedIn, query }) {
        const { requests, meta } = await listRequestsOfCustomer(deps, signedIn.customer, query)
        return renderCustomerPage(deps, signedIn, {
          title: 'Quote requests',
          content: html`
            ${backLink('My bookings', '/my')}
            <h1>Quote requests</h1>
            ${requests.length > 0 ? list(requests.map(requestRow)) : nothingYet} ${pager('/my/requests', meta)}
          `,
        })
      },
      { customer: true, query: PageQuery },
    )

const nothingYet = emptyState('Nothing here yet', html`<a href="/">Find a pro</a>`)

async function overviewPage(deps: Deps, customer: CustomerCaller): Promise<Page> {
  const [bookings, requests, work] = await Promise.all([
    listBookingsOfCustomer(deps, customer, { limit: LATEST }),
    listRequestsOfCustomer(deps, customer, { limit: LATEST }),
    listReviewableWork(deps, customer),
  ])
  const { coming, earlier } = bookings
  const due = await findPaymentsDue(deps, coming)
  return {
    title: 'My bookings',
    content: html`
      <h1>My bookings</h1>
      <p class="quiet">Signed in as ${customer.customerEmail}</p>
      ${
        coming.length > 0
          ? section('Coming up', list(coming.map((booking) => bookingRow(booking, due.get(booking.id)))))
          : emptyState('No bookings to come', html`<a href="/">Find a pro</a>`)
      }
      ${work.length > 0 && section('Reviews to write', list(work.map(workRow)))}
      ${
        requests.requests.length > 0 &&
        section(
          'Quote requests',
          html`${list(requests.requests.map(requestRow))} ${requests.meta.hasMore && allLink('/my/requests')}`,
        )
      }
      ${
        earlier.length > 0 &&
        section(
          'Earlier',
          html`${list(earlier.map((booking) => bookingRow(booking)))} ${bookings.meta.hasMore && allLink('/my/earlier')}`,
        )
      }
      ${section('Connected apps', html`<p><a href="/my/apps">Assistants that can use your account</a></p>`)}
      ${section('Your data', html`<p><a href="/my/data">Get a copy of your data, or erase it</a></p>`)}
    `,
  }
}

const list = (rows: readonly Html[]): Html =>
  html`<ul class="offers">
    ${rows}
  </ul>`

const allLink = (href: string): Html => html`<p><a href="${href}">Show all</a></p>`

const bookingRow = (booking: Booking, due?: PaymentDue): Html =>
  html`<li>
    <div>
      <h3>
        <a href="/my/bookings/${booking.id}">${booking.package?.name ?? booking.service.name}</a>
      </h3>
      <p class="quiet">
        ${datedVisitTime(booking.scheduledDate, booking.scheduledTime)}, with ${booking.professional.businessName}
      </p>
    </div>
    <div class="price">
      ${
        due &&
        html`<a class="button small" href="${new URL(due.payUrl).pathname}">Pay ${shortMoney(due.amount)} now</a>`
      }
      ${booking.proposedTime?.declinedAt === null && html`<span class="badge wait">New time proposed</span>`}
      ${statusBadge(booking)}
    </div>
  </li>`

const requestRow = ({ url, professional, service, latestQuote, status, createdAt }: Rfq & { url: string }): Html =>
  html`<li>
    <div>
      <h3><a href="${url}">${service?.name ?? 'A request'} from ${professional.businessName}</a></h3>
      <p class="quiet">Sent ${longDay(createdAt)}${latestQuote && html`, quote of ${money(latestQuote.amount)}`}</p>
    </div>
    <div class="price">${requestBadge(status, latestQuote?.status)}</div>
  </li>`

const workRow = ({ kind, id, serviceName, businessName, day }: FinishedWork): Html =>
  html`<li>
    <div>
      <h3>${serviceName ?? 'Your job'} by ${businessName}</h3>
      <p class="quiet">${longDay(day)}</p>
    </div>
    <div class="price">
      <a class="button small" href="/my/${kind}s/${id}/review" aria-label="Write a review of ${businessName}"
        >Write a review</a
      >
    </div>
  </li>`
