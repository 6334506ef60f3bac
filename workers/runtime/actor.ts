// What an actor is: a process with one mailbox, one handler and its own state. process.ts runs one; supervisor.ts runs all.
import type { Deps } from '../../src/deps.ts'
import type { Channel } from '../../src/platform/postgres/notifications.ts'
import type { Log } from '../../src/platform/telemetry/log.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'

/** A message as the handler gets it. It may come more than once: a process can die after the work and before the word of it. */
export interface Message<Data> {
  readonly id: string
  readonly data: Data
  /** Counts from 1; a process that died while it handled the message counts as an attempt. */
  readonly attempt: number
}

/** What the handler and the periodic work are given. */
export interface ActorContext {
  /** The stores, with the longer limits of a worker. `deps.queues.send('<actor>', …)` writes to an actor. */
  readonly deps: Deps
  readonly log: Log
  readonly metrics: Metrics
  /** Aborted when the message has taken too long, or its turn was lost, or the process may not wait for it any longer. */
  readonly signal: AbortSignal
}

/** How often a message is tried before it becomes a dead letter, and how long it rests after each failed attempt. */
export interface Retry {
  readonly attempts: number
  /** The delay after attempt `attempt` (from 1). */
  readonly delayMs: (attempt: number) => number
}

/** Work that comes back by itself, beside the mailbox or instead of one. Every process does it: make it safe side by side. */
export interface Periodic {
  /** Names it in logs and metrics. */
  readonly name: string
  /** How long it rests between two rounds. */
  readonly everyMs: number
  /** A channel whose notifications wake it earlier. */
  readonly wokenBy?: Channel
  /** One round. True: there is more to do, the next one begins at once. A number: it rests for so many milliseconds. */
  run(context: ActorContext): Promise<boolean | number | void>
}

export interface ActorDefinition<Data> {
  /** Its name everywhere: the file, the mailbox, the span, the metrics' label, `hearth work <name>`. */
  readonly name: string
  /** Handles a message: done when it returns, tried again when it throws. Without it the actor has no mailbox. */
  handle?(message: Message<Data>, context: ActorContext): Promise<void>
  /** The shape of a message's data. Throws for what it does not know: that is a dead letter at once. */
  parse?(data: unknown): Data
  /** How many messages a process handles at once. */
  readonly concurrency?: number
  /**
   * Messages that share a key are handled one at a time, whatever the number of processes, and within a process in the
   * order in which they came. Messages without a key do not wait for each other.
   */
  key?(data: Data): string | undefined
  readonly retry?: Retry
  /** The longest a message may take. One that goes on after its signal was aborted ends the process. */
  readonly limitMs?: number
  readonly every?: readonly Periodic[]
  /** The longest a statement or transaction may take. */
  readonly databaseLimitMs?: number
  /** Called once before anything is handled, for metrics of the actor's own. */
  open?(context: ActorContext): Promise<void> | void
  /** Called once when the process stops, for an actor that does more than it was just told: ends that, and waits for it. */
  close?(context: ActorContext): Promise<void>
}

/** An actor, with everything that its definition left open. */
export interface Actor<Data> extends ActorDefinition<Data> {
  readonly concurrency: number
  readonly retry: Retry
  readonly limitMs: number
  readonly every: readonly Periodic[]
  readonly databaseLimitMs: number
}

/** 1 s, 2 s, 4 s … up to a minute: a fault that passes is over within the first few. */
const RETRY: Retry = { attempts: 8, delayMs: (attempt) => Math.min(60_000, 1000 * 2 ** (attempt - 1)) }

/**
 * Defines an actor. A file of its own in this folder exports it and runs it where it is the program:
 *
 *     export const countSheep = defineActor({ name: 'count-sheep', handle: async ({ data }) => … })
 *     if (import.meta.main) await runActor(countSheep)
 */
export function defineActor<Data>(definition: ActorDefinition<Data>): Actor<Data> {
  return Object.freeze({
    concurrency: 1,
    retry: RETRY,
    limitMs: 60_000,
    every: [],
    databaseLimitMs: 30_000,
    ...definition,
  })
}

/** Thrown by a handler for a message that no further attempt would help: it becomes a dead letter at once. */
export class Undeliverable extends Error {
  override readonly name = 'Undeliverable'
}
