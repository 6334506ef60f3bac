// A pro's schedule: settings, business hours and blocks. Every change emits availability.updated.
import { isDeepStrictEqual } from 'node:util'

import type { Ctx, TxCtx } from '../../../ctx.ts'
import { AppError, invalidField } from '../../../errors/app-error.ts'
import { emit } from '../../../platform/queue/outbox.ts'
import { runIdempotently } from '../../../idempotency/verbs.ts'
import { getDefaults } from '../../upkeep/marketplace/verbs.ts'
import { addZone } from '../time-zones/verbs.ts'
import { planRemindersAgain } from '../../messages/messages/verbs/plan-message.ts'
import {
  type BlockCreated,
  type NewBlock,
  type Schedule,
  type ScheduleChange,
  depositAfter,
  fullWeek,
} from './schemas.ts'
import {
  type LocalMinute,
  deleteBlockById,
  findClockSpan,
  findSchedule,
  insertBlock,
  selectBookingsWithin,
  updateSchedule,
} from './queries.ts'
import { lockSchedule } from './queries.sql.ts'

/** The pro who calls, and the account of the key or login. */
export interface ScheduleOwner {
  accountId: string
  professionalId: string
}

const MAX_BLOCK_DAYS = 366

export async function getSchedule(ctx: Ctx<ScheduleOwner>): Promise<Schedule> {
  return await scheduleIn(ctx, ctx.actor.professionalId, ctx.clock.now())
}

/**
 * Changes the given fields, and of the business hours the given days. A change to the current values does nothing. Throws
 * validation_failed for hours that overlap or end before they start, for a time zone that PostgreSQL does not have, and like
 * {@link depositAfter}.
 */
export const changeSchedule = (ctx: Ctx<ScheduleOwner>, change: ScheduleChange): Promise<Schedule> =>
  ctx.transaction('changeSchedule', (ctx) => changeScheduleIn(ctx, change))

/** {@link changeSchedule} inside an existing transaction. */
export async function changeScheduleIn(ctx: TxCtx<ScheduleOwner>, change: ScheduleChange): Promise<Schedule> {
  const limits = await getDefaults(ctx)
  const current = await getScheduleForUpdate(ctx)
  const { businessHours: hours, timezone } = change
  if (timezone !== undefined && !(await addZone(ctx, { name: timezone })))
    throw invalidField('body.timezone', 'must be an IANA time zone, such as America/Chicago')
  const next = {
    ...change,
    ...depositAfter(change, current.settings, limits),
    ...(hours && { businessHours: fullWeek(hours, current.settings.businessHours) }),
  }
  if (isDeepStrictEqual({ ...current.settings, ...next }, current.settings)) return current
  const schedule = await saveAndEmit(ctx, ctx.actor, next)
  if (schedule.settings.reminderHours !== current.settings.reminderHours)
    await planRemindersAgain(ctx, { professionalId: ctx.actor.professionalId, now: ctx.clock.now() })
  return schedule
}

/** The schedule, locked until the transaction ends. */
export async function getScheduleForUpdate(ctx: TxCtx<ScheduleOwner>): Promise<Schedule> {
  await lockSchedule(ctx, { professionalId: ctx.actor.professionalId })
  return await scheduleIn(ctx, ctx.actor.professionalId, ctx.clock.now())
}

/**
 * Blocks a time. Overlapping bookings are not changed, but listed. Throws validation_failed for an end before the start, an
 * end in the past, and a block longer than {@link MAX_BLOCK_DAYS} days.
 */
export async function createBlock(ctx: Ctx<ScheduleOwner>, input: NewBlock): Promise<BlockCreated> {
  refuseBlock(spanOf(ctx, input), API_FIELDS)
  const request = { accountId: ctx.actor.accountId, operation: 'createBlock', request: input }
  return await runIdempotently(ctx, request, (ctx) => createBlockIn(ctx, input))
}

/** {@link createBlock} inside an existing transaction. */
export async function createBlockIn(ctx: TxCtx<ScheduleOwner>, input: NewBlock): Promise<BlockCreated> {
  const span = spanOf(ctx, input)
  refuseBlock(span, API_FIELDS)
  const [startsAt, endsAt] = [span.startsAt.toISOString(), span.endsAt.toISOString()]
  await lockSchedule(ctx, { professionalId: ctx.actor.professionalId })
  const block = await insertBlock(ctx, {
    professionalId: ctx.actor.professionalId,
    block: { id: ctx.ids.uuid(), startsAt, endsAt, reason: input.reason ?? null, createdAt: span.now },
  })
  await saveAndEmit(ctx, ctx.actor)
  const bookingsWithin = await selectBookingsWithin(ctx, {
    startsAt,
    endsAt,
    now: span.now,
    professionalId: ctx.actor.professionalId,
  })
  return { success: true, block, bookingsWithin }
}

