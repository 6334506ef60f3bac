/** @jsxImportSource preact */
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
import { countApplications } from '../../features/business/applications/verbs/decide.ts'
import { countVerificationRequests } from '../../features/business/verification/verbs.ts'
import { searchReviews } from '../../features/reviews/moderation/verbs.ts'
import { ROLES } from '../../auth/users/schemas.ts'
import { findUsers } from '../../auth/users/verbs/users.ts'
import { listWebhooks } from '../../webhooks/endpoints/verbs/endpoints.ts'
import { guard } from '../../http/guard.ts'
import { type Session, type AuthenticatedRequest, accountOf, shownAccountOf } from '../../http/session.ts'
import { Uuid } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.tsx'
import { readSite } from '../ui/site.tsx'
import { runAction } from '../ui/submit.ts'
import { count, longDay } from '../../platform/text/format.ts'
import { Time } from '../ui/time.tsx'
import { ActionButton } from '../ui/form.tsx'
import type { VNode } from 'preact'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { stuckMetrics } from './stuck/view.tsx'
import { countStuck } from '../../features/upkeep/stuck/verbs.ts'
import { readGuideFacts } from './guide/facts.ts'
import { guideLead } from './guide/view.tsx'
import { listShownKeys } from './keys/routes.ts'
import { isActive } from './keys/view.tsx'
import { todayView } from './today.tsx'
import { GUIDE_PATH } from '../ui/guide-steps.ts'
import { mayOpen, mayUse } from '../../auth/users/rules/permissions.ts'
import { marketplaceTrends, usageTrends } from './trends.tsx'

const params = Type.Object({ id: Uuid() })

