/** @jsxImportSource preact */
// /my: a customer's bookings, reviews to write and quote requests.
import { LinkButton } from '../ui/buttons.tsx'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import type { Booking } from '../../features/booking/bookings/schemas.ts'
import { listBookingsOfCustomer } from '../../features/booking/bookings/verbs/find-booking.ts'
import type { FinishedWork } from '../../features/customers/customers/schemas.ts'
import { listReviewableWork } from '../../features/customers/customers/verbs/finished-work.ts'
import { listReviewsOfCustomer } from '../../features/reviews/reviews/verbs/reviews.ts'
import { listRequestsOfCustomer } from '../../features/quoting/rfqs/verbs/follow-link.ts'
import type { Rfq } from '../../features/quoting/rfqs/schemas.ts'
import { type ForeignMaker, findForeignMakers } from '../../features/customers/customers/verbs/disown.ts'
import type { CustomerRequest, CustomerSession } from '../../http/customer-session.ts'
import { guard } from '../../http/guard.ts'
import type { PaymentDue } from '../../payments/schemas.ts'
import { findPaymentsDue } from '../../payments/verbs/payments.ts'
import { PageQuery } from '../../platform/schema/paging.ts'
import { statusBadge } from '../public/my-booking/view.tsx'
import { requestBadge } from '../public/quote-request/request-view.tsx'
import { datedVisitTime, longDay, money, shortMoney } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import type { Page } from '../ui/layout.tsx'
import { BackLink, Section } from '../ui/headings.tsx'
import { EmptyState, Pager, WholeList } from '../ui/lists.tsx'
import { renderCustomerPage } from '../ui/responses.tsx'
import { foreignMark } from './not-mine.tsx'
import { reviewRow } from './review-row.tsx'

/** How many future and how many past bookings the first page shows. */
const NEXT = 20
const LATEST = 5

export const customerPages = (deps: Deps) =>
  new Elysia({ name: 'customer-pages', prefix: '/my' })
    .use(guard(deps))
    .get(
      '',
      async function getOverview({ ctx, signedIn }) {
        return renderCustomerPage(ctx, signedIn, await overviewPage(ctx, signedIn.customer))
      },
      { customer: true },
    )
    .get(
      '/coming',
      async function getComingBookings({ ctx, signedIn, query }) {
        return await renderBookings(ctx, signedIn, 'coming', query)
      },
      { customer: true, query: PageQuery },
    )
    .get(
      '/earlier',
      async function getEarlierBookings({ ctx, signedIn, query }) {
        return await renderBookings(ctx, signedIn, 'earlier', query)
      },
      { customer: true, query: PageQuery },
    )
    .get(
      '/requests',
      async function getRequests({ ctx, signedIn, query }) {
        const { customer } = signedIn
        const { requests, meta } = await listRequestsOfCustomer(ctx.as(customer), query)
        const makers = await findForeignMakers(ctx, { kind: 'request', ids: idsOf(requests) })
        return renderCustomerPage(ctx, signedIn, {
          title: 'Quote requests',
          content: (
            <>
              <BackLink href="/my">My bookings</BackLink>
              <h1>Quote requests</h1>
              {requests.length > 0 ? (
                <WholeList
                  heading="From the newest on"
                  rows={requests.map((rfq) => requestRow({ customer, rfq, makers }))}
                />
              ) : (
                nothingYet
              )}
              <Pager path="/my/requests" meta={meta} />
            </>
          ),
        })
      },
      { customer: true, query: PageQuery },
    )

const nothingYet = (
  <EmptyState title="Nothing here yet">
    <a href="/">Find a pro</a>
  </EmptyState>
)

async function renderBookings(
  ctx: Ctx,
  signedIn: CustomerRequest,
  kind: 'coming' | 'earlier',
  query: PageQuery,
): Promise<Response> {
  const { customer } = signedIn
  const { bookings, meta } = await listBookingsOfCustomer(ctx.as(customer), { ...query, kind })
  const [due, makers] = await Promise.all([
    findPaymentsDue(ctx, { bookings: kind === 'coming' ? bookings : [] }),
    findForeignMakers(ctx, { kind: 'booking', ids: idsOf(bookings) }),
  ])
  const title = kind === 'coming' ? 'Bookings to come' : 'Earlier bookings'
  const rows = bookings.map((booking) => bookingRow({ customer, booking, makers, due: due.get(booking.id) }))
  return renderCustomerPage(ctx, signedIn, {
    title,
    content: (
      <>
        <BackLink href="/my">My bookings</BackLink>
        <h1>{title}</h1>
        {rows.length > 0 ? (
          <WholeList heading={kind === 'coming' ? 'From the next on' : 'From the latest on'} rows={rows} />
        ) : (
          nothingYet
        )}
        <Pager path={`/my/${kind}`} meta={meta} words={kind === 'coming' ? ['← Sooner', 'Later →'] : undefined} />
      </>
    ),
  })
}

