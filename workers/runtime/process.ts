// Runs one actor as a process: opens it, runs it until a signal, drains it within a deadline.
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
export async function runActor<Data, State>(actor: Actor<Data, State>): Promise<void> {
  try {
    await run(actor, readConfig())
  } catch (error) {
    exitBecause(error)
  }
}

async function run<Data, State>(actor: Actor<Data, State>, config: Config): Promise<void> {
  await Promise.all([
    // A supervisor that lends its session has checked the routes for all of its processes.
    config.sessionSocket ? undefined : checkOnceReachable(() => checkRoutes(config), exitBecause),
    checkOnceReachable(() => refuseCluster(config.redisUrl), exitBecause),
  ])
  const service = `hearth-${actor.name}`
  // `hearth doctor` finds the actor by its application name.
  const opened = openDeps(config, {
    databaseLimitMs: actor.databaseLimitMs,
    applicationName: service,
    idleSeconds: IDLE_SECONDS,
    ...(config.sessionSocket ? { session: joinSession(config.sessionSocket) } : {}),
  })
  const { log } = opened
  logCrashes(log)
  const telemetry = openTelemetry({
    serviceName: service,
    ...config.tracing,
    onProblem: (problem) => log.warn({ problem }, 'telemetry'),
  })
  const metrics = openMetrics(service)
  const deps: Deps = { ...opened, ...observePools(metrics, opened, config.databaseConnections) }
  deps.restoredCopy.observe(metrics)
  const crash = (reason: string) => {
    log.fatal({ actor: actor.name, reason }, 'crashed')
    process.exit(1)
  }
  if (actor.handlesPayments) {
    await checkOnceReachable(() => checkProviders(ctxOf(deps)), exitBecause)
    observeProvider(deps, metrics)
  }
  const running = await startActor(deps, actor, { metrics, crash })
  const reporting = openReporting({ deps, service, traces: telemetry.traces, metrics })
  const ops = openOpsServer(config, metrics)
  const stopHeartbeat = startHeartbeat(ops.url.origin)
  const warn = (error: unknown) => log.warn({ err: error }, 'failed to stop a part of the process')
  const stop = async () => {
    await running.stop()
    await settlesWithin(Promise.all([ops.stop(true), reporting.close()]), FLUSH_MS, warn)
    await settlesWithin(opened.close(), FLUSH_MS, warn)
    await telemetry.close(FLUSH_MS)
    stopHeartbeat()
    log.info({ actor: actor.name }, 'stopped')
    process.exit(0)
  }
  let stopping: Promise<void> | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (!stopping) log.info({ actor: actor.name, signal }, 'draining')
    stopping ??= stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal)
  log.info({ actor: actor.name, opsUrl: ops.url.origin, pid: process.pid }, 'working')
}
