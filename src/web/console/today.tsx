/** @jsxImportSource preact */
// The first page of a pro: the next visit, the rest of today and tomorrow, and what needs an answer or a payment.
import { mayOpen } from '../../auth/users/rules/permissions.ts'
import type { Ctx } from '../../ctx.ts'
import type { ProBooking } from '../../features/booking/bookings/schemas.ts'
import { listVisits, searchBookings, sumDueNow } from '../../features/booking/bookings/verbs/pro-lists.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { listProposals } from '../../features/agents/proposals/verbs/proposals.ts'
import type { ListedLead } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { type AuthenticatedRequest, type ProSession, actingProOf } from '../../http/session.ts'
import type { PageMeta } from '../../platform/schema/paging.ts'
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
  return pro.onlyMemberId === null ? await businessToday(ctx, pro) : await workersToday(ctx, pro)
}

async function businessToday(ctx: Ctx, pro: ProSession): Promise<VNode> {
  const analytics = await readTrends(ctx.as(pro))
  const isOwner = mayOpen(pro, '/console/settings')
  const [day, toConfirm, due, leads, proposals] = await Promise.all([
    readDay(ctx, pro, analytics.timezone),
    searchBookings(ctx.as(pro), { view: 'to_confirm', ...FEW }),
    sumDueNow(ctx.as(pro)),
    listLeads(ctx.as(pro), { status: 'new', ...FEW }),
    listProposals(ctx.as(pro), { status: 'open', limit: 1 }),
  ])
  const steps = isOwner && day.upcoming.meta.total === 0 && (await firstSteps(ctx, pro))
  return (
    <>
      {pausedNotice(pro)}
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
          isOwner && (
            <Metric
              label={proposals.meta.total === 1 ? 'proposal to decide' : 'proposals to decide'}
              href="/console/proposals"
            >
              {count(proposals.meta.total)}
            </Metric>
          ),
        ]}
      </Metrics>
      {steps}
      {dayView(pro, day)}
      {toConfirm.bookings.length > 0 && <Section title="To confirm">{confirmList(pro, toConfirm.bookings)}</Section>}
      {leads.rfqs.length > 0 && <Section title="New leads">{leadList(leads.rfqs, ctx.clock.now())}</Section>}
      {isOwner && businessTrends(analytics)}
    </>
  )
}

/** A worker sees the visits that are assigned to them, and nothing of the business. */
async function workersToday(ctx: Ctx, pro: ProSession): Promise<VNode> {
  const { settings } = await getSchedule(ctx.as(pro))
  return <>{dayView(pro, await readDay(ctx, pro, settings.timezone))}</>
}

interface Day {
  today: string
  next: ProBooking | undefined
  /** Visits of today besides the next one. */
  others: readonly ProBooking[]
  upcoming: { bookings: readonly ProBooking[]; meta: PageMeta }
  isStarted: (visit: ProBooking) => boolean
}

async function readDay(ctx: Ctx, pro: ProSession, timeZone: string): Promise<Day> {
  const now = ctx.clock.now()
  const today = localDate(now, timeZone)
  const [visits, upcoming] = await Promise.all([
    listVisits(ctx.as(pro), { from: today, days: 1 }),
    searchBookings(ctx.as(pro), { view: 'upcoming', ...FEW }),
  ])
  const isStarted = (visit: ProBooking) => hasStarted(visit, now, timeZone)
  const next = upcoming.bookings.find((visit) => visit.status === 'confirmed' && !isStarted(visit))
  return { today, next, others: visits.filter(({ id }) => id !== next?.id), upcoming, isStarted }
}

const dayView = (pro: ProSession, { today, next, others, upcoming, isStarted }: Day): VNode => (
  <>
    <Section title="Next visit">{nextVisit(pro, next)}</Section>
    <Section title={`Today, ${weekday(today)}`}>
      {todaysVisits(pro, others, { isStarted, hasNext: next?.scheduledDate === today })}
    </Section>
    {laterVisits(upcoming.bookings, next, today)}
  </>
)

const nextVisit = (session: ProSession, next: ProBooking | undefined): VNode =>
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
      {session.onlyMemberId === null
        ? 'Customers book within your hours.'
        : 'Visits that are assigned to you appear here.'}{' '}
      {mayOpen(session, '/console/settings') && <a href="/console/settings">Check your booking settings</a>}
    </EmptyState>
  )

function todaysVisits(
  session: ProSession,
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

const confirmList = (session: ProSession, bookings: readonly ProBooking[]): VNode => (
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