const spanOf = ({ clock }: Ctx, { startDateTime, endDateTime }: NewBlock) => ({
  startsAt: new Date(startDateTime),
  endsAt: new Date(endDateTime),
  now: clock.now(),
})

/** A span on the pro's calendar. Whole days run from minute 0 of the first to minute 1440 of the last. */
export interface LocalBlock {
  start: LocalMinute
  end: LocalMinute
  reason: string | null
}

/** {@link createBlock} for times on the pro's clock. Throws validation_failed for `toDate` and `toTime` likewise. */
export async function blockLocalTime(
  ctx: Ctx<ScheduleOwner>,
  { start, end, reason }: LocalBlock,
): Promise<BlockCreated> {
  const span = await findClockSpan(ctx, { professionalId: ctx.actor.professionalId, start, end })
  if (!span) throw new AppError('professional_not_found', 'The pro of this key is no longer here.')
  const [startsAt, endsAt] = [new Date(span.startsAt), new Date(span.endsAt)]
  refuseBlock({ startsAt, endsAt, now: ctx.clock.now() }, FORM_FIELDS)
  return await createBlock(ctx, { startDateTime: span.startsAt, endDateTime: span.endsAt, reason })
}

/** The fields of a block as its callers name them: its end, the day of its end, and its start in a sentence. */
const API_FIELDS = { end: 'body.endDateTime', day: 'body.endDateTime', start: '`startDateTime`' }
const FORM_FIELDS = { end: 'body.toTime', day: 'body.toDate', start: 'the start' }

function refuseBlock(
  { startsAt, endsAt, now }: { startsAt: Date; endsAt: Date; now: Date },
  { end, day, start }: typeof API_FIELDS,
): void {
  if (endsAt <= startsAt) throw invalidField(end, `must be after ${start}`)
  if (endsAt <= now) throw invalidField(day, 'must not be in the past')
  if (endsAt.getTime() - startsAt.getTime() > MAX_BLOCK_DAYS * 86_400_000)
    throw invalidField(day, `must be at most ${MAX_BLOCK_DAYS} days after ${start}`)
}

/** Deletes a block. Throws not_found. */
export const deleteBlock = (ctx: Ctx<ScheduleOwner>, { id }: { id: string }): Promise<void> =>
  ctx.transaction('deleteBlock', (ctx) => deleteBlockIn(ctx, { id }))

/** {@link deleteBlock} inside an existing transaction. */
export async function deleteBlockIn(ctx: TxCtx<ScheduleOwner>, { id }: { id: string }): Promise<void> {
  await lockSchedule(ctx, { professionalId: ctx.actor.professionalId })
  if (!(await deleteBlockById(ctx, { professionalId: ctx.actor.professionalId, id })))
    throw new AppError('not_found', 'You have no block with this id.')
  await saveAndEmit(ctx, ctx.actor)
}

/** Emits availability.updated after a change of open times by something else than the schedule, which is locked. */
export const emitAvailabilityUpdated = async (
  ctx: TxCtx,
  { professionalId }: { professionalId: string },
): Promise<void> => {
  await saveAndEmit(ctx, { professionalId })
}

/** Saves the change, if any, and emits availability.updated. */
async function saveAndEmit(
  ctx: TxCtx,
  { professionalId }: Pick<ScheduleOwner, 'professionalId'>,
  change: ScheduleChange = {},
): Promise<Schedule> {
  const now = ctx.clock.now()
  const sequence = await updateSchedule(ctx, { professionalId, change, now })
  const schedule = await scheduleIn(ctx, professionalId, now)
  await emit(ctx.tx, {
    id: ctx.ids.uuid(),
    type: 'availability.updated',
    professionalId,
    aggregateType: 'professional',
    aggregateId: professionalId,
    sequence,
    object: { professionalId, ...schedule },
    createdAt: now,
  })
  return schedule
}

async function scheduleIn(ctx: Ctx, professionalId: string, now: Date) {
  const schedule = await findSchedule(ctx, { professionalId, now })
  if (!schedule) throw new AppError('professional_not_found', 'The pro of this key is no longer here.')
  return schedule
}
