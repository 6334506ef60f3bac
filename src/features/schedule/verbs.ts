// A pro's schedule: settings, business hours and blocks. Every change emits availability.updated.
import { isDeepStrictEqual } from 'node:util'

import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { emit } from '../../platform/queue/outbox.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { addZone } from '../time-zones/verbs.ts'
import { planRemindersAgain } from '../messages/verbs/plan-message.ts'
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
  lockSchedule,
  selectBookingsWithin,
  updateSchedule,
} from './queries.ts'

/** The pro who calls, and the account of the key or login. */
export interface ScheduleOwner {
  accountId: string
  professionalId: string
}

const MAX_BLOCK_DAYS = 366

export async function getSchedule({ read, clock }: Deps, { professionalId }: ScheduleOwner): Promise<Schedule> {
  return await scheduleIn(read, professionalId, clock.now())
}

/**
 * Changes the given fields, and of the business hours the given days. A change to the current values does nothing. Throws
 * validation_failed for hours that overlap or end before they start, for a time zone that PostgreSQL does not have, and like
 * {@link depositAfter}.
 */
export async function changeSchedule(deps: Deps, pro: ScheduleOwner, change: ScheduleChange): Promise<Schedule> {
  return await deps.write.begin('changeSchedule', async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    const current = await scheduleIn(tx, pro.professionalId, deps.clock.now())
    const { businessHours: hours, timezone } = change
    if (timezone !== undefined && !(await addZone(tx, timezone)))
      throw invalidField('body.timezone', 'must be an IANA time zone, such as America/Chicago')
    const next = {
      ...change,
      ...depositAfter(change, current.settings),
      ...(hours && { businessHours: fullWeek(hours, current.settings.businessHours) }),
    }
    if (isDeepStrictEqual({ ...current.settings, ...next }, current.settings)) return current
    const schedule = await saveAndEmit(deps, tx, pro, next)
    if (schedule.settings.reminderHours !== current.settings.reminderHours)
      await planRemindersAgain(tx, pro.professionalId, deps.clock.now())
    return schedule
  })
}

/**
 * Blocks a time. Overlapping bookings are not changed, but listed. Throws validation_failed for an end before the start, an
 * end in the past, and a block longer than {@link MAX_BLOCK_DAYS} days.
 */
export async function createBlock(
  deps: Deps,
  pro: ScheduleOwner,
  input: NewBlock,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<BlockCreated>> {
  const [startsAt, endsAt] = [new Date(input.startDateTime), new Date(input.endDateTime)]
  refuseBlock({ startsAt, endsAt, now: deps.clock.now() }, API_FIELDS)
  const request = { accountId: pro.accountId, operation: 'createBlock', request: input }
  return await runIdempotently(deps, idempotency, request, async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    const block = await insertBlock(tx, pro.professionalId, {
      id: deps.ids.uuid(),
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      reason: input.reason ?? null,
      createdAt: deps.clock.now(),
    })
    await saveAndEmit(deps, tx, pro)
    const bookingsWithin = await selectBookingsWithin(tx, pro.professionalId, {
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      now: deps.clock.now(),
    })
    return { success: true, block, bookingsWithin }
  })
}

/** A span on the pro's calendar. Whole days run from minute 0 of the first to minute 1440 of the last. */
export interface LocalBlock {
  start: LocalMinute
  end: LocalMinute
  reason: string | null
}

/** {@link createBlock} for times on the pro's clock. Throws validation_failed for `toDate` and `toTime` likewise. */
export async function blockLocalTime(
  deps: Deps,
  pro: ScheduleOwner,
  { start, end, reason }: LocalBlock,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<BlockCreated>> {
  const span = await findClockSpan(deps.read, pro.professionalId, start, end)
  if (!span) throw new AppError('professional_not_found', 'The pro of this key is no longer on Hearth.')
  const [startsAt, endsAt] = [new Date(span.startsAt), new Date(span.endsAt)]
  refuseBlock({ startsAt, endsAt, now: deps.clock.now() }, FORM_FIELDS)
  return await createBlock(deps, pro, { startDateTime: span.startsAt, endDateTime: span.endsAt, reason }, idempotency)
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
export const deleteBlock = (deps: Deps, pro: ScheduleOwner, id: string): Promise<void> =>
  deps.write.begin('deleteBlock', async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    if (!(await deleteBlockById(tx, pro.professionalId, id)))
      throw new AppError('not_found', 'You have no block with this id.')
    await saveAndEmit(deps, tx, pro)
  })

/** Emits availability.updated after a change of open times by something else than the schedule, which is locked. */
export const emitAvailabilityUpdated = async (deps: Deps, tx: Transaction, professionalId: string): Promise<void> => {
  await saveAndEmit(deps, tx, { professionalId })
}

/** Saves the change, if any, and emits availability.updated. */
async function saveAndEmit(
  { clock, ids }: Deps,
  tx: Transaction,
  { professionalId }: Pick<ScheduleOwner, 'professionalId'>,
  change: ScheduleChange = {},
): Promise<Schedule> {
  const now = clock.now()
  const sequence = await updateSchedule(tx, professionalId, change, now)
  const schedule = await scheduleIn(tx, professionalId, now)
  await emit(tx, {
    id: ids.uuid(),
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

async function scheduleIn(db: Parameters<typeof findSchedule>[0], professionalId: string, now: Date) {
  const schedule = await findSchedule(db, professionalId, now)
  if (!schedule) throw new AppError('professional_not_found', 'The pro of this key is no longer on Hearth.')
  return schedule
}
