/** @jsxImportSource preact */
// How the last 30 days went, beside the 30 before: of a pro's business, of a developer's keys, and of the marketplace.
import type { VNode } from 'preact'

import { type UsageRow, listUsage } from '../../auth/keys/verbs/usage.ts'
import type { Ctx } from '../../ctx.ts'
import type { Analytics } from '../../features/business/analytics/schemas.ts'
import { getAnalytics, listMarketplaceDays } from '../../features/business/analytics/verbs.ts'
import { addDays, localDate } from '../../platform/clock/dates.ts'
import { roughMoney, shortMoney } from '../../platform/text/format.ts'
import { Section } from '../ui/headings.tsx'
import { Metrics, Trend } from '../ui/metrics.tsx'

const SHOWN_DAYS = 30

/** The analytics of a pro that {@link businessTrends} needs. */
export const readTrends = async (ctx: Ctx<{ professionalId: string }>): Promise<Analytics> =>
  // SQL builds the JSON after the schema of this type.
  JSON.parse(await getAnalytics(ctx, { period: '90d' })) as Analytics

/** The trends of a pro; null before the first booking, request or payment. */
export function businessTrends({ series }: Analytics): VNode | null {
  const days = series.slice(-2 * SHOWN_DAYS)
  const of = (value: (day: Analytics['series'][number]) => number) => days.map(value)
  const booked = of(({ bookings }) => bookings)
  const asked = of(({ rfqs }) => rfqs)
  const earned = of(({ revenue }) => revenue)
  if ([...booked, ...asked, ...earned].every((value) => value === 0)) return null
  return (
    <Section title={`The last ${SHOWN_DAYS} days`}>
      <Metrics>
        <Trend label="new bookings" href="/console/bookings" values={booked} />
        <Trend label="requests for a quote" href="/console/leads" values={asked} />
        <Trend label="earned" href="/console/bookings?show=past" values={earned} of={shortMoney} />
        <Trend
          label="visits and jobs done"
          href="/console/jobs"
          values={of(({ completedJobs, completedVisits }) => completedJobs + completedVisits)}
        />
      </Metrics>
    </Section>
  )
}

/** The trends of an account's keys; null before the first request. */
export async function usageTrends(ctx: Ctx, { accountId }: { accountId: string }): Promise<VNode | null> {
  const rows = await listUsage(ctx, { accountId, days: 2 * SHOWN_DAYS })
  if (rows.length === 0) return null
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const today = localDate(ctx.clock.now(), 'UTC')
  const days = Array.from({ length: 2 * SHOWN_DAYS }, (_, index) => addDays(today, index + 1 - 2 * SHOWN_DAYS))
  const of = (value: (row: UsageRow) => number) =>
    days.map((day) => (byDay.get(day) ?? []).reduce((total, row) => total + value(row), 0))
  return (
    <Section title={`The last ${SHOWN_DAYS} days`}>
      <Metrics>
        <Trend label="requests" href="/console/usage" values={of(({ requests }) => requests)} />
        <Trend label="refused or over a limit" href="/console/usage" values={of((row) => row.refused + row.limited)} />
        <Trend label="failed on our side" href="/console/usage" values={of(({ failed }) => failed)} />
      </Metrics>
    </Section>
  )
}

/** The trends of the marketplace for operators; null before the first booking, request or review. */
export async function marketplaceTrends(ctx: Ctx): Promise<VNode | null> {
  const days = await listMarketplaceDays(ctx, { days: 2 * SHOWN_DAYS })
  if (days.every(({ bookings, rfqs, reviews }) => bookings + rfqs + reviews === 0)) return null
  return (
    <Section title={`The last ${SHOWN_DAYS} days`}>
      <Metrics>
        <Trend label="new bookings" values={days.map(({ bookings }) => bookings)} />
        <Trend label="requests for a quote" values={days.map(({ rfqs }) => rfqs)} />
        <Trend label="visits and jobs done" values={days.map(({ done }) => done)} />
        <Trend label="earned by pros" values={days.map(({ cents }) => cents / 100)} of={roughMoney} />
        <Trend label="reviews published" values={days.map(({ reviews }) => reviews)} />
      </Metrics>
    </Section>
  )
}
