/** @jsxImportSource preact */
// The first page of a pro: the next visit, the rest of today and tomorrow, and what needs an answer or a payment.
import type { Ctx } from '../../ctx.ts'
import type { ProBooking } from '../../features/booking/bookings/schemas.ts'
import { listVisits, searchBookings, sumDueNow } from '../../features/booking/bookings/verbs/pro-lists.ts'
import { listProposals } from '../../features/agents/proposals/verbs/proposals.ts'
import type { ListedLead } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { localDate } from '../../platform/clock/dates.ts'
import { ago, count, shortMoney, weekday } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { EmptyState } from '../ui/lists.tsx'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { hasStarted, visitCard, visitStart, visitTimes, BOOKINGS_PATH, stateOf } from './bookings/visit.tsx'
import { firstSteps } from './first-steps.tsx'
import { customerOf, requestOf } from './leads/view.tsx'
import { pausedNotice } from './pro-status.tsx'
import { searchForm } from './search-form.tsx'
import { businessTrends, readTrends } from './trends.tsx'

const FEW = { limit: 5 }

export async function todayView(ctx: Ctx, by: AuthenticatedRequest): Promise<VNode> {
  const pro = actingProOf(by)
  const now = ctx.clock.now()
  const analytics = await readTrends(ctx.as(pro))
  const { timezone } = analytics
  const today = localDate(now, timezone)
  const [visits, upcoming, toConfirm, due, leads, proposals] = await Promise.all([
    listVisits(ctx.as(pro), { from: today, days: 1 }),
    searchBookings(ctx.as(pro), { view: 'upcoming', ...FEW }),
    searchBookings(ctx.as(pro), { view: 'to_confirm', ...FEW }),
    sumDueNow(ctx.as(pro)),
    listLeads(ctx.as(pro), { status: 'new', ...FEW }),
    listProposals(ctx.as(pro), { status: 'open', limit: 1 }),
  ])
  const isStarted = (visit: ProBooking) => hasStarted(visit, now, timezone)
  const next = upcoming.bookings.find((visit) => visit.status === 'confirmed' && !isStarted(visit))
  const steps = upcoming.meta.total === 0 && (await firstSteps(ctx, pro))
  const others = visits.filter(({ id }) => id !== next?.id)
  return (
    <>
      {pausedNotice(by.session)}
      {searchForm({
        path: '/console/search',
        label: 'Search bookings, leads and customers',
        hint: 'Search bookings, leads and customers',
        text: '',
      })}
      <Metrics>
        {[
          <Metric label="to confirm" href={`${BOOKINGS_PATH}?show=to_confirm`}>
            {count(toConfirm.meta.total)}
          </Metric>,
          <Metric label={leads.meta.total === 1 ? 'new lead' : 'new leads'} href="/console/leads?status=new">
            {count(leads.meta.total)}
          </Metric>,
          <Metric label="waiting for payment" href={`${BOOKINGS_PATH}?show=unpaid`}>
            {shortMoney(due)}
          </Metric>,
          <Metric
            label={proposals.meta.total === 1 ? 'proposal to decide' : 'proposals to decide'}
            href="/console/proposals"
          >
            {count(proposals.meta.total)}
          </Metric>,
        ]}
      </Metrics>
      {steps}
      <Section title="Next visit">{nextVisit(by.session, next)}</Section>
      <Section title={`Today, ${weekday(today)}`}>
        {todaysVisits(by.session, others, { isStarted, hasNext: next?.scheduledDate === today })}
      </Section>
      {laterVisits(upcoming.bookings, next, today)}
      {toConfirm.bookings.length > 0 && (
        <Section title="To confirm">{confirmList(by.session, toConfirm.bookings)}</Section>
      )}
      {leads.rfqs.length > 0 && <Section title="New leads">{leadList(leads.rfqs, now)}</Section>}
      {businessTrends(analytics)}
    </>
  )
}

const nextVisit = (session: Session, next: ProBooking | undefined): VNode =>
  next ? (
    <div class="next">
      {visitCard(session, next, {
        hasStarted: false,
        heading: (
          <>
            {weekday(next.scheduledDate)}, {visitTimes(next)}
          </>
        ),
      })}
    </div>
  ) : (
    <EmptyState title="No visit ahead">
      Customers book within your hours. <a href="/console/settings">Check your booking settings</a>
    </EmptyState>
  )

function todaysVisits(
  session: Session,
  visits: readonly ProBooking[],
  { isStarted, hasNext }: { isStarted: (visit: ProBooking) => boolean; hasNext: boolean },
): VNode {
  if (visits.length === 0)
    return <p class="quiet">{hasNext ? 'The next visit is the only one today.' : 'No visits today.'}</p>
  return <div class="visits">{visits.map((visit) => visitCard(session, visit, { hasStarted: isStarted(visit) }))}</div>
}

function laterVisits(upcoming: readonly ProBooking[], next: ProBooking | undefined, today: string): VNode {
  const later = upcoming.filter(({ id, scheduledDate }) => id !== next?.id && scheduledDate > today)
  const week = (
    <p>
      <a href="/console/calendar">See the week</a>
    </p>
  )
  if (later.length === 0) return week
  return (
    <Section title="Then">
      <ul class="plain-list">
        {later.map((visit) => (
          <li>
            <a href={`${BOOKINGS_PATH}/${visit.id}`}>{visitStart(visit)}</a>: {visit.service.name} for{' '}
            {visit.customer.name} {visit.status !== 'confirmed' && stateOf(visit)}
          </li>
        ))}
      </ul>
      {week}
    </Section>
  )
}

const confirmList = (session: Session, bookings: readonly ProBooking[]): VNode => (
  <div class="visits">
    {bookings.map((visit) =>
      visitCard(session, visit, {
        hasStarted: false,
        heading: (
          <>
            {weekday(visit.scheduledDate)}, {visitTimes(visit)}
          </>
        ),
      }),
    )}
  </div>
)

const leadList = (leads: readonly ListedLead[], now: Date): VNode => (
  <Table
    caption="New leads"
    columns={['Customer', 'Request', 'Budget', 'Received']}
    rows={leads.map((lead) => [customerOf(lead), requestOf(lead), lead.budget, ago(lead.createdAt, now)])}
    isDense
  />
)
