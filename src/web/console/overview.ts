// /console: the overview of each role, with the account's unread notices.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors/app-error.ts'
import { listUsage } from '../../auth/keys/verbs/usage.ts'
import { listDisowned } from '../../features/customers/customers/verbs/disown.ts'
import type { Notice } from '../../features/messages/notices/verbs.ts'
import { listNotices, readNotice } from '../../features/messages/notices/verbs.ts'
import { countVerificationRequests } from '../../features/business/verification/verbs.ts'
import { searchReviews } from '../../features/reviews/moderation/verbs.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { findUsers } from '../../auth/users/verbs/users.ts'
import { listWebhooks } from '../../webhooks/endpoints/verbs/endpoints.ts'
import { guard } from '../../http/guard.ts'
import { type Session, type AuthenticatedRequest, accountOf, shownAccountOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { runAction } from '../ui/submit.ts'
import { count, dateTime } from '../../platform/text/format.ts'
import { actionButton } from '../ui/forms.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { metric, metrics, pageHeading, section } from '../ui/parts.ts'
import { listShownKeys } from './keys/routes.ts'
import { isActive } from './keys/view.ts'
import { todayView } from './today.ts'

const params = Type.Object({ id: Uuid() })

export const overviewPages = (deps: Deps) =>
  new Elysia({ name: 'overview-pages' })
    .use(guard(deps))
    .get(
      '/console',
      async function getOverview({ ctx, authenticated: by }) {
        const title = by.session.role === 'pro' ? 'Today' : 'Overview'
        const content = html`${pageHeading(title)} ${await overviewOf(ctx, by)}`
        return renderConsolePage(ctx, by, { title, content, styles: ['console.css'] })
      },
      { session: [...ROLES] },
    )
    .get(
      '/console/developers',
      async function getIntegrations({ ctx, authenticated: by }) {
        const content = html`${pageHeading('For developers')} ${await integrations(ctx, by)}`
        return renderConsolePage(ctx, by, { title: 'For developers', content })
      },
      { session: ['pro'] },
    )
    .post(
      '/console/notices/:id/read',
      async function postNoticeRead({ ctx, authenticated: by, params: { id } }) {
        return await runAction(ctx, by, '/console', async () => {
          if (!(await readNotice(ctx, { accountId: accountOfNotices(by), id })))
            throw new AppError('not_found', 'You have no notice with this id.')
          return 'The notice is marked as read.'
        })
      },
      { session: ['developer', 'pro'], params },
    )

/** Pros see the notices of their business in test mode, too. */
const accountOfNotices = (by: AuthenticatedRequest): string =>
  (by.session.role === 'pro' ? accountOf(by) : shownAccountOf(by)).accountId

async function overviewOf(ctx: Ctx, by: AuthenticatedRequest): Promise<Html> {
  if (by.session.role === 'operator') return await operatorOverview(ctx)
  const notices = await listNotices(ctx, { unreadOnly: true, accountId: accountOfNotices(by) })
  return html`
    ${notices.map((notice) => noticeBox(by.session, notice))}
    ${by.session.role === 'pro' ? await todayView(ctx, by) : await integrations(ctx, by)}
  `
}

const ONE = { limit: 1 }

async function operatorOverview(ctx: Ctx): Promise<Html> {
  const [pending, asking, users, disowned] = await Promise.all([
    searchReviews(ctx, { status: 'pending', ...ONE }),
    countVerificationRequests(ctx),
    findUsers(ctx, { state: 'enabled', ...ONE }),
    listDisowned(ctx, ONE),
  ])
  return metrics([
    metric(
      pending.total === 1 ? 'review to moderate' : 'reviews to moderate',
      count(pending.total),
      '/console/reviews',
    ),
    metric(asking === 1 ? 'pro to verify' : 'pros to verify', count(asking), '/console/verification?show=asked'),
    metric(users.total === 1 ? 'active user' : 'active users', count(users.total), '/console/users'),
    metric('disowned by customers', count(disowned.meta.total), '/console/disowned'),
  ])
}

async function integrations(ctx: Ctx, by: AuthenticatedRequest): Promise<Html> {
  const { accountId } = shownAccountOf(by)
  const [keys, webhooks, today] = await Promise.all([
    listShownKeys(ctx, by),
    listWebhooks(ctx.as({ accountId }), ONE),
    listUsage(ctx, { accountId, days: 1 }),
  ])
  const active = keys.filter((key) => isActive(key, ctx.clock.now())).length
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
        Programs call the API with a key. The <a href="/console/quickstart">quickstart</a> creates one and makes the
        first requests with it. The <a href="/api-docs">API reference</a> documents every operation and lets you try it:
      </p>
      <pre>
curl -s '${ctx.config.baseUrl}/api/v1/pros?service=plumber&lat=30.27&lng=-97.74&limit=3' \\
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
    case 'verification_changed':
      return html`Hearth changed what is shown as checked of your business: ${text('reason')}
        <a href="/console/my-verification">Verification</a>`
    case 'verification_refused':
      return html`Hearth could not verify your business: ${text('reason')}
        <a href="/console/my-verification">Ask again</a>`
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
    case 'booking_disowned':
      return html`The owner of the e-mail address of <a href="/console/bookings/${text('id')}">a booking</a> says that
        they did not make it. If it was still to come, it is cancelled.`
    case 'request_disowned':
      return html`The owner of the e-mail address of <a href="/console/leads/${text('id')}">a request</a> says that they
        did not make it. It is closed.`
    case 'review_disowned':
      return html`The owner of the e-mail address of a review says that they did not write it. It is published no more,
        and its stars do not count. <a href="/console/my-reviews">Reviews</a>`
    case 'calendar_failing':
      return html`Your calendar “${text('name')}” could not be read for a day: ${text('reason')} What was read before
        still blocks your time. <a href="/console/calendars">Calendars</a>`
    default:
      return html`${kind}`
  }
}
