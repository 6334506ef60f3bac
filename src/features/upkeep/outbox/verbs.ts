// Relays committed events from the outbox to their subscribers, in order per aggregate.
import { SpanKind, TraceFlags, trace } from '@opentelemetry/api'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { type Deps, oncePerDeps } from '../../../deps.ts'
import { openDueWork } from '../../../platform/postgres/due-work.ts'
import type { NewMessage } from '../../../platform/queue/queues.ts'
import { StoreUnavailable } from '../../../platform/store-error.ts'
import { contextOf } from '../../../platform/telemetry/trace-context.ts'
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
/** A batch takes events of many pros in turn, so that a pro with many events does not delay the others. */
const PROS_PER_BATCH = 250
const EVENTS_PER_PRO = 100
/**
 * A batch plans events in steps, each with twice as many, until this time has passed: a single event may have 200 deliveries.
 */
const BATCH_MS = 100
const FIRST_STEP = 8
/** Somewhat less than the interval of the relay's runs. */
const DUE_EVERY_MS = 900
/** Lower than the id of every pro. */
const START = '00000000-0000-0000-0000-000000000000'

const tracer = trace.getTracer('hearth.outbox')

/** Writes the deliveries of events in the relay's transaction and returns the messages that announce them. */
export type EventPlanner = (ctx: TxCtx, events: readonly OutboxEvent[]) => Promise<NewMessage[]>

export interface RelayResult {
  /** The number of events relayed. */
  relayed: number
  hasMore: boolean
}

/** The partitions with events to relay. */
export const listWaitingPartitions = (ctx: Ctx): Promise<number[]> =>
  findWaitingPartitions(ctx, { partitions: PARTITIONS })

const watchOf = oncePerDeps(({ notifications, write }) => ({
  tell: openDueWork(notifications, write),
  askedMs: -Infinity,
}))

/**
 * The partitions with events to relay. Once a second the same statement also finds what other work is due and notifies the
 * workers for it. So all idle processes together cost one statement a second.
 */
export async function listWaiting(ctx: Ctx): Promise<number[]> {
  const watch = watchOf(ctx)
  const nowMs = performance.now()
  if (nowMs - watch.askedMs < DUE_EVERY_MS) return await listWaitingPartitions(ctx)
  watch.askedMs = nowMs
  const { partitions, due } = await findWaitingWork(ctx, { partitions: PARTITIONS, now: ctx.clock.now() })
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
export async function relayBatch(
  ctx: Ctx,
  { partition, plan }: { partition: number; plan: EventPlanner },
): Promise<RelayResult> {
  let startedAt = new Date()
  const after = turnsOf(ctx).get(partition) ?? START
  const { waiting, events, messages } = await ctx.transaction('relayBatch', async (ctx) => {
    if (!(await lockPartition(ctx, { partition }))) return NOTHING
    const limits = { pros: PROS_PER_BATCH, perPro: EVENTS_PER_PRO, limit: BATCH }
    const found = await selectWaiting(ctx, { partition, after, ...limits })
    startedAt = new Date()
    if (found.length === 0) return NOTHING
    const planned = await planInTime(ctx, found, plan)
    await markRelayed(ctx, { positions: planned.events.map(({ position }) => position), now: ctx.clock.now() })
    return { waiting: found, ...planned }
  })
  const next = nextTurn(waiting, events)
  turnsOf(ctx).set(partition, next)
  traceRelayed(events, startedAt)
  await wakeDelivery(ctx, messages)
  const hasLeftSome = events.length === BATCH || waiting.some(({ turn }) => turn === EVENTS_PER_PRO)
  return { relayed: events.length, hasMore: hasLeftSome || events.length < waiting.length || next !== after }
}

interface Planned {
  events: readonly WaitingEvent[]
  messages: NewMessage[]
}

const NOTHING: Planned & { waiting: readonly WaitingEvent[] } = { waiting: [], events: [], messages: [] }

/** Plans as many of the events as BATCH_MS allows, from the first on. */
async function planInTime(ctx: TxCtx, waiting: readonly WaitingEvent[], plan: EventPlanner): Promise<Planned> {
  const endsAtMs = performance.now() + BATCH_MS
  const messages: NewMessage[] = []
  let count = 0
  for (let step = FIRST_STEP; count < waiting.length && (count === 0 || performance.now() < endsAtMs); step *= 2) {
    messages.push(...(await planBatch(ctx, waiting.slice(count, count + step), plan)))
    count += step
  }
  return { events: waiting.slice(0, count), messages }
}

/** The pro after whom the next batch begins: the last one with an event in this batch, or none when every pro had a turn. */
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
export async function relayEventAgain(
  ctx: Ctx,
  { eventId, plan }: { eventId: string; plan: EventPlanner },
): Promise<void> {
  const messages = await ctx.transaction('relayEventAgain', async (ctx) => {
    const event = await findEvent(ctx, { id: eventId })
    return event ? await plan(ctx, [event]) : []
  })
  await wakeDelivery(ctx, messages)
}

/** Plans a batch. An event that cannot be planned becomes a dead letter, so that it does not block the others. */
async function planBatch(ctx: TxCtx, events: readonly OutboxEvent[], plan: EventPlanner): Promise<NewMessage[]> {
  try {
    return await ctx.savepoint((ctx) => plan(ctx, events))
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    ctx.log.error({ err: error, events: events.length }, 'failed to plan a batch of events; planning them one by one')
  }
  const messages: NewMessage[] = []
  for (const event of events) {
    try {
      messages.push(...(await ctx.savepoint((ctx) => plan(ctx, [event]))))
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      const { id, traceparent } = event
      const message = { actor: 'relay-outbox', messageId: id, data: { eventId: id }, traceparent, attempts: 1, error }
      await recordDeadLetter(ctx, message)
    }
  }
  return messages
}

/** Wakes the delivery actor. Redis may be down: the actor then finds due deliveries by polling PostgreSQL. */
async function wakeDelivery(ctx: Ctx, messages: readonly NewMessage[]): Promise<void> {
  if (messages.length === 0) return
  try {
    await ctx.queues.send('deliver-webhooks', messages)
  } catch (error) {
    ctx.log.warn(
      { err: error, messages: messages.length },
      'failed to wake the delivery actor; it finds due deliveries by polling',
    )
  }
}

/** The relay's backlog. */
export const getOutboxLag = (ctx: Ctx): Promise<Lag> => measureLag(ctx, { now: ctx.clock.now() })
