// The definition of an actor: a process with one queue, one handler and its own state. process.ts runs one actor,
// supervisor.ts runs all of them.
import type { Ctx } from '../../src/ctx.ts'
import type { Deps } from '../../src/deps.ts'
import type { DueWork } from '../../src/platform/postgres/due-work.ts'
import type { Channel } from '../../src/platform/postgres/notifications.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'

/** Delivered at least once: a process may die after the work and before acknowledging it. */
export interface Message<Data> {
  readonly id: string
  readonly data: Data
  /** Counts from 1; a process that died while it handled the message counts as an attempt. */
  readonly attempt: number
}

export interface ActorContext {
  /** The stores, with the longer timeouts of a worker. `deps.queues.send('<actor>', …)` writes to an actor. */
  readonly deps: Deps
  /** The ctx for verbs. */
  readonly ctx: Ctx
  readonly log: Log
  readonly metrics: Metrics
  /** Aborted when the message exceeds its timeout, its key's lock is lost, or the process's drain deadline passes. */
  readonly signal: AbortSignal
}

export interface Retry {
  /** A message that fails this often becomes a dead letter. */
  readonly attempts: number
  /** The delay after attempt `attempt` (from 1). */
  readonly delayMs: (attempt: number) => number
}

/** Recurring work, beside the queue or instead of one. Every process runs it: make it safe to run concurrently. */
export interface PeriodicTask {
  /** Identifies it in logs and metrics. */
  readonly name: string
  /** The pause between two runs. */
  readonly everyMs: number
  /** A channel whose notifications end the pause early. */
  readonly wakeOn?: Channel
  /** The kind of due work that ends its rest. */
  readonly due?: DueWork
  /** The longest rest; two minutes by default. Infinity: rests at once until something ends it. */
  readonly longestRestMs?: number
  /**
   * Runs once. Returns true to run again at once, or a number of milliseconds to pause instead of `everyMs`. After 'nothing',
   * which means that nothing was due, the task rests: for `everyMs`, and twice as long each time that it finds nothing again.
   */
  run(context: ActorContext): Promise<boolean | number | 'nothing' | void>
}

/** What a periodic task returns after a batch of up to `limit` rows: a full one may have left some. */
export const moreOrNothing = (done: number, limit: number): boolean | 'nothing' =>
  done === 0 ? 'nothing' : done === limit

/** `State` is what `open` returns: one value per process, passed to `handle` and `close`. */
export interface ActorDefinition<Data, State = void> {
  /** Names the file, the queue, the span, the metrics' label and the argument of `hearth work <name>`. */
  readonly name: string
  /** Handles a message; one that throws is retried. Without a handler the actor has no queue. */
  handle?(message: Message<Data>, context: ActorContext, state: State): Promise<void>
  /** Checks a message's data. Throws for data of another shape, which becomes a dead letter at once. */
  parse?(data: unknown): Data
  /** How many messages a process handles at once. */
  readonly concurrency?: number
  /**
   * Messages with the same key are handled one at a time across all processes, and in order of arrival within a process.
   * Messages without a key are independent.
   */
  key?(data: Data): string | undefined
  readonly retry?: Retry
  /** The longest a message may take. The process exits when a handler goes on after its signal is aborted. */
  readonly timeoutMs?: number
  readonly periodic?: readonly PeriodicTask[]
  /** The longest a statement or transaction may take. */
  readonly databaseLimitMs?: number
  /** Whether it handles payments: then it refuses to start without the provider that open ones need. */
  readonly handlesPayments?: boolean
  /** Called once, before the first message. */
  open?(context: ActorContext): Promise<State> | State
  /** Called once, when the process stops: ends the work that `open` started and waits for it. */
  close?(context: ActorContext, state: State): Promise<void>
}

/** A definition with all defaults filled in. */
export interface Actor<Data, State = void> extends ActorDefinition<Data, State> {
  readonly concurrency: number
  readonly retry: Retry
  readonly timeoutMs: number
  readonly periodic: readonly PeriodicTask[]
  readonly databaseLimitMs: number
}

/** 1 s, 2 s, 4 s … up to a minute: a transient fault is over within the first few. */
const RETRY: Retry = { attempts: 8, delayMs: (attempt) => Math.min(60_000, 1000 * 2 ** (attempt - 1)) }

/**
 * Defines an actor. Each file in `workers/actors` exports one, and runs it when the file is the program:
 *
 *     export const countSheep = defineActor({ name: 'count-sheep', handle: async ({ data }) => … })
 *     if (import.meta.main) await runActor(countSheep)
 */
export function defineActor<Data, State = void>(definition: ActorDefinition<Data, State>): Actor<Data, State> {
  return Object.freeze({
    concurrency: 1,
    retry: RETRY,
    timeoutMs: 60_000,
    periodic: [],
    databaseLimitMs: 30_000,
    ...definition,
  })
}

/** Thrown for a message that no retry can help: it becomes a dead letter at once. */
export class UnrecoverableError extends Error {
  override readonly name = 'UnrecoverableError'
}
