// How everything stands, as a page: what is wrong first, then figures, then each part.
import type { Moment, Overview, ProcessLine } from '../../features/operations/schemas.ts'
import { count } from '../ui/format.ts'
import { type Html, type HtmlValue, html } from '../ui/html.ts'
import { type Tone, badge, emptyState, detailList, metric, metrics, section, table } from '../ui/parts.ts'
import { duration, megabytes, rate, share } from './amounts.ts'
import { TRACES_PATH } from './traces.ts'

/** The part of the page that is brought up to date. */
export const overviewView = (it: Overview, traffic: readonly Moment[]): Html => html`
  ${troublesIn(it).map(([tone, text]) => html`<p class="notice ${tone}">${text}</p>`)} ${keyFigures(it)}
  ${section('Requests', html`${charts(traffic)} ${routes(it)} ${limited(it)}`)}
  ${section('Events and webhooks', events(it))} ${section('Mailboxes', mailboxes(it))}
  ${section('Processes', processes(it))}
`

/** What somebody should look at, and where. */
function troublesIn(it: Overview): [Tone, HtmlValue][] {
  const gone = it.processes.filter(({ isUp }) => !isUp)
  const letters = it.queues.filter(({ deadLetters }) => deadLetters > 0)
  const failed = it.routes.reduce((sum, { failedPerSecond }) => sum + failedPerSecond, 0)
  const troubles: ([Tone, HtmlValue] | false)[] = [
    failed > 0 && [
      'bad',
      html`Requests fail on our side: <a href="${TRACES_PATH}?status=5xx">look at their traces</a>.`,
    ],
    it.isRedisAway && ['wait', 'Redis is away. Rate limits hold per process; nothing is lost.'],
    (it.outbox.lagSeconds ?? 0) > 30 && ['bad', `An event has waited ${duration(it.outbox.lagSeconds)} to be relayed.`],
    it.outbox.lagSeconds === undefined && ['bad', 'No relay of events tells of itself: do the workers run?'],
    (it.deliveries.lagSeconds ?? 0) > 60 && ['wait', `Webhooks are ${duration(it.deliveries.lagSeconds)} late.`],
    letters.length > 0 && [
      'wait',
      html`${letters.map(({ actor, deadLetters }) => `${actor} gave up ${count(deadLetters)}. `)}
        <code>hearth work dead-letters</code> lists them.`,
    ],
    (it.tasks.imbalance ?? 0) !== 0 && ['bad', 'The ledger of agent tasks does not add up.'],
    gone.length > 0 && [
      'wait',
      `No sign of life from ${gone.map(({ service, host }) => `${service} on ${host}`).join(', ')}.`,
    ],
  ]
  return troubles.filter((trouble) => trouble !== false)
}

function keyFigures(it: Overview): Html {
  const sum = (pick: (route: Overview['routes'][number]) => number) =>
    it.routes.reduce((all, one) => all + pick(one), 0)
  const requests = sum(({ perSecond }) => perSecond)
  const { delivered, retried, failed } = it.deliveries
  const attempts = delivered + retried + failed
  return metrics([
    metric('requests a second', rate(requests)),
    metric(
      'failed on our side',
      requests === 0 ? '–' : share(sum(({ failedPerSecond }) => failedPerSecond) / requests),
      `${TRACES_PATH}?status=5xx`,
    ),
    metric('99 % of statements within', duration(it.statementSeconds)),
    metric('events that wait', it.outbox.waiting === undefined ? '?' : count(it.outbox.waiting)),
    metric('webhook attempts that succeed', attempts === 0 ? '–' : share(delivered / attempts)),
    metric('processes up', count(it.processes.filter(({ isUp }) => isUp).length)),
  ])
}

/** Drawn by ops.js from the figures in it. */
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