export const overviewPages = (deps: Deps) =>
  new Elysia({ name: 'overview-pages' })
    .use(guard(deps))
    .get(
      '/console',
      async function getOverview({ ctx, authenticated: by }) {
        const title = by.session.role === 'pro' ? 'Today' : 'Overview'
        const content = (
          <>
            <PageHeading>{title}</PageHeading>
            {await overviewOf(ctx, by)}
          </>
        )
        return renderConsolePage(ctx, by, { title, content, styles: ['console.css'] })
      },
      { session: [...ROLES] },
    )
    .get(
      '/console/developers',
      async function getIntegrations({ ctx, authenticated: by }) {
        const content = (
          <>
            <PageHeading>For developers</PageHeading>
            {await integrations(ctx, by)}
          </>
        )
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

async function overviewOf(ctx: Ctx, by: AuthenticatedRequest): Promise<VNode> {
  if (by.session.role === 'operator') return await operatorOverview(ctx, by)
  // Notices are for those who may mark them as read.
  const notices = mayUse(by.session, 'POST /console/notices/:id/read')
    ? await listNotices(ctx, { unreadOnly: true, accountId: accountOfNotices(by) })
    : []
  return (
    <>
      {notices.map((notice) => noticeBox(by.session, notice))}
      {by.session.role === 'pro' ? await todayView(ctx, by) : await integrations(ctx, by)}
    </>
  )
}

const ONE = { limit: 1 }

async function operatorOverview(ctx: Ctx, by: AuthenticatedRequest): Promise<VNode> {
  const { isOpen } = await readSite(ctx, by)
  const [guide, pending, reported, applied, asking, users, disowned, stuck, trends] = await Promise.all([
    !isOpen && mayOpen(by.session, GUIDE_PATH) && readGuideFacts(ctx, by),
    searchReviews(ctx, { status: 'pending', ...ONE }),
    searchReviews(ctx, { status: 'reported', ...ONE }),
    countApplications(ctx),
    countVerificationRequests(ctx),
    findUsers(ctx, { state: 'enabled', ...ONE }),
    listDisowned(ctx, ONE),
    countStuck(ctx),
    marketplaceTrends(ctx),
  ])
  return (
    <>
      {guide && <Section title="Before you open">{guideLead(guide)}</Section>}
      <Metrics>
        {[
          <Metric label={pending.total === 1 ? 'review to moderate' : 'reviews to moderate'} href="/console/reviews">
            {count(pending.total)}
          </Metric>,
          <Metric
            label={reported.total === 1 ? 'reported review' : 'reported reviews'}
            href="/console/reviews?status=reported"
          >
            {count(reported.total)}
          </Metric>,
          <Metric label={applied === 1 ? 'application to join' : 'applications to join'} href="/console/applications">
            {count(applied)}
          </Metric>,
          <Metric label={asking === 1 ? 'pro to verify' : 'pros to verify'} href="/console/verification?show=asked">
            {count(asking)}
          </Metric>,
          <Metric
            label={users.total === 1 ? 'active user' : 'active users'}
            href={mayOpen(by.session, '/console/users') ? '/console/users' : undefined}
          >
            {count(users.total)}
          </Metric>,
          <Metric label="disowned by customers" href="/console/disowned">
            {count(disowned.meta.total)}
          </Metric>,
          ...stuckMetrics(stuck),
        ]}
      </Metrics>
      {trends}
    </>
  )
}

async function integrations(ctx: Ctx, by: AuthenticatedRequest): Promise<VNode> {
  const { accountId } = shownAccountOf(by)
  const [keys, webhooks, today, trends] = await Promise.all([
    listShownKeys(ctx, by),
    listWebhooks(ctx.as({ accountId }), ONE),
    listUsage(ctx, { accountId, days: 1 }),
    usageTrends(ctx, { accountId }),
  ])
  const active = keys.filter((key) => isActive(key, ctx.clock.now())).length
  const { total } = webhooks.meta
  const requests = today.reduce((sum, row) => sum + row.requests, 0)
  return (
    <>
      <Section title="Your integrations">
        <Metrics>
          {[
            <Metric label={active === 1 ? 'active API key' : 'active API keys'} href="/console/keys">
              {count(active)}
            </Metric>,
            <Metric label={total === 1 ? 'webhook endpoint' : 'webhook endpoints'} href="/console/webhooks">
              {count(total)}
            </Metric>,
            <Metric label="requests today" href="/console/usage">
              {count(requests)}
            </Metric>,
          ]}
        </Metrics>
        <p class="lead">
          Programs call the API with a key. The <a href="/console/quickstart">quickstart</a> creates one and makes the
          first requests with it. The <a href="/api-docs">API reference</a> documents every operation and lets you try
          it:
        </p>
        <pre>
          {`curl -s '${ctx.config.baseUrl}/api/v1/pros?service=plumber&lat=30.27&lng=-97.74&limit=3' \\
  -H 'Authorization: Bearer <your key>'`}
        </pre>
      </Section>
      {trends}
    </>
  )
}

const noticeBox = (session: Session, { id, kind, data, createdAt }: Notice): VNode => (
  <div class="notice wait">
    <p>
      {noticeText(kind, data)}{' '}
      <span class="hint">
        <Time instant={createdAt} />
      </span>
    </p>
    <ActionButton session={session} action={`/console/notices/${id}/read`} label="Mark as read" />
  </div>
)

type Text = (name: string) => string

const WITHDRAWN_NAMES: Record<string, string> = { verified: 'name', credentials: 'license', insurance: 'insurer' }

/** What each kind of notice says. */
const NOTICE_TEXTS: Record<string, (text: Text, data: Record<string, unknown>) => VNode> = {
  verification_changed: (text) => (
    <>
      We changed what is shown as checked of your business: {text('reason')}{' '}
      <a href="/console/my-verification">Verification</a>
    </>
  ),
  mark_withdrawn: (text, data) => (
    <>
      Customers no longer see your {WITHDRAWN_NAMES[text('mark')]} as checked, because you changed it
      {data['was'] === null ? '' : ` from “${text('was')}”`}. We check it again.{' '}
      <a href="/console/my-verification">Verification</a>
    </>
  ),
  mark_ends: (text, data) => (
    <>
      {data['isExpired'] === true
        ? `“${text('mark')}” held until ${longDay(text('validUntil'))}, and is no longer shown.`
        : `“${text('mark')}” is shown until ${longDay(text('validUntil'))}. Send us the new papers before.`}{' '}
      <a href="/console/my-verification">Verification</a>
    </>
  ),
  verification_refused: (text) => (
    <>
      We could not verify your business: {text('reason')} <a href="/console/my-verification">Ask again</a>
    </>
  ),
  webhook_disabled: (text) => (
    <>
      The webhook endpoint <a href={`/console/webhooks/${text('webhookId')}`}>{text('name')}</a> was disabled:{' '}
      {text('reason') === 'gone' ? 'it responded with 410 Gone.' : 'all deliveries failed for five days.'}
    </>
  ),
  agent_tasks_low: (_, data) => (
    <>
      You have {String(data['left'])} of {String(data['of'])} agent tasks left.{' '}
      <a href="/console/credits">Agent tasks</a>
    </>
  ),
  agent_tasks_exhausted: (text) => (
    <>
      You have no agent tasks left until <Time instant={text('resetsAt')} />. <a href="/console/credits">Agent tasks</a>
    </>
  ),
  calendar_conflict: (text) => (
    <>
      An event in your calendar “{text('name')}” overlaps{' '}
      <a href={`/console/bookings/${text('bookingId')}`}>a booking</a> at <Time instant={text('startsAt')} />. The
      booking stays: move or cancel it, or change the event.
    </>
  ),
  booking_disowned: (text) => (
    <>
      The owner of the e-mail address of <a href={`/console/bookings/${text('id')}`}>a booking</a> says that they did
      not make it. If it was still to come, it is cancelled.
    </>
  ),
  request_disowned: (text) => (
    <>
      The owner of the e-mail address of <a href={`/console/leads/${text('id')}`}>a request</a> says that they did not
      make it. It is closed.
    </>
  ),
  review_disowned: () => (
    <>
      The owner of the e-mail address of a review says that they did not write it. It is published no more, and its
      stars do not count. <a href="/console/my-reviews">Reviews</a>
    </>
  ),
  calendar_failing: (text) => (
    <>
      Your calendar “{text('name')}” could not be read for a day: {text('reason')} What was read before still blocks
      your time. <a href="/console/calendars">Calendars</a>
    </>
  ),
}

function noticeText(kind: string, data: Record<string, unknown>): VNode {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : '')
  return NOTICE_TEXTS[kind]?.(text, data) ?? <>{kind}</>
}
