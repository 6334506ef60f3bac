// The state of the system as a page: problems first, then key metrics, then each part.
import type { Overview, ProcessStatus, TrafficPoint } from '../../features/upkeep/operations/schemas.ts'
import { count } from '../../platform/text/format.ts'
import { type Html, type HtmlValue, html } from '../../platform/text/html.ts'
import { type Tone, badge, emptyState, detailList, metric, metrics, section, table } from '../ui/parts.ts'
import { duration, megabytes, rate, share } from './amounts.ts'
import { TRACES_PATH } from './traces.ts'

/** The part of the page that is refreshed. */
export const overviewView = (overview: Overview, traffic: readonly TrafficPoint[]): Html => html`
  ${problemsIn(overview).map(([tone, text]) => html`<p class="notice ${tone}">${text}</p>`)} ${keyMetrics(overview)}
  ${section('Requests', html`${charts(traffic)} ${routes(overview)} ${rateLimited(overview)}`)}
  ${section('Events and webhooks', events(overview))} ${section('Queues', queues(overview))}
  ${section('Processes', processes(overview))}
`

function problemsIn(overview: Overview): [Tone, HtmlValue][] {
  const { outbox, deliveries, tasks } = overview
  const down = overview.processes.filter(({ isUp }) => !isUp)
  const withDeadLetters = overview.queues.filter(({ deadLetters }) => deadLetters > 0)
  const failed = overview.routes.reduce((sum, { failedPerSecond }) => sum + failedPerSecond, 0)
  const problems: ([Tone, HtmlValue] | false)[] = [
    failed > 0 && ['bad', html`Requests fail with 5xx. <a href="${TRACES_PATH}?status=5xx">See their traces</a>.`],
    overview.isRedisAway && ['wait', 'Redis is unreachable. Rate limits are counted per process; no data is lost.'],
    (outbox.lagSeconds ?? 0) > 30 && [
      'bad',
      `The oldest event has waited ${duration(outbox.lagSeconds)} for its relay.`,
    ],
    outbox.lagSeconds === undefined && ['bad', 'No relay-outbox process reports. Check that the workers run.'],
    (deliveries.lagSeconds ?? 0) > 60 && ['wait', `Webhooks are ${duration(deliveries.lagSeconds)} late.`],
    withDeadLetters.length > 0 && [
      'wait',
      html`Dead letters:
        ${withDeadLetters.map(({ actor, deadLetters }) => `${actor} ${count(deadLetters)}`).join(', ')}.
        <code>hearth work dead-letters</code> lists them.`,
    ],
    (tasks.imbalance ?? 0) !== 0 && ['bad', 'The ledger of agent tasks does not balance.'],
    down.length > 0 && [
      'wait',
      `Not reporting: ${down.map(({ service, host }) => `${service} on ${host}`).join(', ')}.`,
    ],
  ]
  return problems.filter((problem) => problem !== false)
}

function keyMetrics({ routes: all, deliveries, outbox, processes: list, statementP99 }: Overview): Html {
  const requests = all.reduce((sum, { perSecond }) => sum + perSecond, 0)
  const failures = all.reduce((sum, { failedPerSecond }) => sum + failedPerSecond, 0)
  const { delivered, retried, failed } = deliveries
  const attempts = delivered + retried + failed
  return metrics([
    metric('requests per second', rate(requests)),
    metric('failed requests (5xx)', requests === 0 ? '–' : share(failures / requests), `${TRACES_PATH}?status=5xx`),
    metric('p99 of statements', duration(statementP99)),
    metric('waiting events', outbox.waiting === undefined ? '?' : count(outbox.waiting)),
    metric('successful webhook attempts', attempts === 0 ? '–' : share(delivered / attempts)),
    metric('processes up', count(list.filter(({ isUp }) => isUp).length)),
  ])
}

/** ops.js draws the chart from `data`. */
const chart = (label: string, data: object): Html =>
  html`<figure class="chart-place">
    <figcaption>${label}</figcaption>
    <div
      class="chart"
      role="img"
      aria-label="${label}, the last 15 minutes"
      data-series="${JSON.stringify(data)}"
    ></div>
  </figure>`

