// Checks of servers and workers: whether they run and keep up.
import { ACTOR_NAMES, TOGETHER } from '../../../workers/runtime/actor-names.ts'
import type { Ctx } from '../../ctx.ts'
import type { Deps } from '../../deps.ts'
import { countDeadLetters } from '../../features/upkeep/dead-letters/verbs.ts'
import type { MessageBacklog } from '../../features/messages/messages/verbs/message-log.ts'
import { getMessageBacklog } from '../../features/messages/messages/verbs/message-log.ts'
import { getOutboxLag } from '../../features/upkeep/outbox/verbs.ts'
import { listReportedLabels } from '../../features/upkeep/operations/verbs/reported-labels.ts'
import { getPricingLag } from '../../features/catalog/pricing/verbs.ts'
import { listOverdueTables } from '../../features/upkeep/retention/verbs.ts'
import { UNKNOWN_PROXY_METRIC } from '../../rate-limit/client-names.ts'
import { type DeliveryBacklog, deliveryBacklog } from '../../webhooks/delivery/planning.ts'
import { type Finding, ok, firstLineOf, fault } from './finding.ts'

const SERVER_TIMEOUT_MS = 3000
/** Work that waits longer than this is late under any load. */
const LATE_SECONDS = 60
/** From this number of failing endpoints on, and if most of them fail, the cause is probably not at the receivers. */
const MANY_RECEIVERS = 5

/** Whether a server responds at BASE_URL. */
export async function checkServer({ config }: Deps): Promise<Finding> {
  const remedy = 'start one with `hearth serve`, or correct BASE_URL'
  try {
    const response = await fetch(`${config.baseUrl}/readyz`, { signal: AbortSignal.timeout(SERVER_TIMEOUT_MS) })
    if (response.ok) return ok('server', `ready at ${config.baseUrl}`)
    const reason = detailIn(await response.text()) ?? `/readyz returns ${response.status}`
    return fault('server', `responds at ${config.baseUrl}: ${reason}`, 'see the log of the server')
  } catch (error) {
    return fault('server', `${config.baseUrl} does not respond: ${firstLineOf(error)}`, remedy)
  }
}

/** The detail of a problem document; undefined for another body, such as a proxy's. */
const detailIn = (body: string): string | undefined => /"detail":"([^"\\]+)"/.exec(body)?.[1]

/** Whether the servers know the proxies that their requests come through. */
export async function checkProxies(ctx: Ctx): Promise<Finding> {
  const unknown = await listReportedLabels(ctx, { metric: UNKNOWN_PROXY_METRIC, label: 'proxy' })
  const proxies = [...new Set(unknown.map(({ value }) => value))].toSorted()
  if (proxies.length === 0) return ok('proxies', 'known, or none')
  return fault(
    'proxies',
    `all visitors who come through ${proxies.join(', ')} count as one client, and share its limits`,
    `set TRUSTED_PROXIES=${proxies.join(',')} for the servers, and restart them`,
  )
}

/** Whether each enabled actor runs. A running worker has a PostgreSQL connection with its application name. */
export function checkWorkers({ config }: Deps, applications: ReadonlySet<string>): Finding[] {
  const isTogether = (name: string) =>
    applications.has(`hearth-${TOGETHER}`) && (config.workerProcesses.get(name) ?? 1) === 1
  return ACTOR_NAMES.filter((name) => config.workerProcesses.get(name) !== 0).map((name) =>
    applications.has(`hearth-${name}`) || isTogether(name)
      ? ok(name, 'running')
      : fault(name, 'not running', `start it with \`hearth work ${name}\`, or set ${variableOf(name)}=0`),
  )
}

const variableOf = (actor: string) => `WORKERS_${actor.toUpperCase().replaceAll('-', '_')}`

/** Whether the workers keep up with their work. */
export async function checkBacklogs(ctx: Ctx): Promise<Finding[]> {
  const [outbox, deliveries, messages, prices, overdue, letters] = await Promise.all([
    getOutboxLag(ctx),
    deliveryBacklog(ctx),
    getMessageBacklog(ctx),
    getPricingLag(ctx),
    listOverdueTables(ctx),
    Promise.all(ACTOR_NAMES.map((name) => countDeadLetters(ctx, { actor: name }))),
  ])
  const dead = letters.reduce((sum, count) => sum + count, 0)
  return [
    backlog('outbox', outbox.waiting, outbox.oldestSeconds, 'relay-outbox'),
    backlog('webhooks', deliveries.due, deliveries.oldestSeconds, 'deliver-webhooks'),
    receivers(deliveries),
    messagesOf(messages),
    backlog('prices', prices.waiting, prices.oldestSeconds, 'refresh-pricing'),
    oldRows(overdue),
    dead === 0
      ? ok('dead letters', 'none')
      : fault(
          'dead letters',
          `${dead} ${dead === 1 ? 'message' : 'messages'}`,
          'list them with `hearth work dead-letters`',
        ),
  ]
}

/** Single failing receivers are left to their owners. If most fail, the cause is probably on this side. */
function receivers({ failingEndpoints: failing, enabledEndpoints: enabled, dueToFailing }: DeliveryBacklog): Finding {
  if (failing === 0) return ok('receivers', 'no webhook endpoint fails')
  const message = `failing webhook endpoints: ${failing} of ${enabled}, deliveries that wait for them: ${dueToFailing}`
  if (failing < MANY_RECEIVERS || failing <= enabled / 2) return ok('receivers', `${message}; their owners see why`)
  return fault('receivers', message, 'check this machine’s outbound network and DNS')
}

function oldRows(overdue: readonly { table: string; days: number }[]): Finding {
  if (overdue.length === 0) return ok('old rows', 'deleted in time')
  const message = overdue.map(({ table, days }) => `${table} by ${Math.floor(days)} days`).join(', ')
  return fault('old rows', `kept too long: ${message}`, 'see the log of sweep-expired')
}

/** Messages behind one that a mail server put off are no fault of ours: /console/mail says what that server answered. */
function messagesOf({ due, held, oldestSeconds }: MessageBacklog): Finding {
  const finding = backlog('messages', due, oldestSeconds, 'send-messages')
  if (held === 0) return finding
  return {
    ...finding,
    message: `${finding.message}; ${held} behind one that its mail server put off, see /console/mail`,
  }
}

function backlog(subject: string, count: number, oldestSeconds: number, actor: string): Finding {
  const message = count === 0 ? 'nothing waiting' : `${count} waiting, the oldest for ${Math.round(oldestSeconds)} s`
  if (oldestSeconds <= LATE_SECONDS) return ok(subject, message)
  return fault(subject, message, `see the log of ${actor}, or run more processes with ${variableOf(actor)}=2`)
}