async function overviewPage(ctx: Ctx, customer: CustomerSession): Promise<Page> {
  const [coming, earlier, requests, work, written] = await Promise.all([
    listBookingsOfCustomer(ctx.as(customer), { kind: 'coming', limit: NEXT }),
    listBookingsOfCustomer(ctx.as(customer), { kind: 'earlier', limit: LATEST }),
    listRequestsOfCustomer(ctx.as(customer), { limit: LATEST }),
    listReviewableWork(ctx.as(customer)),
    listReviewsOfCustomer(ctx.as(customer), { limit: LATEST }),
  ])
  const [due, makers, askers, authors] = await Promise.all([
    findPaymentsDue(ctx, { bookings: coming.bookings }),
    findForeignMakers(ctx, { kind: 'booking', ids: idsOf([...coming.bookings, ...earlier.bookings]) }),
    findForeignMakers(ctx, { kind: 'request', ids: idsOf(requests.requests) }),
    findForeignMakers(ctx, { kind: 'review', ids: idsOf(written.reviews) }),
  ])
  const rows = (bookings: readonly Booking[]) =>
    list(bookings.map((booking) => bookingRow({ customer, booking, makers, due: due.get(booking.id) })))
  return {
    title: 'My bookings',
    content: (
      <>
        <h1>My bookings</h1>
        <p class="quiet">Signed in as {customer.customerEmail}</p>
        {coming.bookings.length > 0 ? (
          <Section title="Coming up">
            {rows(coming.bookings)}
            {coming.meta.hasMore && allLink('/my/coming')}
          </Section>
        ) : (
          <EmptyState title="No bookings to come">
            <a href="/">Find a pro</a>
          </EmptyState>
        )}
        {work.length > 0 && <Section title="Reviews to write">{list(work.map(workRow))}</Section>}
        {requests.requests.length > 0 && (
          <Section title="Quote requests">
            {list(requests.requests.map((rfq) => requestRow({ customer, rfq, makers: askers })))}
            {requests.meta.hasMore && allLink('/my/requests')}
          </Section>
        )}
        {earlier.bookings.length > 0 && (
          <Section title="Earlier">
            {rows(earlier.bookings)}
            {earlier.meta.hasMore && allLink('/my/earlier')}
          </Section>
        )}
        <Section title="Your reviews">
          {written.reviews.length > 0 &&
            list(written.reviews.map((review) => reviewRow({ customer, review, maker: authors.get(review.id) })))}
          <p>
            <a href="/my/reviews">All reviews with your address</a>
          </p>
        </Section>
        <AccountSections />
      </>
    ),
  }
}

const list = (rows: readonly VNode[]): VNode => <ul class="offers">{rows}</ul>

const allLink = (href: string): VNode => (
  <p>
    <a href={href}>Show all</a>
  </p>
)

const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id)

interface Row {
  customer: CustomerSession
  /** Marks records that the customer did not make while signed in. */
  makers: ReadonlyMap<string, ForeignMaker>
}

const bookingRow = ({
  customer,
  booking,
  makers,
  due,
}: Row & { booking: Booking; due?: PaymentDue | undefined }): VNode => (
  <li>
    <div>
      <h3>
        <a href={`/my/bookings/${booking.id}`}>{booking.package?.name ?? booking.service.name}</a>
      </h3>
      <p class="quiet">
        {datedVisitTime(booking.scheduledDate, booking.scheduledTime)}, with {booking.professional.businessName}
      </p>
      {foreignMark({
        customer,
        kind: 'bookings',
        id: booking.id,
        businessName: booking.professional.businessName,
        maker: makers.get(booking.id),
      })}
    </div>
    <div class="price">
      {due && (
        <LinkButton href={new URL(due.payUrl).pathname} isSmall>
          Pay {shortMoney(due.amount)} now
        </LinkButton>
      )}{' '}
      {booking.proposedTime?.declinedAt === null && <span class="badge wait">New time proposed</span>}{' '}
      {statusBadge(booking)}
    </div>
  </li>
)

const requestRow = ({ customer, rfq, makers }: Row & { rfq: Rfq & { url: string } }): VNode => {
  const { id, url, professional, service, latestQuote, status, createdAt } = rfq
  const { businessName } = professional
  return (
    <li>
      <div>
        <h3>
          <a href={url}>
            {service?.name ?? 'A request'} from {professional.businessName}
          </a>
        </h3>
        <p class="quiet">
          Sent {longDay(createdAt)}
          {latestQuote && <>, quote of {money(latestQuote.amount)}</>}
        </p>
        {foreignMark({ customer, kind: 'requests', id, businessName, maker: makers.get(id) })}
      </div>
      <div class="price">{requestBadge(status, latestQuote?.status)}</div>
    </li>
  )
}

const workRow = ({ kind, id, serviceName, businessName, day }: FinishedWork): VNode => (
  <li>
    <div>
      <h3>
        {serviceName ?? 'Your job'} by {businessName}
      </h3>
      <p class="quiet">{longDay(day)}</p>
    </div>
    <div class="price">
      <LinkButton href={`/my/${kind}s/${id}/review`} label={`Write a review of ${businessName}`} isSmall>
        Write a review
      </LinkButton>
    </div>
  </li>
)

const AccountSections = (): VNode => (
  <>
    <Section title="Connected apps">
      <p>
        <a href="/my/apps">Assistants that can use your account</a>
      </p>
    </Section>
    <Section title="Your data">
      <p>
        <a href="/my/data">Get a copy of your data, or erase it</a>
      </p>
    </Section>
  </>
)
