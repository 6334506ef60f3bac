// Runs actors as a process: opens them, runs them until a signal, drains them within a deadline.
import { type Config, readConfig } from '../../src/config.ts'
import { ctxOf } from '../../src/ctx.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { LONGEST_REPORT_MS, openReporting } from '../../src/features/upkeep/operations/verbs/reporting.ts'
import { observeProvider } from '../../src/payments/open-provider.ts'
import { checkProviders } from '../../src/payments/verbs/check-providers.ts'
import { settlesWithin, waitUntil } from '../../src/platform/clock/deadlines.ts'
import { logCrashes } from '../../src/platform/telemetry/log.ts'
import { openQueueConsumer } from '../../src/platform/queue/queue-consumer.ts'
import { type Metrics, openMetrics } from '../../src/platform/telemetry/metrics.ts'
import { observePools } from '../../src/platform/postgres/pool-metrics.ts'
import { refuseCluster } from '../../src/platform/redis/client.ts'
import { checkOnceReachable, exitBecause } from '../../src/platform/start-checks.ts'
import { checkRoutes } from '../../src/platform/postgres/pooler.ts'
import { openSessionLocks } from '../../src/platform/postgres/session-locks.ts'
import { joinSession } from '../../src/platform/postgres/shared-session.ts'
import { openTelemetry } from '../../src/platform/telemetry/sdk.ts'
import type { Actor, ActorContext } from './actor.ts'
import { type ActorMetrics, observeActor } from './actor-metrics.ts'
import { startHeartbeat } from './heartbeat.ts'
import { fenceWrites } from './fenced-writes.ts'
import { createKeyedMutex } from './keyed-mutex.ts'
import { createMessageHandler } from './message-handler.ts'
import { openOpsServer } from './ops-server.ts'
import { startPeriodicTask } from './scheduler.ts'

/** How long current work may take to end. With the rest of the shutdown this stays within ten seconds. */
const DRAIN_MS = 6000
const FLUSH_MS = 1000
/**
 * Workers keep no connections for peaks: the servers of the next upgrade need them, and a new one takes 10 to 30 ms. Longer than
 * the rest between two reports, because `hearth doctor` finds a worker by its connections.
 */
const IDLE_SECONDS = LONGEST_REPORT_MS / 1000 + 30

export interface RunningActor {
  /** Accepts no further work, waits up to `drainMs` for the current work, and disconnects from the queue. */
  stop(drainMs?: number): Promise<void>
}

export interface StartOptions {
  metrics: Metrics
  /** Ends the process. */
  crash: (reason: string) => void
}

/** Starts an actor on open stores; `stop` leaves them open. */
export async function startActor<Data, State>(
  opened: Deps,
  actor: Actor<Data, State>,
  { metrics, crash }: StartOptions,
): Promise<RunningActor> {
  const deps = { ...opened, write: fenceWrites(opened.write) }
  const log = deps.log.child({ actor: actor.name })
  const drainDeadline = new AbortController()
  const context: ActorContext = { deps, ctx: ctxOf(deps), log, metrics, signal: drainDeadline.signal }
  // State is void for an actor without `open`.
  const state = (await actor.open?.(context)) as State
  const observed = observeActor(context, actor)
  const consumer = actor.handle ? startConsumer(context, actor, { state, observed, crash }) : undefined
  const tasks = actor.periodic.map((task) =>
    startPeriodicTask(context, task, { actor: actor.name, record: observed.recordRun }),
  )
  const warn = (error: unknown) => log.warn({ err: error }, 'failed to stop a part of the actor')
  return {
    stop: async (drainMs = DRAIN_MS) => {
      const activeCount = () => consumer?.activeCount() ?? 0
      const consumerClosed = consumer?.close()
      const work = [
        ...tasks.map((task) => task.close()),
        // BullMQ's own `close` never resolves while Redis is unavailable.
        waitUntil(() => activeCount() === 0, drainMs),
        (async () => await actor.close?.(context, state))(),
      ]
      const drained = await Promise.all(work.map((step) => settlesWithin(step, drainMs, warn)))
      if (activeCount() > 0 || drained.includes(false))
        log.error({ active: activeCount() }, 'the current work did not end within the drain deadline and is aborted')
      drainDeadline.abort(new Error('The drain deadline has passed.'))
      // Acknowledges the handled messages. While Redis is unavailable they are delivered again, which handlers allow for.
      if (consumerClosed) await settlesWithin(consumerClosed, FLUSH_MS, warn)
      consumer?.disconnect()
    },
  }
}

