// `hearth doctor`: what a person would check when something is wrong, a line each, with what to do about it.
import { isActorName } from '../../../workers/runtime/actor-names.ts'
import { type Config, readConfig } from '../../config.ts'
import { ConfigError } from '../../platform/environment.ts'
import { type Deps, openDeps } from '../../deps.ts'
import { openLog } from '../../platform/telemetry/log.ts'
import { type Finding, ok, firstLineOf, fault } from './finding.ts'
import { checkBacklogs, checkServer, checkWorkers } from './processes.ts'
import { checkMigrations, checkPostgres, checkRedis, checkReplica } from './stores.ts'
import { commandEnvironment } from '../command-deps.ts'

/** Prints what it finds, and ends with status 1 where something is wrong. */
export async function runDoctor(): Promise<void> {
  let faults = 0
  for await (const { subject, message, remedy } of runChecks(commandEnvironment())) {
    console.log(`${remedy === undefined ? '✓' : '✗'} ${subject.padEnd(18)} ${message}${remedy ? ` → ${remedy}` : ''}`)
    if (remedy !== undefined) faults++
  }
  console.log(faults === 0 ? 'All is well.' : `${faults} ${faults === 1 ? 'thing is' : 'things are'} wrong.`)
  process.exitCode = faults === 0 ? 0 : 1
}

/** From what all depends on to what depends on it; what cannot be looked at for a fault above is left out. */
async function* runChecks(env: Record<string, string | undefined>): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield fault('configuration', error.message, 'mend the variable; README.md lists them all')
    return
  }
  yield configuration(config)
  const { findings, facts } = await checkPostgres(config.databaseUrl)
  yield* findings
  yield* await checkRedis(config)
  const deps = openDeps(config, { log: openLog('silent') })
  try {
    if (facts) {
      const migrations = await checkMigrations(deps)
      yield migrations
      yield* await checkReplica(deps)
      yield* checkWorkers(deps, facts.applications)
      if (migrations.remedy === undefined) yield* await backlogs(deps)
    }
    yield await checkServer(deps)
  } finally {
    await deps.close()
  }
}

async function backlogs(deps: Deps): Promise<Finding[]> {
  try {
    return await checkBacklogs(deps)
  } catch (error) {
    return [fault('backlogs', `cannot be read: ${firstLineOf(error)}`, 'see the log of PostgreSQL')]
  }
}

/** What can be set and still is not meant. */
function configuration({ environment, baseUrl, webhookAllowPrivate, stripe, workerProcesses }: Config): Finding {
  const unknown = [...workerProcesses.keys()].find((name) => !isActorName(name))
  if (unknown !== undefined)
    return fault('configuration', `WORKERS_… names no actor: ${unknown}`, 'unset it; `hearth work --help` says more')
  if (environment !== 'production') return ok('configuration', 'for development')
  if (webhookAllowPrivate)
    return fault('configuration', 'WEBHOOK_ALLOW_PRIVATE is on in production', 'unset it: webhooks reach your network')
  if (!baseUrl.startsWith('https://'))
    return fault('configuration', `BASE_URL is ${baseUrl} in production`, 'set it to the https:// address of clients')
  if (!stripe)
    return fault('configuration', 'payments go to the sandbox in production', 'set STRIPE_SECRET_KEY and its webhook’s')
  return ok('configuration', 'for production')
}
