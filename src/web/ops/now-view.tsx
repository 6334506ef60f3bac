/** @jsxImportSource preact */
// The state of the system as a page: problems first, then key metrics, then each part.
import type { Overview, ProcessStatus, TrafficPoint } from '../../features/upkeep/operations/schemas.ts'
import { count } from '../../platform/text/format.ts'
import type { FailingEndpoint } from '../../webhooks/endpoints/verbs/failing-endpoints.ts'
import type { ComponentChildren, VNode } from 'preact'
import { type Tone, Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/lists.tsx'
import { DetailList, Table } from '../ui/table.tsx'
import { Metric, Metrics } from '../ui/metrics.tsx'
import { Section } from '../ui/headings.tsx'
import { ExactTime } from '../ui/time.tsx'
import { duration, megabytes, rate, share } from './amounts.ts'
import { STUCK_PATH } from '../console/stuck/view.tsx'
import { TRACES_PATH } from './traces.tsx'

/** Waiting deliveries of an endpoint are counted to here. */
const MAX_COUNTED = 1000

/** What the page shows beside the overview: charts of the last minutes, and the webhook endpoints that fail. */
interface Shown {
  traffic: readonly TrafficPoint[]
  minutes: number
  failing: readonly FailingEndpoint[]
}

/** The part of the page that is refreshed. */
export const overviewView = (overview: Overview, { traffic, minutes, failing }: Shown): VNode => (
  <>
    {problemsIn(overview).map(([tone, text]) => (
      <p class={`notice ${tone}`}>{text}</p>
    ))}
    {keyMetrics(overview)}
    <Section title="Requests">
      {charts(traffic, minutes)}
      {routes(overview)}
      {rateLimited(overview)}
    </Section>
    <Section title="Events and webhooks">
      {events(overview)}
      {failing.length > 0 && failingEndpoints(failing)}
      <p>
        <a href={STUCK_PATH}>What is stuck</a>, with the buttons that help
      </p>
    </Section>
    <Section title="Queues">{queues(overview)}</Section>
    <Section title="Processes">{processes(overview)}</Section>
  </>
)

function problemsIn(overview: Overview): [Tone, ComponentChildren][] {
  const { outbox, deliveries, tasks } = overview
  const down = overview.processes.filter(({ isUp }) => !isUp)
  const withDeadLetters = overview.queues.filter(({ deadLetters }) => deadLetters > 0)
  const failed = overview.routes.reduce((sum, { failedPerSecond }) => sum + failedPerSecond, 0)
  const problems: ([Tone, ComponentChildren] | false)[] = [
    failed > 0 && [
      'bad',
      <>
        Requests fail with 5xx. <a href={`${TRACES_PATH}?status=5xx`}>See their traces</a>.
      </>,
    ],
    overview.isRedisAway && ['wait', 'Redis is unreachable. Rate limits are counted per process; no data is lost.'],
    (outbox.lagSeconds ?? 0) > 30 && [
      'bad',
      `The oldest event has waited ${duration(outbox.lagSeconds)} for its relay.`,
    ],
    outbox.lagSeconds === undefined && ['bad', 'No relay-outbox process reports. Check that the workers run.'],
    (deliveries.lagSeconds ?? 0) > 60 && ['wait', `Webhooks are ${duration(deliveries.lagSeconds)} late.`],
    withDeadLetters.length > 0 && [
      'wait',
      <>
        Dead letters: {withDeadLetters.map(({ actor, deadLetters }) => `${actor} ${count(deadLetters)}`).join(', ')}.{' '}
        <a href={STUCK_PATH}>See what is stuck</a>.
      </>,
    ],
    (tasks.imbalance ?? 0) !== 0 && ['bad', 'The ledger of agent tasks does not balance.'],
    down.length > 0 && [
      'wait',
      `Not reporting: ${down.map(({ service, host }) => `${service} on ${host}`).join(', ')}.`,
    ],
  ]
  return problems.filter((problem) => problem !== false)
}

function keyMetrics({ routes: all, deliveries, outbox, processes: list, statementP99 }: Overview): VNode {
  const requests = all.reduce((sum, { perSecond }) => sum + perSecond, 0)
  const failures = all.reduce((sum, { failedPerSecond }) => sum + failedPerSecond, 0)
  const { delivered, retried, failed } = deliveries
  const attempts = delivered + retried + failed
  return (
    <Metrics>
      {[
        <Metric label="requests per second">{rate(requests)}</Metric>,
        <Metric label="failed requests (5xx)" href={`${TRACES_PATH}?status=5xx`}>
          {requests === 0 ? '–' : share(failures / requests)}
        </Metric>,
        <Metric label="p99 of statements">{duration(statementP99)}</Metric>,
        <Metric label="waiting events">{outbox.waiting === undefined ? '?' : count(outbox.waiting)}</Metric>,
        <Metric label="successful webhook attempts">{attempts === 0 ? '–' : share(delivered / attempts)}</Metric>,
        <Metric label="processes up">{count(list.filter(({ isUp }) => isUp).length)}</Metric>,
      ]}
    </Metrics>
  )
}

/** ops.js draws the chart from `data`. */
const chart = (label: string, minutes: number, data: object): VNode => (
  <figure class="chart-place">
    <figcaption>{label}</figcaption>
    <div
      class="chart"
      role="img"
      aria-label={`${label}, the last ${minutes} minutes`}
      data-series={JSON.stringify(data)}
    ></div>
  </figure>
)

const charts = (traffic: readonly TrafficPoint[], minutes: number): VNode => (
  <div class="charts">
    {chart('Requests per second, by time in UTC', minutes, {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'rate',
      stacked: true,
      series: [
        { label: 'Successful', tone: 'good', values: traffic.map(({ succeeded }) => succeeded) },
        { label: 'Refused (4xx)', tone: 'wait', values: traffic.map(({ refused }) => refused) },
        { label: 'Failed (5xx)', tone: 'bad', values: traffic.map(({ failed }) => failed) },
      ],
    })}
    {chart('Response time in milliseconds or seconds, by time in UTC', minutes, {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'seconds',
      series: [
        { label: 'p50', tone: 'good', values: traffic.map(({ p50 }) => p50) },
        { label: 'p95', tone: 'wait', values: traffic.map(({ p95 }) => p95) },
        { label: 'p99', tone: 'accent', values: traffic.map(({ p99 }) => p99) },
      ],
    })}
  </div>
)

const routes = ({ routes: all }: Overview): VNode =>
  all.length === 0 ? (
    <EmptyState title="No requests in the last minute">Requests appear here within five seconds.</EmptyState>
  ) : (
    <Table
      caption="Routes in the last minute"
      columns={['Route', 'Per second', 'Refused', 'Failed', 'p50', 'p95', 'p99']}
      rows={all.map((route) => [
        <a href={`${TRACES_PATH}?route=${encodeURIComponent(route.name)}`}>{route.name}</a>,
        rate(route.perSecond),
        route.refusedPerSecond === 0 ? '–' : rate(route.refusedPerSecond),
        route.failedPerSecond === 0 ? '–' : <Badge tone="bad">{rate(route.failedPerSecond)}</Badge>,
        duration(route.p50),
        duration(route.p95),
        duration(route.p99),
      ])}
      numbers={1}
    />
  )

const rateLimited = ({ rateLimited: limits }: Overview): ComponentChildren =>
  limits.length > 0 && (
    <p class="hint">
      Refused by rate limits in the last minute:{' '}
      {limits.map(({ limit, requests }) => `${count(requests)} by ${limit}`).join(', ')}.
    </p>
  )

const countOrUnknown = (value: number | undefined): string => (value === undefined ? 'unknown' : count(value))

function events({ outbox, deliveries, priceChangesWaiting, tasks }: Overview): VNode {
  const { delivered, retried, failed, p50, p95, p99, due, lagSeconds, resting } = deliveries
  return (
    <div class="side-by-side">
      <DetailList
        pairs={[
          ['Waiting events', countOrUnknown(outbox.waiting)],
          ['The oldest has waited', duration(outbox.lagSeconds)],
          ['Waiting price changes', countOrUnknown(priceChangesWaiting)],
          ['Running agent tasks', countOrUnknown(tasks.reserved)],
          ['Prepaid agent tasks', countOrUnknown(tasks.prepaid)],
        ]}
      />
      <DetailList
        pairs={[
          [
            'Webhooks, last 15 minutes',
            `${count(delivered)} delivered, ${count(retried)} retried, ${count(failed)} failed`,
          ],
          ['From event to delivery', `p50 ${duration(p50)}, p95 ${duration(p95)}, p99 ${duration(p99)}`],
          ['Due now', countOrUnknown(due)],
          ['Delay', duration(lagSeconds)],
          ['Endpoints paused after failures', count(resting)],
        ]}
      />
    </div>
  )
}

const failingEndpoints = (failing: readonly FailingEndpoint[]): VNode => (
  <Table
    caption="Webhook endpoints that fail"
    columns={['Endpoint', 'Account', 'State', 'Failing since (UTC)', 'Waiting']}
    rows={failing.map(({ name, host, owner, disabledReason, failingSince, waiting }) => [
      <>
        {name} <span class="quiet">{host}</span>
      </>,
      owner,
      disabledReason !== null ? <Badge tone="bad">disabled</Badge> : <Badge tone="wait">retried</Badge>,
      <ExactTime instant={failingSince} />,
      waiting >= MAX_COUNTED ? `${count(MAX_COUNTED)} or more` : count(waiting),
    ])}
    numbers={4}
  />
)

const queues = ({ queues: all }: Overview): VNode =>
  all.length === 0 ? (
    <EmptyState title="No worker reports a queue">
      Workers report every five seconds. Start them with: hearth work
    </EmptyState>
  ) : (
    <Table
      caption="Queues"
      columns={['Actor', 'Waiting', 'Later', 'Active', 'Oldest', 'Dead']}
      rows={all.map(({ actor, waiting, delayed, active, oldestSeconds, deadLetters }) => [
        actor,
        count(waiting),
        count(delayed),
        count(active),
        duration(oldestSeconds),
        deadLetters === 0 ? '–' : <Badge tone="wait">{count(deadLetters)}</Badge>,
      ])}
      numbers={1}
    />
  )

const processes = ({ processes: all }: Overview): VNode =>
  all.length === 0 ? (
    <EmptyState title="No process reports">Processes report every five seconds.</EmptyState>
  ) : (
    <Table
      caption="Processes"
      columns={['Process', 'State', 'CPU', 'Memory', 'Delay', 'Pools']}
      rows={all.map((line) => [
        <>
          {line.service}{' '}
          <span class="quiet">
            {line.host}:{line.pid}
          </span>
        </>,
        line.isUp ? <Badge tone="good">up</Badge> : <Badge tone="bad">down</Badge>,
        share(line.cpu),
        megabytes(line.memoryBytes),
        duration(line.eventLoopDelaySeconds),
        connections(line),
      ])}
    />
  )

/** Every pool of the process: busy connections of all it may open. */
const connections = ({ pools }: ProcessStatus): ComponentChildren =>
  pools.map(({ pool, busy, connections: all, waiting }, index) => [
    index > 0 && ', ',
    <span class="pool">
      {pool} {busy} of {all}
    </span>,
    waiting > 0 && [' ', <Badge tone="wait">{`${waiting} waiting`}</Badge>],
  ])