/** The queue's consumer, with the locks of its keys. */
function startConsumer<Data, State>(
  context: ActorContext,
  actor: Actor<Data, State>,
  { state, observed, crash }: { state: State; observed: ActorMetrics; crash: StartOptions['crash'] },
) {
  const { deps, log } = context
  const locks = openSessionLocks(deps.session, () => mutex.revokeAll())
  const mutex = createKeyedMutex(locks, actor.name)
  return openQueueConsumer({
    ...deps.config,
    actor: actor.name,
    concurrency: actor.concurrency,
    receive: createMessageHandler(context, actor, { state, mutex, record: observed.recordMessage, crash }),
    onError: (error) => log.debug({ err: error }, 'queue'),
  })
}

/** Runs an actor as this process until SIGTERM or SIGINT; with or without a supervisor. */
export const runActor = <Data, State>(actor: Actor<Data, State>): Promise<void> =>
  // `hearth doctor` finds the actor by its application name.
  runActors([actor], `hearth-${actor.name}`)

/** Runs actors together as this process, which telemetry and PostgreSQL know as `service`. */
export async function runActors(actors: readonly Actor<unknown, unknown>[], service: string): Promise<void> {
  try {
    await run(actors, service, readConfig())
  } catch (error) {
    exitBecause(error)
  }
}

async function run(actors: readonly Actor<unknown, unknown>[], service: string, config: Config): Promise<void> {
  await Promise.all([
    // A supervisor that lends its session has checked the routes for all of its processes.
    config.sessionSocket ? undefined : checkOnceReachable(() => checkRoutes(config), exitBecause),
    checkOnceReachable(() => refuseCluster(config.redisUrl), exitBecause),
  ])
  const limits = databaseLimitsOf(actors)
  const [opened, ...others] = limits.map((databaseLimitMs) => openWorkerDeps(config, service, databaseLimitMs))
  if (!opened) throw new Error('There are no actors to run.')
  const { log } = opened
  logCrashes(log)
  const telemetry = openTelemetry({
    serviceName: service,
    ...config.tracing,
    onProblem: (problem) => log.warn({ problem }, 'telemetry'),
  })
  const metrics = openMetrics(service)
  // Only the pools of most actors are measured: the names of the others are the same.
  const deps: Deps = { ...opened, ...observePools(metrics, opened, config.databaseConnections) }
  deps.restoredCopy.observe(metrics)
  const names = actors.map(({ name }) => name).join(', ')
  const crash = (reason: string) => {
    log.fatal({ actor: names, reason }, 'crashed')
    process.exit(1)
  }
  if (actors.some(({ handlesPayments }) => handlesPayments)) {
    await checkOnceReachable(() => checkProviders(ctxOf(deps)), exitBecause)
    observeProvider(deps, metrics)
  }
  const depsByLimit = new Map([deps, ...others].map((each, index) => [limits[index], each]))
  const running = await Promise.all(
    actors.map((actor) => startActor(depsByLimit.get(actor.databaseLimitMs) ?? deps, actor, { metrics, crash })),
  )
  const reporting = openReporting({ deps, service, traces: telemetry.traces, metrics })
  const ops = openOpsServer(config, metrics)
  const stopHeartbeat = startHeartbeat(ops.url.origin)
  const warn = (error: unknown) => log.warn({ err: error }, 'failed to stop a part of the process')
  const stop = async () => {
    await Promise.all(running.map((actor) => actor.stop()))
    await settlesWithin(Promise.all([ops.stop(true), reporting.close()]), FLUSH_MS, warn)
    await settlesWithin(Promise.all([opened, ...others].map((each) => each.close())), FLUSH_MS, warn)
    await telemetry.close(FLUSH_MS)
    stopHeartbeat()
    log.info({ actor: names }, 'stopped')
    process.exit(0)
  }
  let stopping: Promise<void> | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stopping) log.info({ actor: names, signal }, 'draining')
    stopping ??= stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  log.info({ actor: names, opsUrl: ops.url.origin, pid: process.pid }, 'working')
}

/** Actors with the same limit share pools; the limit of most comes first. */
export const databaseLimitsOf = (actors: readonly Pick<Actor<unknown, unknown>, 'databaseLimitMs'>[]): number[] =>
  [...new Set(actors.map(({ databaseLimitMs }) => databaseLimitMs))].toSorted((a, b) => a - b)

const openWorkerDeps = (config: Config, applicationName: string, databaseLimitMs: number): Deps =>
  openDeps(config, {
    databaseLimitMs,
    applicationName,
    idleSeconds: IDLE_SECONDS,
    ...(config.sessionSocket ? { session: joinSession(config.sessionSocket) } : {}),
  })
