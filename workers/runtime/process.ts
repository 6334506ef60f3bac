// One actor as a process: opened, run until a signal, drained within a deadline.
import { type Config, ConfigError, readConfig } from '../../src/config.ts'
import { type Deps, openDeps } from '../../src/deps.ts'
import { openReporting } from '../../src/features/operations/verbs/reporting.ts'
import { logCrashes } from '../../src/platform/telemetry/log.ts'
import { type Mailbox, openMailbox } from '../../src/platform/queue/queue-consumer.ts'
import { type Metrics, openMetrics } from '../../src/platform/telemetry/metrics.ts'
import { observePools } from '../../src/platform/postgres/pool-metrics.ts'
import { type SessionLocks, openSessionLocks } from '../../src/platform/postgres/session-locks.ts'
import { openTelemetry } from '../../src/platform/telemetry/open.ts'
import type { Actor, ActorContext } from './actor.ts'
import { handlingOf } from './handling.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openOps } from './ops.ts'
import { observeActor } from './observe.ts'
import { openRounds } from './scheduler.ts'
import { openTurns } from './keyed-mutex.ts'

/** How long what is in hand may take to end. With the rest of the way out this stays within ten seconds. */
const DRAIN_MS = 6000
const FLUSH_MS = 1000

export interface RunningActor {
  /** Takes nothing more, lets what is in hand end for `drainMs` at most, and lets go of the queue. */
  stop(drainMs?: number): Promise<void>
}

export interface StartOptions {
  deps: Deps
  metrics: Metrics
  /** Ends the process. */
  crash: (reason: string) => void
}

/** Starts an actor on stores that are open; they stay so. */
export async function startActor<Data>(
  actor: Actor<Data>,
  { deps, metrics, crash }: StartOptions,
): Promise<RunningActor> {
  const log = deps.log.child({ actor: actor.name })
  const cutOff = new AbortController()
  const base = { deps, log, metrics }
  const context: ActorContext = { ...base, signal: cutOff.signal }
  await actor.open?.(context)
  const observed = observeActor(actor, context)
  let locks: SessionLocks | undefined
  let mailbox: Mailbox | undefined
  if (actor.handle) {
    const held = openSessionLocks(deps.config.databaseUrl, () => turns.lose())
    const turns = openTurns(actor.name, held)
    const receive = handlingOf(actor, { base, turns, cutOff: cutOff.signal, record: observed.message, crash })
    const onError = (error: Error) => log.debug({ err: error }, 'mailbox')
    const { concurrency } = actor
    mailbox = openMailbox({ ...deps.config, actor: actor.name, concurrency, receive, onError })
    locks = held
  }
  const rounds = actor.every.map((work) => openRounds(work, { actor: actor.name, context, record: observed.round }))
  return {
    stop: async (drainMs = DRAIN_MS) => {
      const closing = mailbox?.close().catch((error: unknown) => log.debug({ err: error }, 'mailbox'))
      const ending = Promise.all([...rounds.map((round) => round.close()), untilEmpty(mailbox), actor.close?.(context)])
      if (!(await endsWithin(drainMs, ending)))
        log.error({ inHand: mailbox?.inHand() ?? 0 }, 'cut off: did not end in time')
      cutOff.abort(new Error('The process waits no longer.'))
      // Redis hears that they are done; if it is away, they come again, which handlers can bear.
      await endsWithin(FLUSH_MS, closing ?? Promise.resolve())
      mailbox?.disconnect()
      observed.close()
      await locks?.close()
    },
  }
}

/** BullMQ's own end never comes while Redis is away. */
async function untilEmpty(mailbox: Mailbox | undefined): Promise<void> {
  while (mailbox && mailbox.inHand() > 0) await Bun.sleep(20)
}

/** Whether `work` ends in time. */
async function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined
  const limit = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), limitMs)))
  return await Promise.race([work.then(() => true), limit]).finally(() => clearTimeout(timer))
}

/** Runs an actor as this process until SIGTERM or SIGINT; with or without a supervisor. */
export async function runActor<Data>(actor: Actor<Data>): Promise<void> {
  try {
    await run(actor, readConfig())
  } catch (error) {
    const reason = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error)
    process.stderr.write(`hearth: ${reason}\n`)
    process.exit(1)
  }
}

async function run<Data>(actor: Actor<Data>, config: Config): Promise<void> {
  const service = `hearth-${actor.name}`
  // `hearth doctor` finds the actor by this name.
  const opened = openDeps(config, { databaseLimitMs: actor.databaseLimitMs, applicationName: service })
  const { log } = opened
  logCrashes(log)
  const telemetry = openTelemetry({
    serviceName: service,
    otlpEndpoint: config.otlpEndpoint,
    sampleRatio: config.traceSampleRatio,
    onProblem: (problem) => log.warn({ problem }, 'telemetry'),
  })
  const metrics = openMetrics(service)
  const deps: Deps = { ...opened, ...observePools(metrics, opened, config.databaseConnections) }
  const crash = (reason: string) => {
    log.fatal({ actor: actor.name, reason }, 'crashed')
    process.exit(1)
  }
  const running = await startActor(actor, { deps, metrics, crash })
  const reporting = openReporting({ deps, service, traces: telemetry.traces, metrics })
  const ops = openOps(config, metrics)
  const stopHeartbeat = startHeartbeat(ops.url.origin)
  let leaving: Promise<void> | undefined
  const leave = (signal: NodeJS.Signals) => {
    if (leaving) return
    log.info({ actor: actor.name, signal }, 'draining')
    leaving = (async () => {
      await running.stop()
      await endsWithin(FLUSH_MS, Promise.all([ops.stop(true), reporting.close()]))
      await endsWithin(FLUSH_MS, opened.close())
      await telemetry.close(FLUSH_MS)
      stopHeartbeat()
      log.info({ actor: actor.name }, 'stopped')
      process.exit(0)
    })()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, leave)
  log.info({ actor: actor.name, opsUrl: ops.url.origin, pid: process.pid }, 'working')
}
