// /console/usage: the requests of the account's keys, by day and by key.
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'

import type { Deps } from '../../deps.ts'
import { type UsageRow, listUsage } from '../../auth/keys/verbs/usage.ts'
import { guard } from '../../http/guard.ts'
import { shownAccountOf } from '../../http/session.ts'
import { OneOf } from '../../platform/schema/types.ts'
import { renderConsolePage } from '../ui/responses.ts'
import { chart } from '../ui/parts.ts'
import { count, day } from '../../platform/text/format.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { emptyState, metric, metrics, pageHeading, section, table, tabs } from '../ui/parts.ts'

const PATH = '/console/usage'
const UsageQuery = Type.Object({ days: Type.Optional(OneOf(['7', '30', '90'])) })
const DAY_MS = 86_400_000

export const usagePages = (deps: Deps) =>
  new Elysia({ name: 'usage-pages' }).use(guard(deps)).get(
    PATH,
    async function getUsage({ ctx, authenticated: by, query }) {
      const chosen = query.days ?? '30'
      const rows = await listUsage(ctx, { accountId: shownAccountOf(by).accountId, days: Number(chosen) })
      const content = html`
        ${pageHeading('Usage')}
        ${tabs('Period', { path: PATH, parameter: 'days', chosen: chosen === '30' ? '' : chosen }, [
          { value: '7', label: '7 days' },
          { value: '', label: '30 days' },
          { value: '90', label: '90 days' },
        ])}
        ${
          rows.length === 0
            ? emptyState('No requests in this period', 'Requests appear here within seconds.')
            : usageView(rows, lastDays(ctx.clock.now(), Number(chosen)))
        }
      `
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

function usageView(rows: readonly UsageRow[], days: readonly string[]): Html {
  const byDay = Map.groupBy(rows, ({ day }) => day)
  const byKey = Map.groupBy(rows, ({ keyId }) => keyId)
  const countsOf = (day: string) => sum(byDay.get(day) ?? [])
  const total = sum(rows)
  return html`
    ${metrics([
      metric('requests', count(total.requests)),
      metric('refused (4xx)', count(total.refused)),
      metric('rate limited (429)', count(total.limited)),
      metric('failed (5xx)', count(total.failed)),
    ])}
    ${chart('Requests by day', days, [
      { label: 'Succeeded', values: days.map((day) => succeeded(countsOf(day))), tone: 'plain' },
      { label: 'Refused or failed', values: days.map((day) => unsuccessful(countsOf(day))), tone: 'bad' },
    ])}
    ${section(
      'By key',
      table(
        'Requests by key',
        ['Key', ...COLUMNS],
        [...byKey.values()]
          .map((keyRows) => ({ key: keyRows[0], counts: sum(keyRows) }))
          .toSorted((a, b) => b.counts.requests - a.counts.requests)
          .map(({ key, counts }) => [html`<div>${key?.name} ${key && keyMark(key)}</div>`, ...cells(counts)]),
        { numbers: 1 },
      ),
    )}
    ${section(
      'By day',
      table(
        'Requests by day',
        ['Day, UTC', ...COLUMNS],
        days
          .filter((day) => byDay.has(day))
          .toReversed()
          .map((date) => [day(date), ...cells(countsOf(date))]),
        { numbers: 1 },
      ),
    )}
  `
}

/** The end of a key's text; a connected app has no key. */
const keyMark = ({ lastFour, isGrant }: UsageRow) => (isGrant ? html`(connected app)` : html`<code>…${lastFour}</code>`)

const unsuccessful = ({ refused, limited, failed }: Counts) => refused + limited + failed
const succeeded = (counts: Counts) => counts.requests - unsuccessful(counts)

const COLUMNS = ['Requests', 'Refused', 'Rate limited', 'Failed']
const cells = ({ requests, refused, limited, failed }: Counts) => [requests, refused, limited, failed].map(count)
