// The first page of a pro: the next visit, the rest of today and tomorrow, and what needs an answer or a payment.
import type { Ctx } from '../../ctx.ts'
import type { ProBooking } from '../../features/booking/bookings/schemas.ts'
import { listVisits, searchBookings, sumDueNow } from '../../features/booking/bookings/verbs/pro-lists.ts'
import { listProposals } from '../../features/agents/proposals/verbs/proposals.ts'
import type { ListedLead } from '../../features/quoting/rfqs/schemas.ts'
import { listLeads } from '../../features/quoting/rfqs/verbs/rfqs.ts'
import { getSchedule } from '../../features/calendar/schedule/verbs.ts'
import { type AuthenticatedRequest, type Session, actingProOf } from '../../http/session.ts'
import { localDate } from '../../platform/clock/dates.ts'
import { ago, count, shortMoney, weekday } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emptyState, metric, metrics, section, table } from '../ui/parts.ts'
import { hasStarted, visitCard, visitStart, visitTimes, BOOKINGS_PATH } from './bookings/visit.ts'
import { firstSteps } from './first-steps.ts'
import { customerOf, requestOf } from './leads/view.ts'
import { searchForm } from './search-form.ts'

const FEW = { limit: 5 }

export async function todayView(ctx: Ctx, by: AuthenticatedRequest): Promise<Html> {
  const pro = actingProOf(by)
  const now = ctx.clock.now()
  const { settings } = await getSchedule(ctx.as(pro))
  const today = localDate(now, settings.timezone)
  const [visits, upcoming, toConfirm, due, leads, proposals] = await Promise.all([
    listVisits(ctx.as(pro), { from: today, days: 1 }),
    searchBookings(ctx.as(pro), { view: 'upcoming', ...FEW }),
    searchBookings(ctx.as(pro), { view: 'to_confirm', ...FEW }),
    sumDueNow(ctx.as(pro)),
    listLeads(ctx.as(pro), { status: 'new', ...FEW }),
    listProposals(ctx.as(pro), { status: 'open', limit: 1 }),
  ])
  const isStarted = (visit: ProBooking) => hasStarted(visit, now, settings.timezone)
  const next = upcoming.bookings.find((visit) => visit.status === 'confirmed' && !isStarted(visit))
  const steps = upcoming.meta.total === 0 && (await firstSteps(ctx, pro, settings))
  const others = visits.filter(({ id }) => id !== next?.id)
  return html`
    ${searchForm({ path: '/console/search', label: 'Search bookings, leads and customers', hint: 'Search bookings, leads and customers', text: '' })}
    ${metrics([
      metric('to confirm', count(toConfirm.meta.total), `${BOOKINGS_PATH}?show=to_confirm`),
      metric(leads.meta.total === 1 ? 'new lead' : 'new leads', count(leads.meta.total), '/console/leads?status=new'),
      metric('waiting for payment', shortMoney(due), `${BOOKINGS_PATH}?show=unpaid`),
      metric(
        proposals.meta.total === 1 ? 'proposal to decide' : 'proposals to decide',
        count(proposals.meta.total),
        '/console/proposals',
      ),
    ])}
    ${steps} ${section('Next visit', nextVisit(by.session, next))}
    ${section(`Today, ${weekday(today)}`, todaysVisits(by.session, others, { isStarted, hasNext: next?.scheduledDate === today }))}
    ${laterVisits(upcoming.bookings, next, today)}
    ${toConfirm.bookings.length > 0 && section('To confirm', confirmList(by.session, toConfirm.bookings))}
    ${leads.rfqs.length > 0 && section('New leads', leadList(leads.rfqs, now))}
  `
}

const nextVisit = (session: Session, next: ProBooking | undefined): Html =>
  next
    ? html`<div class="next">
        ${visitCard(session, next, { hasStarted: false, heading: html`${weekday(next.scheduledDate)}, ${visitTimes(next)}` })}
      </div>`
    : emptyState(
        'No visit ahead',
        html`Customers book within your hours. <a href="/console/settings">Check your booking settings</a>`,
      )

function todaysVisits(
  session: Session,
  visits: readonly ProBooking[],
  { isStarted, hasNext }: { isStarted: (visit: ProBooking) => boolean; hasNext: boolean },
): Html {
  if (visits.length === 0)
    return html`<p class="quiet">${hasNext ? 'The next visit is the only one today.' : 'No visits today.'}</p>`
  return html`<div class="visits">
    ${visits.map((visit) => visitCard(session, visit, { hasStarted: isStarted(visit) }))}
  </div>`
}

function laterVisits(upcoming: readonly ProBooking[], next: ProBooking | undefined, today: string): Html {
  const later = upcoming.filter(({ id, scheduledDate }) => id !== next?.id && scheduledDate > today)
  const week = html`<p><a href="/console/calendar">See the week</a></p>`
  if (later.length === 0) return week
  return section(
    'Then',
    html`<ul class="plain-list">
        ${later.map(
          (visit) =>
            html`<li>
              <a href="${BOOKINGS_PATH}/${visit.id}">${visitStart(visit)}</a>: ${visit.service.name} for
              ${visit.customer.name}
            </li>`,
        )}
      </ul>
      ${week}`,
  )
}

const confirmList = (session: Session, bookings: readonly ProBooking[]): Html =>
  html`<div class="visits">
    ${bookings.map((visit) =>
      visitCard(session, visit, {
        hasStarted: false,
        heading: html`${weekday(visit.scheduledDate)}, ${visitTimes(visit)}`,
      }),
    )}
  </div>`

const leadList = (leads: readonly ListedLead[], now: Date): Html =>
  table(
    'New leads',
    ['Customer', 'Request', 'Budget', 'Received'],
    leads.map((lead) => [customerOf(lead), requestOf(lead), lead.budget, ago(lead.createdAt, now)]),
    { isDense: true },
  )
