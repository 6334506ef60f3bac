// /console: the overview of each role, with the account's unread notices.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { listBookingsOfPro } from '../../features/bookings/verbs/find-booking.ts'
import { listKeys } from '../../auth/keys/verbs/keys.ts'
import { listUsage } from '../../auth/keys/verbs/usage.ts'
import { getBalance } from '../../features/metering/verbs.ts'
import type { Notice } from '../../features/notices/verbs.ts'
import { listNotices, readNotice } from '../../features/notices/verbs.ts'
import { listProposals } from '../../features/proposals/verbs/proposals.ts'
import { listLeads } from '../../features/rfqs/verbs/rfqs.ts'
import { searchReviews } from '../../features/moderation/verbs.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { findUsers } from '../../auth/users/verbs/users.ts'
import { listWebhooks } from '../../webhooks/endpoints/verbs/endpoints.ts'
import { guard } from '../../http/guard.ts'
import { type Session, type AuthenticatedRequest, accountOf, actingProOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { runAction } from '../ui/submit.ts'
import { clockTime, count, dateTime, day } from '../../platform/text/format.ts'
import { actionButton } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { metric, metrics, pageHeading, section, table } from '../ui/parts.ts'
import { isActive } from './keys/view.ts'

const params = Type.Object({ id: Uuid() })

export const overviewPages = (deps: Deps) =>
  new Elysia({ name: 'overview-pages' })
    .use(guard(deps))
    .get(
      '/console',
      async function getOverview({ authenticated: by }) {
        const content = html`${pageHeading('Overview')} ${await overviewOf(deps, by)}`
        return renderConsolePage(deps, by, { title: 'Overview', content })
      },
      { session: [...ROLES] },
    )
    .post(
      '/console/notices/:id/read',
      async function postNoticeRead({ authenticated: by, params: { id } }) {
        return await runAction(deps, by, '/console', async () => {
          if (!(await readNotice(deps, accountOf(by).accountId, id)))
            throw new AppError('not_found', 'You have no unread notice with this id.')
          return 'The notice is marked as read.'
        })
      },
      { session: ['developer', 'pro'], params },
    )

async function overviewOf(deps: Deps, by: AuthenticatedRequest): Promise<Html> {
  if (by.session.role === 'operator') return await operatorOverview(deps)
  const notices = await listNotices(deps, accountOf(by).accountId, { unreadOnly: true })
  return html`
    ${notices.map((notice) => noticeBox(by.session, notice))} ${by.session.role === 'pro' && (await proWork(deps, by))}
    ${await integrations(deps, by)}
  `
}

const ONE = { limit: 1 }
const FEW = { limit: 5 }

async function operatorOverview(deps: Deps): Promise<Html> {
  const [pending, users] = await Promise.all([
    searchReviews(deps, { status: 'pending', ...ONE }),
    findUsers(deps, { state: 'enabled', ...ONE }),
  ])
  return metrics([
    metric(
      pending.total === 1 ? 'review to moderate' : 'reviews to moderate',
      count(pending.total),
      '/console/reviews',
    ),
    metric(users.total === 1 ? 'active user' : 'active users', count(users.total), '/console/users'),
  ])
}

/** The counts of open work, and the first few items of each kind. */
async function proWork(deps: Deps, by: AuthenticatedRequest): Promise<Html> {
  const pro = actingProOf(by)
  const [bookings, leads, proposals, tasks] = await Promise.all([
    listBookingsOfPro(deps, pro.professionalId, { status: 'pending', ...FEW }),
    listLeads(deps, pro, { status: 'new', ...FEW }),
    listProposals(deps, pro, { status: 'open', ...ONE }),
    getBalance(deps, pro.professionalId),
  ])
  const waiting = [
    ...bookings.bookings.map(({ id, service, scheduledDate, scheduledTime }) => [
      html`<a href="/console/bookings/${id}">${service.name}</a>`,
      'Booking to confirm',
      `${day(scheduledDate)}, ${clockTime(scheduledTime)}`,
    ]),
    ...leads.rfqs.map(({ id, service, createdAt }) => [
      html`<a href="/console/leads/${id}">${service?.name ?? 'Quote request'}</a>`,
      'Lead to answer',
      dateTime(createdAt),
    ]),
  ]
  return html`
    ${metrics([
      metric('pending bookings', count(bookings.meta.total), '/console/bookings?status=pending'),
      metric('new leads', count(leads.meta.total), '/console/leads?status=new'),
      metric('proposals to decide', count(proposals.meta.total), '/console/proposals'),
      metric('agent tasks available', count(tasks.available), '/console/credits'),
    ])}
    ${waiting.length > 0 && section('To do', table('To do', ['Item', 'Type', 'When'], waiting))}
  `
}

async function integrations(deps: Deps, by: AuthenticatedRequest): Promise<Html> {
  const { accountId, accountEmail } = accountOf(by)
  const [keys, webhooks, today] = await Promise.all([
    listKeys(deps, accountEmail),
    listWebhooks(deps, accountId, ONE),
    listUsage(deps, accountId, 1),
  ])
  const active = keys.filter((key) => isActive(key, deps.clock.now())).length
  const { total } = webhooks.meta
  const requests = today.reduce((sum, row) => sum + row.requests, 0)
  return section(
    'Your integrations',
    html`
      ${metrics([
        metric(active === 1 ? 'active API key' : 'active API keys', count(active), '/console/keys'),
        metric(total === 1 ? 'webhook endpoint' : 'webhook endpoints', count(total), '/console/webhooks'),
        metric('requests today', count(requests), '/console/usage'),
      ])}
      <p class="lead">
        Programs call the API with a key. The <a href="/api-docs">API reference</a> documents every operation and lets
        you try it:
      </p>
      <pre>
curl -s '${deps.config.baseUrl}/api/v1/pros?service=plumber&lat=30.27&lng=-97.74&limit=3' \\
  -H 'Authorization: Bearer &lt;your key&gt;'</pre>
    `,
  )
}

const noticeBox = (session: Session, { id, kind, data, createdAt }: Notice): Html => html`
  <div class="notice wait">
    <p>${noticeText(kind, data)} <span class="hint">${dateTime(createdAt)}</span></p>
    ${actionButton(session, { action: `/console/notices/${id}/read`, label: 'Mark as read' })}
  </div>
`

function noticeText(kind: string, data: Record<string, unknown>): Html {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  switch (kind) {
    case 'webhook_disabled':
      return html`The webhook endpoint <a href="/console/webhooks/${text('webhookId')}">${text('name')}</a> was
        disabled: ${text('reason') === 'gone' ? 'it responded with 410 Gone.' : 'all deliveries failed for five days.'}`
    case 'agent_tasks_low':
      return html`You have ${String(data['left'])} of ${String(data['of'])} agent tasks left.
        <a href="/console/credits">Agent tasks</a>`
    case 'agent_tasks_exhausted':
      return html`You have no agent tasks left until ${dateTime(text('resetsAt'))}.
        <a href="/console/credits">Agent tasks</a>`
    case 'calendar_conflict':
      return html`An event in your calendar “${text('name')}” overlaps
        <a href="/console/bookings/${text('bookingId')}">a booking</a> at ${dateTime(text('startsAt'))}. The booking
        stays: move or cancel it, or change the event.`
    case 'calendar_failing':
      return html`Your calendar “${text('name')}” could not be read for a day: ${text('reason')} What was read before
        still blocks your time. <a href="/console/calendars">Calendars</a>`
    default:
      return html`${kind}`
  }
}
