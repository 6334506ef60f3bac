// The way out of the outbox: every committed event once to who wants it, in order per aggregate.
import { SpanKind, TraceFlags, trace } from '@opentelemetry/api'

import type { Deps } from '../../deps.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { NewMessage } from '../../platform/queue/queues.ts'
import { StoreUnavailable } from '../../platform/postgres/store-error.ts'
import { contextOf } from '../../platform/telemetry/trace-context.ts'
import { keepDeadLetter } from '../dead-letters/verbs.ts'
import {
  type Lag,
  type OutboxEvent,
  deleteRelayed,
  findEvent,
  findWaitingPartitions,
  lockPartition,
  markRelayed,
  measureLag,
  saveAwake,
  selectWaiting,
} from './queries.ts'

export type { OutboxEvent }

/** Events of one aggregate are in one of these; as many relays can be busy at once. The database computes it. */
export const PARTITIONS = 8
const BATCH = 500
const KEPT_DAYS = 7
const PRUNED_AT_ONCE = 5000

const tracer = trace.getTracer('hearth.outbox')

/** Writes what subscribers need of events, in their transaction, and gives the messages that tell of it. */
export type Plan = (tx: Transaction, deps: Deps, events: readonly OutboxEvent[]) => Promise<NewMessage[]>

export interface Relayed {
  /** How many events left the outbox. */
  relayed: number
  /** More may wait. */
  isMore: boolean
}

/** The partitions in which events wait. */
export const waitingPartitions = ({ read }: Deps): Promise<number[]> => findWaitingPartitions(read, PARTITIONS)

/**
 * Relays the next events of a partition: in one transaction it keeps others away from the partition, writes what
 * subscribers need and marks the events as relayed; afterwards it wakes who delivers. None, when another relay has it.
 */
export async function relayBatch(deps: Deps, partition: number, plan: Plan): Promise<Relayed> {
  let startedAt = new Date()
  const { events, wakes } = await deps.write.begin('relayBatch', async (tx) => {
    if (!(await lockPartition(tx, partition))) return { events: [], wakes: [] }
    const waiting = await selectWaiting(tx, { partition, limit: BATCH })
    startedAt = new Date()
    if (waiting.length === 0) return { events: [], wakes: [] }
    const planned = await planAll(deps, tx, waiting, plan)
    await markRelayed(tx, { positions: waiting.map(({ position }) => position), now: deps.clock.now() })
    return { events: waiting, wakes: planned }
  })
  traceRelayed(events, startedAt)
  await wake(deps, wakes)
  return { relayed: events.length, isMore: events.length === BATCH }
}

/** A batch is of many traces: the relay's part in each that is in the sample. */
function traceRelayed(events: readonly OutboxEvent[], startTime: Date): void {
  for (const { id, type, traceparent } of events) {
    const of = contextOf(traceparent)
    if (!((trace.getSpanContext(of)?.traceFlags ?? 0) & TraceFlags.SAMPLED)) continue
    const attributes = { 'hearth.event.type': type, 'hearth.event.id': id }
    tracer.startSpan('relay event', { kind: SpanKind.PRODUCER, startTime, attributes }, of).end()
  }
}

/** For so long commits need not notify: a relay comes round by itself. */
export const stayAwake = ({ write }: Deps, ms: number): Promise<void> => saveAwake(write, ms)

/** Plans one event again that was given up. */
export async function relayAgain(deps: Deps, eventId: string, plan: Plan): Promise<void> {
  const wakes = await deps.write.begin('relayAgain', async (tx) => {
    const event = await findEvent(tx, eventId)
    return event ? await plan(tx, deps, [event]) : []
  })
  await wake(deps, wakes)
}

/** One event that cannot be planned must not hold up the others: it becomes a dead letter of the relay. */
async function planAll(deps: Deps, tx: Transaction, events: readonly OutboxEvent[], plan: Plan): Promise<NewMessage[]> {
  try {
    return await tx.savepoint((inner) => plan(inner, deps, events))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    deps.log.error({ err: error, events: events.length }, 'a batch of events is planned one by one')
  }
  const wakes: NewMessage[] = []
  for (const event of events) {
    try {
      wakes.push(...(await tx.savepoint((inner) => plan(inner, deps, [event]))))
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      const { id, traceparent } = event
      const letter = { actor: 'relay-outbox', messageId: id, data: { eventId: id }, traceparent, attempts: 1, error }
      await keepDeadLetter(deps, tx, letter)
    }
  }
  return wakes
}

/** Redis may be away: then those who deliver find what is due in PostgreSQL by themselves. */
async function wake({ queues, log }: Deps, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return
  try {
    await queues.send('deliver-webhooks', messages)
  } catch (error) {
    log.warn({ err: error, messages: messages.length }, 'nobody was woken')
  }
}

/** How far the relay is behind. */
export const outboxLag = ({ read, clock }: Deps): Promise<Lag> => measureLag(read, clock.now())

/** Deletes events a week after they were relayed, a batch at a time. True: there may be more. */
export async function pruneOutbox({ write, clock }: Deps): Promise<boolean> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
  return (await deleteRelayed(write, { before, limit: PRUNED_AT_ONCE })) === PRUNED_AT_ONCE
}
