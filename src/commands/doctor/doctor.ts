// `hearth doctor`: checks everything Hearth needs and prints one line per check, with a remedy for each fault.
import { isActorName } from '../../../workers/runtime/actor-names.ts'
import { type Config, readConfig } from '../../config.ts'
import { ConfigError } from '../../platform/environment.ts'
import { type Ctx, ctxOf } from '../../ctx.ts'
import { openDeps } from '../../deps.ts'
import { openLog } from '../../platform/telemetry/log.ts'
import { directUrlOf } from '../../platform/postgres/configured-urls.ts'
import { type Finding, ok, firstLineOf, fault } from './finding.ts'
import { checkBacklogs, checkProxies, checkServer, checkWorkers } from './processes.ts'
import { checkLaunch } from './launch.ts'
import { checkMail } from './mail.ts'
import { checkMoney } from './money.ts'
import { checkPayments } from './payments.ts'
import { checkRoute } from './route.ts'
import {
  checkMigrations,
  checkPostgres,
  checkRedis,
  checkReplicas,
  checkRestored,
  checkZones,
  connectionsOfServer,
} from './stores.ts'
import { commandEnvironment } from '../command-deps.ts'

/** Prints every finding, and sets exit status 1 when there is a fault. With `launch`, also what is needed before opening. */
export async function runDoctor({ launch = false }: { launch?: boolean } = {}): Promise<void> {
  let faults = 0
  for await (const { subject, message, remedy } of runChecks(commandEnvironment(), launch)) {
    console.log(`${remedy === undefined ? '✓' : '✗'} ${subject.padEnd(18)} ${message}${remedy ? ` → ${remedy}` : ''}`)
    if (remedy !== undefined) faults++
  }
  console.log(faults === 0 ? 'All checks passed.' : `${faults} ${faults === 1 ? 'problem' : 'problems'} found.`)
  process.exitCode = faults === 0 ? 0 : 1
}

/** Runs the checks in order of dependency. Skips checks that cannot run because of an earlier fault. */
async function* runChecks(env: Record<string, string | undefined>, launch: boolean): AsyncGenerator<Finding> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    yield fault(
      'configuration',
      error.message,
      'correct the variable; docs/operators/configuration.md lists all of them',
    )
    return
  }
  yield configuration(config)
  const { findings, facts } = await checkPostgres(directUrlOf(config), connectionsOfServer(config))
  yield* findings
  yield* await checkRoute(config)
  yield* await checkRedis(config)
  yield await checkMail(config)
  const deps = openDeps(config, { log: openLog('silent') })
  try {
    if (facts) {
      const migrations = await checkMigrations(deps)
      yield migrations
      yield* await checkReplicas(deps)
      yield* checkWorkers(deps, facts.applications)
      if (migrations.remedy === undefined) {
        yield* await checkRestored(deps)
        yield await checkZones(ctxOf(deps))
        yield* await backlogs(ctxOf(deps))
        yield* await checkPayments(ctxOf(deps))
        yield await checkProxies(ctxOf(deps))
        if (launch) yield* await checkLaunch(ctxOf(deps), facts)
      }
    }
    yield await checkServer(deps)
  } finally {
    await deps.close()
  }
}

async function backlogs(ctx: Ctx): Promise<Finding[]> {
  try {
    return [...(await checkBacklogs(ctx)), await checkMoney(ctx)]
  } catch (error) {
    return [fault('backlogs', `cannot be read: ${firstLineOf(error)}`, 'see the log of PostgreSQL')]
  }
}

/** Settings that are valid but probably unintended. */
function configuration({ environment, baseUrl, webhookAllowPrivate, workerProcesses }: Config): Finding {
  const unknown = [...workerProcesses.keys()].find((name) => !isActorName(name))
  if (unknown !== undefined)
    return fault(
      'configuration',
      `WORKERS_… names an unknown actor: ${unknown}`,
      'unset it, or see `hearth work --help`',
    )
  if (environment !== 'production') return ok('configuration', 'development')
  if (webhookAllowPrivate)
    return fault(
      'configuration',
      'WEBHOOK_ALLOW_PRIVATE is on in production',
      'unset it: webhooks can reach your private network',
    )
  if (!baseUrl.startsWith('https://'))
    return fault(
      'configuration',
      `BASE_URL is ${baseUrl} in production`,
      'set it to the https:// address that clients use',
    )
  return ok('configuration', 'production')
}
