// Servers and workers: whether they run, and whether they keep up.
import { ACTOR_NAMES } from '../../../workers/runtime/actor-names.ts'
import type { Deps } from '../../deps.ts'
import { countDeadLetters } from '../../features/dead-letters/verbs.ts'
import { getOutboxLag } from '../../features/outbox/verbs.ts'
import { getPricingLag } from '../../features/pricing/verbs.ts'
import { deliveryBacklog } from '../../webhooks/delivery/planning.ts'
import { type Finding, ok, firstLineOf, fault } from './finding.ts'

const SERVER_LIMIT_MS = 3000
/** Work that has waited longer than this is behind, whatever the load. */
const BEHIND_SECONDS = 60

/** Whether a server answers where clients find it. */
export async function checkServer({ config }: Pick<Deps, 'config'>): Promise<Finding> {
  const remedy = 'start one with `hearth serve`, or set BASE_URL to where clients reach it'
  try {
    const answer = await fetch(`${config.baseUrl}/readyz`, { signal: AbortSignal.timeout(SERVER_LIMIT_MS) })
    if (answer.ok) return ok('server', `ready at ${config.baseUrl}`)
    return fault('server', `${config.baseUrl}/readyz answers ${answer.status}`, 'see its log; it says what it lacks')
  } catch (error) {
    return fault('server', `${config.baseUrl} does not answer: ${firstLineOf(error)}`, remedy)
  }
}

/** Whether each actor that is wanted runs: workers are connected to PostgreSQL under their names as long as they live. */
export function checkWorkers({ config }: Pick<Deps, 'config'>, applications: ReadonlySet<string>): Finding[] {
  return ACTOR_NAMES.filter((name) => config.workerProcesses.get(name) !== 0).map((name) =>
    applications.has(`hearth-${name}`)
      ? ok(name, 'runs')
      : fault(name, 'does not run', `start it with \`hearth work ${name}\`, or set ${variableOf(name)}=0`),
  )
}

const variableOf = (actor: string) => `WORKERS_${actor.toUpperCase().replaceAll('-', '_')}`

/** Whether the workers keep up with what there is to do. */
export async function checkBacklogs(deps: Deps): Promise<Finding[]> {
  const [outbox, deliveries, prices, letters] = await Promise.all([
    getOutboxLag(deps),
    deliveryBacklog(deps),
    getPricingLag(deps),
    Promise.all(ACTOR_NAMES.map((name) => countDeadLetters(deps, name))),
  ])
  const dead = letters.reduce((sum, count) => sum + count, 0)
  return [
    behind('outbox', 'to be relayed', outbox.waiting, outbox.oldestSeconds, 'relay-outbox'),
    behind('webhooks', 'to be delivered', deliveries.due, deliveries.oldestSeconds, 'deliver-webhooks'),
    behind('prices', 'for the statistics', prices.waiting, prices.oldestSeconds, 'refresh-pricing'),
    dead === 0
      ? ok('dead letters', 'none')
      : fault('dead letters', `${dead} messages given up`, 'see them with `hearth work dead-letters`'),
  ]
}

function behind(what: string, waits: string, count: number, oldestSeconds: number, actor: string): Finding {
  const says =
    count === 0 ? `nothing waits ${waits}` : `${count} waiting ${waits}, the oldest for ${Math.round(oldestSeconds)} s`
  if (oldestSeconds <= BEHIND_SECONDS) return ok(what, says)
  return fault(what, says, `see the log of ${actor}, or run more of it with ${variableOf(actor)}=2`)
}
