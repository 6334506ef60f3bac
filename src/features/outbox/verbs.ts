// Relays committed events from the outbox to their subscribers, in order per aggregate.
import { SpanKind, TraceFlags, trace } from '@opentelemetry/api'

import { type Deps, oncePerDeps } from '../../deps.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import { openDueWork } from '../../platform/postgres/due-work.ts'
import type { NewMessage } from '../../platform/queue/queues.ts'
import { StoreUnavailable } from '../../platform/store-error.ts'
import { contextOf } from '../../platform/telemetry/trace-context.ts'
import { recordDeadLetter } from '../dead-letters/verbs.ts'
import {
  type Lag,
  type OutboxEvent,
  type WaitingEvent,
  findEvent,
  findWaitingPartitions,
  findWaitingWork,
  lockPartition,
  markRelayed,
  measureLag,
  selectWaiting,
} from './queries.ts'

export type { OutboxEvent }

/** All events of one aggregate share a partition, which the database computes. At most this many relays work at once. */
export const PARTITIONS = 8
const BATCH = 500
/** A batch takes the events of pros in turn, so that one pro's many events do not delay those of others. */
const PROS_PER_BATCH = 250
const EVENTS_PER_PRO = 100
/** A batch ends after this time: an event may have 200 deliveries. It plans twice as many events in each step. */
const BATCH_MS = 100
const FIRST_STEP = 8
/** Somewhat less than the interval of the relay's runs. */
const DUE_EVERY_MS = 900
/** Before the id of every pro. */
const START = '00000000-0000-0000-0000-000000000000'

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

const watchOf = oncePerDeps(({ notifications, write }) => ({
  tell: openDueWork(notifications, write),
  askedMs: -Infinity,
}))

/**
 * The partitions with events to relay. Once a second the same statement also asks what other work is due, and the workers
 * for it are told: one statement a second for all processes that find nothing.
 */
export async function listWaiting(deps: Deps): Promise<number[]> {
  const watch = watchOf(deps)
  const nowMs = performance.now()
  if (nowMs - watch.askedMs < DUE_EVERY_MS) return await listWaitingPartitions(deps)
  watch.askedMs = nowMs
  const { partitions, due } = await findWaitingWork(deps.read, { partitions: PARTITIONS, now: deps.clock.now() })
  await watch.tell(due)
  return partitions
}

/** The pro after whom the next batch of a partition begins. */
const turnsOf = oncePerDeps((_deps: Deps) => new Map<number, string>())

/**
 * Relays the next events of a partition, those of all pros in turn. One transaction locks the partition, writes the
 * deliveries and marks the events as relayed; the delivery actor is woken afterwards. Relays nothing while another relay
 * holds the partition.
 */
export async function relayBatch(deps: Deps, partition: number, plan: EventPlanner): Promise<RelayResult> {
  let startedAt = new Date()
  const after = turnsOf(deps).get(partition) ?? START
  const { waiting, events, messages } = await deps.write.begin('relayBatch', async (tx) => {
    if (!(await lockPartition(tx, partition))) return NOTHING
    const limits = { pros: PROS_PER_BATCH, perPro: EVENTS_PER_PRO, limit: BATCH }
    const found = await selectWaiting(tx, { partition, after, ...limits })
    startedAt = new Date()
    if (found.length === 0) return NOTHING
    const planned = await planInTime(deps, tx, found, plan)
    await markRelayed(tx, { positions: planned.events.map(({ position }) => position), now: deps.clock.now() })
    return { waiting: found, ...planned }
  })
  const next = nextTurn(waiting, events)
  turnsOf(deps).set(partition, next)
  traceRelayed(events, startedAt)
  await wakeDelivery(deps, messages)
  const hasLeftSome = events.length === BATCH || waiting.some(({ turn }) => turn === EVENTS_PER_PRO)
  return { relayed: events.length, hasMore: hasLeftSome || events.length < waiting.length || next !== after }
}

interface Planned {
  events: readonly WaitingEvent[]
  messages: NewMessage[]
}

const NOTHING: Planned & { waiting: readonly WaitingEvent[] } = { waiting: [], events: [], messages: [] }

/** Plans as many of the events as BATCH_MS allows, from the first on. */
async function planInTime(
  deps: Deps,
  tx: Transaction,
  waiting: readonly WaitingEvent[],
  plan: EventPlanner,
): Promise<Planned> {
  const endsAtMs = performance.now() + BATCH_MS
  const messages: NewMessage[] = []
  let count = 0
  for (let step = FIRST_STEP; count < waiting.length && (count === 0 || performance.now() < endsAtMs); step *= 2) {
    messages.push(...(await planBatch(deps, tx, waiting.slice(count, count + step), plan)))
    count += step
  }
  return { events: waiting.slice(0, count), messages }
}

/** Where the next batch begins: after the last pro who had a turn, or at the start when all pros had one. */
function nextTurn(waiting: readonly WaitingEvent[], relayed: readonly WaitingEvent[]): string {
  const pros = waiting.filter(({ turn }) => turn === 1)
  const served = relayed.filter(({ turn }) => turn === 1)
  const areAllServed = served.length === pros.length && pros.length < PROS_PER_BATCH
  return (areAllServed ? undefined : served.at(-1)?.professionalId) ?? START
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
