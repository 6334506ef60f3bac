// `hearth work`: runs the actors under a supervisor, and manages dead letters.
import { ACTOR_NAMES, isActorName, processCounts, together as joined } from '../../workers/runtime/actor-names.ts'
import { openSupervisedSession } from '../../workers/runtime/lent-session.ts'
import { openSupervisorOpsServer } from '../../workers/runtime/supervisor-ops-server.ts'
import { type WorkerEvent, withPrivateOpsPorts, startSupervisor } from '../../workers/runtime/supervisor.ts'
import { readConfig } from '../config.ts'
import { listDeadLetters, retryDeadLetter } from '../features/upkeep/dead-letters/verbs.ts'
import { checkRoutes } from '../platform/postgres/pooler.ts'
import { checkOnceReachable, exitBecause } from '../platform/start-checks.ts'
import { type Log, openLog } from '../platform/telemetry/log.ts'
import { UsageError, requireId, requireOneOf } from './failure.ts'
import { commandEnvironment, withDeps } from './command-deps.ts'

interface WorkOptions {
  processes?: string
  together?: true
}

/** Runs the named actors, or all, until SIGTERM or SIGINT. */
export async function runWork(names: string[], { processes, together }: WorkOptions): Promise<void> {
  if (together && names.length > 0)
    throw new UsageError('--together runs all actors: name them without it, or leave out those with WORKERS_<NAME>=0.')
  const env = commandEnvironment()
  const config = readConfig(env)
  const log = openLog(config.logLevel)
  const actors = chosen(names, processes, config.workerProcesses)
  // For all of the processes, which end with this one when a store that answers late shows that its URL cannot work.
  await checkOnceReachable(() => checkRoutes(config), exitBecause)
  const session = await openSupervisedSession(config)
  const supervisor = startSupervisor({
    actors: together ? joined(actors) : actors,
    env: { ...withPrivateOpsPorts(env), ...session.env },
    output: 'inherit',
    onEvent: (event) => report(log, event),
  })
  const ops = openSupervisorOpsServer(config, supervisor)
  log.info({ opsUrl: ops.url.origin }, 'supervising')
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(name, resolve)
  })
  log.info({ signal }, 'stopping')
  await supervisor.stop()
  await session.close()
  process.exit(0)
}

function chosen(names: string[], processes: string | undefined, configured: ReadonlyMap<string, number>) {
  const unknown = [...names, ...configured.keys()].find((name) => !isActorName(name))
  if (unknown !== undefined) throw new UsageError(`Unknown actor "${unknown}". Actors: ${ACTOR_NAMES.join(', ')}.`)
  const each = names.length > 0 ? names : ACTOR_NAMES
  if (processes === undefined) return processCounts(each, configured)
  const count = /^\d{1,2}$/.test(processes) ? Number(processes) : 0
  if (count < 1 || count > 64) throw new UsageError(`--processes must be 1 to 64, not "${processes}".`)
  return each.map((name) => ({ name, processes: count }))
}

const report = (log: Log, { kind, ...event }: WorkerEvent) =>
  kind === 'started' ? log.info(event, 'worker started') : log.warn(event, `worker ${kind}`)

interface DeadLettersOptions {
  actor?: string
  retry?: string
  limit: string
  json?: boolean
}

/** Lists dead letters, or retries one. */
export const runDeadLetters = ({ actor, retry, limit, json }: DeadLettersOptions) =>
  withDeps(async (ctx) => {
    if (actor !== undefined) requireOneOf(actor, ACTOR_NAMES, '--actor')
    if (retry !== undefined) {
      const letter = await retryDeadLetter(ctx, { id: requireId(retry, 'dead letter', 'work dead-letters') })
      return console.log(`Sent to ${letter.actor} again. The dead letter is deleted once it is handled.`)
    }
    const count = Number(limit)
    if (!(count >= 1 && count <= 1000)) throw new UsageError(`--limit must be 1 to 1000, not "${limit}".`)
    const letters = await listDeadLetters(ctx, { actor, limit: count })
    if (json) return console.log(JSON.stringify(letters))
    if (letters.length === 0) return console.log('No dead letters.')
    for (const { id, failedAt, retriedAt, attempts, error, ...letter } of letters)
      console.log(`${id}  ${failedAt}  ${letter.actor}  ${retriedAt ? 'sent again' : `${attempts} attempts`}  ${error}`)
  })
