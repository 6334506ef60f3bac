/** @jsxImportSource preact */
// /console/growth: how the marketplace grows, by day and by week, beside as many days before.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { ComponentChildren, VNode } from 'preact'

import type { Deps } from '../../deps.ts'
import {
  type Growth,
  type GrowthNumbers,
  type GrowthRange,
  type GrowthStep,
  RANGES,
  getGrowth,
} from '../../features/business/analytics/verbs.ts'
import { guard } from '../../http/guard.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { count, day, shortMoney } from '../../platform/text/format.ts'
import { PageHeading, Section } from '../ui/headings.tsx'
import { EmptyState, Tabs } from '../ui/lists.tsx'
import { Chart, Metric, Metrics, type Series } from '../ui/metrics.tsx'
import { renderConsolePage } from '../ui/responses.tsx'
import { Table } from '../ui/table.tsx'

const PATH = '/console/growth'
const GrowthQuery = Type.Object({ range: Type.Optional(OneOf(['30d', '12w'])) })

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
            ]}
          />
          {growthView(await getGrowth(ctx, { range }), range)}
        </>
      )
      const scripts = ['uplot.js', 'chart.js'] as const
      return renderConsolePage(ctx, by, { title: 'Growth', content, scripts, styles: ['uplot.css'] })
    },
    { session: ['operator'], query: GrowthQuery },
  )

function growthView(growth: Growth, range: GrowthRange): VNode {
  const { total, before } = growth
  if ([...Object.values(total), ...Object.values(before)].every((value) => value === 0))
    return (
      <EmptyState title="Nothing to count in this time">
        Pros who join, bookings, cancellations and fees appear here at once. Pros join at{' '}
        <a href="/for-pros">the page for pros</a>; those who have applied wait in{' '}
        <a href="/console/applications">Applications</a>.
      </EmptyState>
    )
  const { steps, daysPerStep } = RANGES[range]
  const span = { days: steps * daysPerStep, by: daysPerStep === 1 ? ('day' as const) : ('week' as const) }
  return (
    <>
      <p class="hint">
        Up to and including today, without test pros, beside the {span.days} days before. Weeks are of seven days, the
        last one ends today.
      </p>
      {bookingsView(growth, span)}
      {cancellationsView(growth, span)}
      {feesView(growth, span)}
      {prosView(growth, span)}
    </>
  )
}

interface Span {
  days: number
  by: 'day' | 'week'
}

function bookingsView({ steps, total, before }: Growth, span: Span): VNode {
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
      {chartWithTable(`Bookings made by ${span.by}`, steps, span, {
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

function cancellationsView({ steps, total, before }: Growth, span: Span): VNode {
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
      {chartWithTable(`Cancellations by ${span.by}`, steps, span, {
        series: [
          { label: 'By customers', of: (it) => it.byCustomers, tone: 'plain' },
          { label: 'By pros', of: (it) => it.byPros, tone: 'bad' },
          { label: 'By the marketplace', of: (it) => it.byHearth, tone: 'wait' },
        ],
      })}
    </Section>
  )
}

const feesView = ({ steps, total, before }: Growth, span: Span): VNode => (
  <Section title="Fees">
    <p class="hint">
      Of payments that were paid, by the day in UTC on which each began. Payments that were refunded whole are not
      counted.
    </p>
    <Metrics>
      <Metric label={`in fees; ${changeOf(total.cents, before.cents, feesText)}`}>{feesText(total.cents)}</Metric>
    </Metrics>
    {chartWithTable(`Fees by ${span.by}`, steps, span, {
      series: [{ label: 'Fees', of: (it) => it.cents / 100, tone: 'plain', text: (it) => feesText(it.cents) }],
    })}
  </Section>
)

const prosView = ({ steps, total, before }: Growth, span: Span): VNode => (
  <Section title="New pros">
    <p class="hint">By the day in UTC on which each joined, also those who have paused or closed since.</p>
    <Metrics>
      <Metric label={`joined; ${changeOf(total.joined, before.joined, count)}`}>{count(total.joined)}</Metric>
    </Metrics>
    {chartWithTable(`New pros by ${span.by}`, steps, span, {
      series: [{ label: 'New pros', of: (it) => it.joined, tone: 'plain' }],
    })}
  </Section>
)

interface Shown {
  series: readonly (Pick<Series, 'label' | 'tone'> & {
    of: (numbers: GrowthStep) => number
    /** How the table writes the value; by default as a count. */
    text?: (numbers: GrowthStep) => string
  })[]
  /** Further columns of the table, which the chart does not draw. */
  columns?: readonly [label: string, text: (numbers: GrowthStep) => string][]
}

/** A chart, and its values in a table, latest first. */
function chartWithTable(
  label: string,
  steps: readonly GrowthStep[],
  { by }: Span,
  { series, columns = [] }: Shown,
): ComponentChildren {
  return (
    <>
      <Chart
        label={label}
        days={steps.map(({ first }) => first)}
        series={series.map(({ of, tone, label: name }) => ({ label: name, tone, values: steps.map(of) }))}
      />
      <Table
        caption={label}
        columns={[by === 'day' ? 'Day' : 'Days', ...series.map((it) => it.label), ...columns.map(([name]) => name)]}
        rows={steps
          .toReversed()
          .map((step) => [
            by === 'day' ? day(step.first) : `${day(step.first)} – ${day(step.last)}`,
            ...series.map(({ of, text }) => text?.(step) ?? count(of(step))),
            ...columns.map(([, text]) => text(step)),
          ])}
        numbers={1}
      />
    </>
  )
}

const feesText = (cents: number): string => shortMoney(cents / 100)

const endedOf = ({ completed, missed, cancelled }: GrowthNumbers): number => completed + missed + cancelled

/** A share of the bookings that have ended, such as "80%"; a dash where no booking has. */
function rateOf(numbers: GrowthNumbers, of: 'completed' | 'cancelled'): string {
  const ended = endedOf(numbers)
  return ended === 0 ? '–' : `${Math.round((100 * numbers[of]) / ended)}%`
}

/** "25% more than 48 before", "none before". */
function changeOf(now: number, before: number, text: (value: number) => string): string {
  if (before === 0) return 'none before'
  const percent = Math.round((100 * Math.abs(now - before)) / before)
  const change = percent === 0 ? 'as many as' : `${count(percent)}% ${now > before ? 'more' : 'less'} than`
  return `${change} ${text(before)} before`
}
