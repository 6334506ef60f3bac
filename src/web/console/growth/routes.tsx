/** @jsxImportSource preact */
// /console/growth: how the marketplace grows, by day, week and month, beside as much time before.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { VNode } from 'preact'

import type { Permitted } from '../../../auth/users/rules/permissions.ts'
import type { Ctx } from '../../../ctx.ts'
import type { Deps } from '../../../deps.ts'
import {
  type Growth,
  type GrowthNumbers,
  type GrowthRange,
  RANGES,
  getGrowth,
} from '../../../features/business/analytics/verbs.ts'
import { listMisses } from '../../../features/search/counts/verbs/counts.ts'
import { guard } from '../../../http/guard.ts'
import { OneOf } from '../../../platform/schema/types.ts'
import { count, shortMoney } from '../../../platform/text/format.ts'
import { PageHeading, Section } from '../../ui/headings.tsx'
import { EmptyState, Tabs } from '../../ui/lists.tsx'
import { Metric, Metrics } from '../../ui/metrics.tsx'
import { renderConsolePage } from '../../ui/responses.tsx'
import { type By, changeOf, chartWithTable } from './charts.tsx'
import { SearchedInVain, searchesView } from './searches.tsx'

const PATH = '/console/growth'
const LENGTHS: Record<GrowthRange, string> = { '30d': '30 days', '12w': '12 weeks', '12m': '12 months' }
const GrowthQuery = Type.Object({ range: Type.Optional(OneOf(['30d', '12w', '12m'])) })

export const growthPages = (deps: Deps) =>
  new Elysia({ name: 'growth-pages' }).use(guard(deps)).get(
    PATH,
    async function getGrowthPage({ ctx, authenticated: by, query }) {
      const range = query.range ?? '30d'
      const content = (
        <>
          <PageHeading>Growth</PageHeading>
          <Tabs
            label="Range"
            path={PATH}
            parameter="range"
            chosen={range === '30d' ? '' : range}
            choices={[
              { value: '', label: 'Last 30 days, by day' },
              { value: '12w', label: 'Last 12 weeks, by week' },
              { value: '12m', label: 'Last 12 months, by month' },
            ]}
          />
          {growthView({ ...(await readGrowth(ctx, { range })), range, session: by.session })}
        </>
      )
      const scripts = ['uplot.js', 'chart.js'] as const
      return renderConsolePage(ctx, by, { title: 'Growth', content, scripts, styles: ['uplot.css'] })
    },
    { session: ['operator'], query: GrowthQuery },
  )

async function readGrowth(ctx: Ctx, { range }: { range: GrowthRange }) {
  const growth = await getGrowth(ctx, { range })
  return { growth, missed: await listMisses(ctx, { first: growth.steps[0]?.first ?? '' }) }
}

interface View extends Awaited<ReturnType<typeof readGrowth>> {
  range: GrowthRange
  session: Permitted
}

function growthView({ growth, missed, range, session }: View): VNode {
  const { total, before } = growth
  if ([...Object.values(total), ...Object.values(before)].every((value) => value === 0))
    return (
      <EmptyState title="Nothing to count in this time">
        Searches, pros who join, bookings, cancellations and fees appear here within seconds. Pros join at{' '}
        <a href="/for-pros">the page for pros</a>; those who have applied wait in{' '}
        <a href="/console/applications">Applications</a>.
      </EmptyState>
    )
  const { by } = RANGES[range]
  return (
    <>
      <p class="hint">
        Up to and including today, without test pros, beside the {LENGTHS[range]} before. Weeks are of seven days. The
        last week and the last month end today.
      </p>
      {bookingsView(growth, by)}
      {cancellationsView(growth, by)}
      {feesView(growth, by)}
      {prosView(growth, by)}
      {searchesView(growth, by)}
      <SearchedInVain missed={missed} session={session} />
    </>
  )
}