const charts = (traffic: readonly Moment[]): Html => html`
  <div class="charts">
    ${chart('Requests a second', {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'rate',
      stacked: true,
      series: [
        { label: 'Fine', tone: 'good', values: traffic.map(({ good }) => good) },
        { label: 'Refused (4xx)', tone: 'wait', values: traffic.map(({ refused }) => refused) },
        { label: 'Failed (5xx)', tone: 'bad', values: traffic.map(({ failed }) => failed) },
      ],
    })}
    ${chart('Time to answer', {
      at: traffic.map(({ atSeconds }) => atSeconds),
      unit: 'seconds',
      series: [
        { label: 'Half within', tone: 'good', values: traffic.map(({ half }) => half) },
        { label: '99 % within', tone: 'accent', values: traffic.map(({ most }) => most) },
      ],
    })}
  </div>
`

const routes = ({ routes: lines }: Overview): Html =>
  lines.length === 0
    ? emptyState('No requests in the last minute', 'Whatever clients ask shows up here within five seconds.')
    : table(
        'Routes in the last minute',
        ['Route', 'A second', 'Refused', 'Failed', 'Half within', '99 % within'],
        lines.map((line) => [
          html`<a href="${TRACES_PATH}?route=${encodeURIComponent(line.name)}">${line.name}</a>`,
          rate(line.perSecond),
          line.refusedPerSecond === 0 ? '–' : rate(line.refusedPerSecond),
          line.failedPerSecond === 0 ? '–' : badge(rate(line.failedPerSecond), 'bad'),
          duration(line.half),
          duration(line.most),
        ]),
        { numbers: 1 },
      )

const limited = ({ limited: limits }: Overview): HtmlValue =>
  limits.length > 0 &&
  html`<p class="hint">
    Refused by rate limits in the last minute:
    ${limits.map(({ limit, requests }) => `${count(requests)} by ${limit}`).join(', ')}.
  </p>`

const known = (value: number | undefined): string => (value === undefined ? 'not known' : count(value))

function events({ outbox, deliveries, pricesWaiting, tasks }: Overview): Html {
  const { delivered, retried, failed, half, most, due, lagSeconds, resting } = deliveries
  return html`
    <div class="side-by-side">
      ${detailList([
        ['Events that wait', known(outbox.waiting)],
        ['The oldest for', duration(outbox.lagSeconds)],
        ['Price changes that wait', known(pricesWaiting)],
        ['Agent tasks under way', known(tasks.reserved)],
        ['Prepaid agent tasks', known(tasks.prepaid)],
      ])}
      ${detailList([
        [
          'Webhooks, last 15 minutes',
          `${count(delivered)} delivered, ${count(retried)} tried again, ${count(failed)} failed`,
        ],
        ['From event to receipt', `half within ${duration(half)}, 99 % within ${duration(most)}`],
        ['Due now', known(due)],
        ['Late by', duration(lagSeconds)],
        ['Endpoints that rest after failures', count(resting)],
      ])}
    </div>
  `
}

const mailboxes = ({ queues }: Overview): Html =>
  queues.length === 0
    ? emptyState('Nobody tells of a mailbox', 'The workers do, every five seconds: hearth work.')
    : table(
        'Mailboxes',
        ['Actor', 'Waiting', 'Later', 'In hand', 'Next has waited', 'Dead letters'],
        queues.map(({ actor, waiting, delayed, active, oldestSeconds, deadLetters }) => [
          actor,
          count(waiting),
          count(delayed),
          count(active),
          duration(oldestSeconds),
          deadLetters === 0 ? '–' : badge(count(deadLetters), 'wait'),
        ]),
        { numbers: 1 },
      )

const processes = ({ processes: lines }: Overview): Html =>
  lines.length === 0
    ? emptyState('No process tells of itself', 'Each does, every five seconds.')
    : table(
        'Processes',
        ['Process', 'State', 'CPU', 'Memory', 'Pause', 'Pools'],
        lines.map((line) => [
          html`${line.service} <span class="quiet">${line.host}:${line.pid}</span>`,
          line.isUp ? badge('up', 'good') : badge('gone', 'bad'),
          share(line.cpu),
          megabytes(line.memoryBytes),
          duration(line.delaySeconds),
          connections(line),
        ]),
      )

const connections = ({ pools }: ProcessLine): HtmlValue =>
  pools.map(({ pool, busy, connections: all, waiting }, index) => [
    index > 0 && ', ',
    `${pool} ${busy}/${all}`,
    waiting > 0 && [' ', badge(`${waiting} wait`, 'wait')],
  ])
