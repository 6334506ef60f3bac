/** @jsxImportSource preact */
// /console/usage: the requests of the account's keys, by day and by key, and the last ones that failed.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type FailedRequest, type UsageRow, listFailedRequests, listUsage } from '../../auth/keys/verbs/usage.ts'
import { guard } from '../../http/guard.ts'
import { shownAccountOf } from '../../http/session.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.tsx'
import { Chart } from '../ui/metrics.tsx'
import { count, day } from '../../platform/text/format.ts'
import type { VNode } from 'preact'
import { EmptyState, Tabs } from '../ui/lists.tsx'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { PageHeading, Section } from '../ui/headings.tsx'
import { Table } from '../ui/table.tsx'
import { ExactTime } from '../ui/time.tsx'

const PATH = '/console/usage'
const UsageQuery = Type.Object({ days: Type.Optional(OneOf(['7', '30', '90'])) })
const DAY_MS = 86_400_000
const SHOWN_FAILURES = 25

export const usagePages = (deps: Deps) =>
  new Elysia({ name: 'usage-pages' }).use(guard(deps)).get(
    PATH,
    async function getUsage({ ctx, authenticated: by, query }) {
      const chosen = query.days ?? '30'
      const { accountId } = shownAccountOf(by)
      const [rows, failed] = await Promise.all([
        listUsage(ctx, { accountId, days: Number(chosen) }),
        listFailedRequests(ctx, { accountId, limit: SHOWN_FAILURES }),
      ])
      const content = (
        <>
          <PageHeading>Usage</PageHeading>
          <Tabs
            label="Period"
            path={PATH}
            parameter="days"
            chosen={chosen === '30' ? '' : chosen}
            choices={[
              { value: '7', label: '7 days' },
              { value: '', label: '30 days' },
              { value: '90', label: '90 days' },
            ]}
          />
          {rows.length === 0 ? (
            <EmptyState title="No requests in this period">Requests appear here within seconds.</EmptyState>
          ) : (
            usageView(rows, lastDays(ctx.clock.now(), Number(chosen)))
          )}
          <Section title="Failed requests">{failedView(failed)}</Section>
        </>
      )
      const scripts = ['uplot.js', 'chart.js'] as const
      return renderConsolePage(ctx, by, { title: 'Usage', content, scripts, styles: ['uplot.css'] })
    },
    { session: ['developer', 'pro'], query: UsageQuery },
  )

type Counts = Pick<UsageRow, 'requests' | 'refused' | 'limited' | 'failed'>

const NONE: Counts = { requests: 0, refused: 0, limited: 0, failed: 0 }

const sum = (rows: readonly Counts[]): Counts =>
  rows.reduce(
    (total, row) => ({
      requests: total.requests + row.requests,
      refused: total.refused + row.refused,
      limited: total.limited + row.limited,
      failed: total.failed + row.failed,
    }),
    NONE,
  )

/** The last days in UTC, oldest first. */
const lastDays = (now: Date, days: number): string[] =>
  Array.from({ length: days }, (_, index) =>
    new Date(now.getTime() - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  )

function usageView(rows: readonly UsageRow[], days: readonly string[]): VNode {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const byKey = Map.groupBy(rows, ({ keyId }) => keyId)
  const countsOf = (day: string) => sum(byDay.get(day) ?? [])
  const total = sum(rows)
  return (
    <>
      <Metrics>
        {[
          <Metric label="requests">{count(total.requests)}</Metric>,
          <Metric label="refused (4xx)">{count(total.refused)}</Metric>,
          <Metric label="rate limited (429)">{count(total.limited)}</Metric>,
          <Metric label="failed (5xx)">{count(total.failed)}</Metric>,
        ]}
      </Metrics>
      <Chart
        label="Requests by day"
        days={days}
        series={[
          { label: 'Succeeded', values: days.map((day) => succeeded(countsOf(day))), tone: 'plain' },
          { label: 'Refused or failed', values: days.map((day) => unsuccessful(countsOf(day))), tone: 'bad' },
        ]}
      />
      <Section title="By key">
        <Table
          caption="Requests by key"
          columns={['Key', ...COLUMNS]}
          rows={[...byKey.values()]
            .map((keyRows) => ({ key: keyRows[0], counts: sum(keyRows) }))
            .toSorted((a, b) => b.counts.requests - a.counts.requests)
            .map(({ key, counts }) => [
              <div>
                {key?.name} {key && keyMark(key)}
              </div>,
              ...cells(counts),
            ])}
          numbers={1}
        />
      </Section>
      <Section title="By day">
        <Table
          caption="Requests by day"
          columns={['Day, UTC', ...COLUMNS]}
          rows={days
            .filter((day) => byDay.has(day))
            .toReversed()
            .map((date) => [day(date), ...cells(countsOf(date))])}
          numbers={1}
        />
      </Section>
    </>
  )
}

function failedView(failed: readonly FailedRequest[]): VNode {
  if (failed.length === 0) return <p>In the last seven days none of your requests was answered with an error.</p>
  return (
    <>
      <p>The last {SHOWN_FAILURES} of seven days. What they sent is not kept; each code leads to its remedy.</p>
      <Table
        caption="Failed requests"
        columns={['When', 'Request', 'Answer', 'Key']}
        rows={failed.map((request) => [
          <ExactTime instant={request.failedAt} />,
          <code>
            {request.method} {request.path}
          </code>,
          whatWentWrong(request),
          <div>
            {request.name} {keyMark(request)}
          </div>,
        ])}
      />
    </>
  )
}

const whatWentWrong = ({ status, code, detail, errors, requestId }: FailedRequest): VNode => (
  <div>
    {status} <a href={`/problems/${code}`}>{code}</a>
    {errors.length === 0 ? (
      `: ${detail}`
    ) : (
      <ul>
        {errors.map(({ path, message }) => (
          <li>
            <code>{path}</code> {message}
          </li>
        ))}
      </ul>
    )}
    {requestId !== null && (
      <div class="hint">
        Request <code>{requestId}</code>
      </div>
    )}
  </div>
)

/** The end of a key's text; a connected app has no key. */
const keyMark = ({ lastFour, isGrant }: Pick<UsageRow, 'lastFour' | 'isGrant'>) =>
  isGrant ? <>(connected app)</> : <code>…{lastFour}</code>

const unsuccessful = ({ refused, limited, failed }: Counts) => refused + limited + failed
const succeeded = (counts: Counts) => counts.requests - unsuccessful(counts)

const COLUMNS = ['Requests', 'Refused', 'Rate limited', 'Failed']
const cells = ({ requests, refused, limited, failed }: Counts) => [requests, refused, limited, failed].map(count)