function bookingsView({ steps, total, before }: Growth, by: By): VNode {
  return (
    <Section title="Bookings made">
      <p class="hint">
        By the day on which each was made, in the time of the pro. Rates are of the bookings that have ended: those made
        lately are mostly still to come.
      </p>
      <Metrics>
        <Metric label={`made; ${changeOf(total.made, before.made, count)}`}>{count(total.made)}</Metric>
        <Metric label={`of those that ended were completed; ${rateOf(before, 'completed')} before`}>
          {rateOf(total, 'completed')}
        </Metric>
        <Metric label={`of those that ended were cancelled; ${rateOf(before, 'cancelled')} before`}>
          {rateOf(total, 'cancelled')}
        </Metric>
      </Metrics>
      {chartWithTable(`Bookings made by ${by}`, steps, by, {
        series: [
          { label: 'Completed', of: (it) => it.completed, tone: 'good' },
          { label: 'Still to come', of: (it) => it.made - endedOf(it), tone: 'plain' },
          { label: 'No-show', of: (it) => it.missed, tone: 'wait' },
          { label: 'Cancelled', of: (it) => it.cancelled, tone: 'bad' },
        ],
        columns: [
          ['Made', (it) => count(it.made)],
          ['Completion rate', (it) => rateOf(it, 'completed')],
          ['Cancellation rate', (it) => rateOf(it, 'cancelled')],
        ],
      })}
    </Section>
  )
}

function cancellationsView({ steps, total, before }: Growth, by: By): VNode {
  const label = (who: string, of: 'byCustomers' | 'byPros' | 'byHearth') =>
    `${who}; ${changeOf(total[of], before[of], count)}`
  return (
    <Section title="Cancellations">
      <p class="hint">By the day in UTC on which each came, also of bookings that were made before.</p>
      <Metrics>
        <Metric label={label('by customers', 'byCustomers')}>{count(total.byCustomers)}</Metric>
        <Metric label={label('by pros', 'byPros')}>{count(total.byPros)}</Metric>
        <Metric label={label('by the marketplace, such as unpaid ones', 'byHearth')}>{count(total.byHearth)}</Metric>
      </Metrics>
      {chartWithTable(`Cancellations by ${by}`, steps, by, {
        series: [
          { label: 'By customers', of: (it) => it.byCustomers, tone: 'plain' },
          { label: 'By pros', of: (it) => it.byPros, tone: 'bad' },
          { label: 'By the marketplace', of: (it) => it.byHearth, tone: 'wait' },
        ],
      })}
    </Section>
  )
}

const feesView = ({ steps, total, before }: Growth, by: By): VNode => (
  <Section title="Fees">
    <p class="hint">
      Of payments that were paid, by the day in UTC on which each began. Payments that were refunded whole are not
      counted.
    </p>
    <Metrics>
      <Metric label={`in fees; ${changeOf(total.cents, before.cents, feesText)}`}>{feesText(total.cents)}</Metric>
    </Metrics>
    {chartWithTable(`Fees by ${by}`, steps, by, {
      series: [{ label: 'Fees', of: (it) => it.cents / 100, tone: 'plain', text: (it) => feesText(it.cents) }],
    })}
  </Section>
)

const prosView = ({ steps, total, before }: Growth, by: By): VNode => (
  <Section title="New pros">
    <p class="hint">By the day in UTC on which each joined, also those who have paused or closed since.</p>
    <Metrics>
      <Metric label={`joined; ${changeOf(total.joined, before.joined, count)}`}>{count(total.joined)}</Metric>
    </Metrics>
    {chartWithTable(`New pros by ${by}`, steps, by, {
      series: [{ label: 'New pros', of: (it) => it.joined, tone: 'plain' }],
    })}
  </Section>
)

const feesText = (cents: number): string => shortMoney(cents / 100)

const endedOf = ({ completed, missed, cancelled }: GrowthNumbers): number => completed + missed + cancelled

/** A share of the bookings that have ended, such as "80%"; a dash where no booking has. */
function rateOf(numbers: GrowthNumbers, of: 'completed' | 'cancelled'): string {
  const ended = endedOf(numbers)
  return ended === 0 ? '–' : `${Math.round((100 * numbers[of]) / ended)}%`
}
