// Relays committed events from the outbox to their subscribers, in order per aggregate.
import { SpanKind, TraceFlags, trace } from '@opentelemetry/api'

import type { Deps } from '../../deps.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { NewMessage } from '../../platform/queue/queues.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { contextOf } from '../../platform/telemetry/trace-context.ts'
import { recordDeadLetter } from '../dead-letters/verbs.ts'
import {
  type Lag,
  type OutboxEvent,
  findEvent,
  findWaitingPartitions,
  lockPartition,
  markRelayed,
  measureLag,
  updateAwakeUntil,
  selectWaiting,
} from './queries.ts'

export type { OutboxEvent }

/** All events of one aggregate share a partition, which the database computes. At most this many relays work at once. */
export const PARTITIONS = 8
const BATCH = 500

const tracer = trace.getTracer('hearth.outbox')

/** Writes the deliveries of events in the relay's transaction and returns the messages that announce them. */
export type EventPlanner = (deps: Deps, tx: Transaction, events: readonly OutboxEvent[]) => Promise<NewMessage[]>

export interface RelayResult {
  /** The number of events relayed. */
  relayed: number
  hasMore: boolean
}

/** The partitions with events to relay. */
export const listWaitingPartitions = ({ read }: Deps): Promise<number[]> => findWaitingPartitions(read, PARTITIONS)

/**
 * Relays the next events of a partition. One transaction locks the partition, writes the deliveries and marks the events
 * as relayed; the delivery actor is woken afterwards. Relays nothing while another relay holds the partition.
 */
export async function relayBatch(deps: Deps, partition: number, plan: EventPlanner): Promise<RelayResult> {
  let startedAt = new Date()
  const { events, messages } = await deps.write.begin('relayBatch', async (tx) => {
    if (!(await lockPartition(tx, partition))) return { events: [], messages: [] }
    const waiting = await selectWaiting(tx, { partition, limit: BATCH })
    startedAt = new Date()
    if (waiting.length === 0) return { events: [], messages: [] }
    const planned = await planBatch(deps, tx, waiting, plan)
    await markRelayed(tx, { positions: waiting.map(({ position }) => position), now: deps.clock.now() })
    return { events: waiting, messages: planned }
  })
  traceRelayed(events, startedAt)
  await wakeDelivery(deps, messages)
  return { relayed: events.length, hasMore: events.length === BATCH }
}

/** A batch belongs to many traces: adds a span to each sampled one. */
function traceRelayed(events: readonly OutboxEvent[], startTime: Date): void {
  for (const { id, type, traceparent } of events) {
    const of = contextOf(traceparent)
    if (!((trace.getSpanContext(of)?.traceFlags ?? 0) & TraceFlags.SAMPLED)) continue
    const attributes = { 'hearth.event.type': type, 'hearth.event.id': id }
    tracer.startSpan('relay event', { kind: SpanKind.PRODUCER, startTime, attributes }, of).end()
  }
}

/** Suppresses the wake-up on commit for `ms`: the relay polls during that time. */
export const suppressWakeUps = ({ write }: Deps, ms: number): Promise<void> => updateAwakeUntil(write, ms)

/** Plans one event again after it became a dead letter. */
export async function relayEventAgain(deps: Deps, eventId: string, plan: EventPlanner): Promise<void> {
  const messages = await deps.write.begin('relayEventAgain', async (tx) => {
    const event = await findEvent(tx, eventId)
    return event ? await plan(deps, tx, [event]) : []
  })
  await wakeDelivery(deps, messages)
}

/** Plans a batch. An event that cannot be planned becomes a dead letter, so that it does not block the others. */
async function planBatch(
  deps: Deps,
  tx: Transaction,
  events: readonly OutboxEvent[],
  plan: EventPlanner,
): Promise<NewMessage[]> {
  try {
    return await tx.savepoint((inner) => plan(deps, inner, events))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    deps.log.error({ err: error, events: events.length }, 'planning the batch failed, planning its events one by one')
  }
  const messages: NewMessage[] = []
  for (const event of events) {
    try {
      messages.push(...(await tx.savepoint((inner) => plan(deps, inner, [event]))))
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      const { id, traceparent } = event
      const message = { actor: 'relay-outbox', messageId: id, data: { eventId: id }, traceparent, attempts: 1, error }
      await recordDeadLetter(deps, tx, message)
    }
  }
  return messages
}

/** Wakes the delivery actor. Redis may be down: the actor then finds due deliveries by polling PostgreSQL. */
async function wakeDelivery({ queues, log }: Deps, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return
  try {
    await queues.send('deliver-webhooks', messages)
  } catch (error) {
    log.warn({ err: error, messages: messages.length }, 'the delivery actor could not be woken')
  }
}

/** The relay's backlog. */
export const getOutboxLag = ({ read, clock }: Deps): Promise<Lag> => measureLag(read, clock.now())