const charts = (traffic: readonly TrafficPoint[]): Html => html`
  <div class="charts">
    ${chart('Requests per second, by time in UTC', {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'rate',
      stacked: true,
      series: [
        { label: 'Successful', tone: 'good', values: traffic.map(({ succeeded }) => succeeded) },
        { label: 'Refused (4xx)', tone: 'wait', values: traffic.map(({ refused }) => refused) },
        { label: 'Failed (5xx)', tone: 'bad', values: traffic.map(({ failed }) => failed) },
      ],
    })}
    ${chart('Response time in milliseconds or seconds, by time in UTC', {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'seconds',
      series: [
        { label: 'p50', tone: 'good', values: traffic.map(({ p50 }) => p50) },
        { label: 'p95', tone: 'wait', values: traffic.map(({ p95 }) => p95) },
        { label: 'p99', tone: 'accent', values: traffic.map(({ p99 }) => p99) },
      ],
    })}
  </div>
`

const routes = ({ routes: all }: Overview): Html =>
  all.length === 0
    ? emptyState('No requests in the last minute', 'Requests appear here within five seconds.')
    : table(
        'Routes in the last minute',
        ['Route', 'Per second', 'Refused', 'Failed', 'p50', 'p95', 'p99'],
        all.map((route) => [
          html`<a href="${TRACES_PATH}?route=${encodeURIComponent(route.name)}">${route.name}</a>`,
          rate(route.perSecond),
          route.refusedPerSecond === 0 ? '–' : rate(route.refusedPerSecond),
          route.failedPerSecond === 0 ? '–' : badge(rate(route.failedPerSecond), 'bad'),
          duration(route.p50),
          duration(route.p95),
          duration(route.p99),
        ]),
        { numbers: 1 },
      )

const rateLimited = ({ rateLimited: limits }: Overview): HtmlValue =>
  limits.length > 0 &&
  html`<p class="hint">
    Refused by rate limits in the last minute:
    ${limits.map(({ limit, requests }) => `${count(requests)} by ${limit}`).join(', ')}.
  </p>`

const countOrUnknown = (value: number | undefined): string => (value === undefined ? 'unknown' : count(value))

function events({ outbox, deliveries, priceChangesWaiting, tasks }: Overview): Html {
  const { delivered, retried, failed, p50, p95, p99, due, lagSeconds, resting } = deliveries
  return html`
    <div class="side-by-side">
      ${detailList([
        ['Waiting events', countOrUnknown(outbox.waiting)],
        ['The oldest has waited', duration(outbox.lagSeconds)],
        ['Waiting price changes', countOrUnknown(priceChangesWaiting)],
        ['Running agent tasks', countOrUnknown(tasks.reserved)],
        ['Prepaid agent tasks', countOrUnknown(tasks.prepaid)],
      ])}
      ${detailList([
        [
          'Webhooks, last 15 minutes',
          `${count(delivered)} delivered, ${count(retried)} retried, ${count(failed)} failed`,
        ],
        ['From event to delivery', `p50 ${duration(p50)}, p95 ${duration(p95)}, p99 ${duration(p99)}`],
        ['Due now', countOrUnknown(due)],
        ['Delay', duration(lagSeconds)],
        ['Endpoints paused after failures', count(resting)],
      ])}
    </div>
  `
}

const queues = ({ queues: all }: Overview): Html =>
  all.length === 0
    ? emptyState('No worker reports a queue', 'Workers report every five seconds. Start them with: hearth work')
    : table(
        'Queues',
        ['Actor', 'Waiting', 'Later', 'Active', 'Oldest', 'Dead'],
        all.map(({ actor, waiting, delayed, active, oldestSeconds, deadLetters }) => [
          actor,
          count(waiting),
          count(delayed),
          count(active),
          duration(oldestSeconds),
          deadLetters === 0 ? '–' : badge(count(deadLetters), 'wait'),
        ]),
        { numbers: 1 },
      )

const processes = ({ processes: all }: Overview): Html =>
  all.length === 0
    ? emptyState('No process reports', 'Processes report every five seconds.')
    : table(
        'Processes',
        ['Process', 'State', 'CPU', 'Memory', 'Delay', 'Pools'],
        all.map((line) => [
          html`${line.service} <span class="quiet">${line.host}:${line.pid}</span>`,
          line.isUp ? badge('up', 'good') : badge('down', 'bad'),
          share(line.cpu),
          megabytes(line.memoryBytes),
          duration(line.eventLoopDelaySeconds),
          connections(line),
        ]),
      )

/** Every pool of the process: busy connections of all it may open. */
const connections = ({ pools }: ProcessStatus): HtmlValue =>
  pools.map(({ pool, busy, connections: all, waiting }, index) => [
    index > 0 && ', ',
    html`<span class="pool">${pool} ${busy} of ${all}</span>`,
    waiting > 0 && [' ', badge(`${waiting} waiting`, 'wait')],
  ])
