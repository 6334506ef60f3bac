// When a pro works: settings, hours and blocks, changed by the pro. Every change tells `availability.updated`.
import type { Deps } from '../../deps.ts'
import { AppError, invalidField } from '../../errors/app-error.ts'
import type { Transaction } from '../../platform/postgres/database.ts'
import type { IdempotencyContext, IdempotentResult } from '../../idempotency/context.ts'
import { emit } from '../../platform/queue/outbox.ts'
import { runIdempotently } from '../../idempotency/verbs.ts'
import { fullWeek } from './hours.ts'
import type { BlockCreated, NewBlock, Schedule, ScheduleChange } from './schemas.ts'
import {
  deleteBlockById,
  findSchedule,
  insertBlock,
  lockSchedule,
  selectBookingsWithin,
  updateSchedule,
} from './queries.ts'

/** A pro who calls: the pro, and the account whose key it is. */
export interface ProCaller {
  accountId: string
  professionalId: string
}

/** A block longer than this is a mistake, or a pro who is gone. */
const MAX_BLOCK_DAYS = 366

export async function getSchedule({ read, clock }: Deps, { professionalId }: ProCaller): Promise<Schedule> {
  return await scheduleIn(read, professionalId, clock.now())
}

/** Changes what is given. Throws validation_failed for hours that overlap or end before they start. */
export async function changeSchedule(deps: Deps, pro: ProCaller, change: ScheduleChange): Promise<Schedule> {
  const wanted = change.businessHours ? { ...change, businessHours: fullWeek(change.businessHours) } : change
  return await deps.write.begin('changeSchedule', async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    return await announce(deps, tx, pro, wanted)
  })
}

/**
 * Takes time out of the business hours. Bookings that hold part of it stay, and are named. Throws validation_failed for
 * an end before the start, a block that is over, and one longer than a year.
 */
export async function createBlock(
  deps: Deps,
  pro: ProCaller,
  wish: NewBlock,
  idempotency?: IdempotencyContext,
): Promise<IdempotentResult<BlockCreated>> {
  const [startsAt, endsAt] = [new Date(wish.startDateTime), new Date(wish.endDateTime)]
  if (endsAt <= startsAt) throw invalidField('body.endDateTime', 'must be after `startDateTime`')
  if (endsAt <= deps.clock.now()) throw invalidField('body.endDateTime', 'must not be in the past')
  if (endsAt.getTime() - startsAt.getTime() > MAX_BLOCK_DAYS * 86_400_000)
    throw invalidField('body.endDateTime', `must be at most ${MAX_BLOCK_DAYS} days after \`startDateTime\``)
  const request = { accountId: pro.accountId, operation: 'createBlock', request: wish }
  return await runIdempotently(deps, idempotency, request, async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    const block = await insertBlock(tx, pro.professionalId, {
      id: deps.ids.uuid(),
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      reason: wish.reason ?? null,
      createdAt: deps.clock.now(),
    })
    await announce(deps, tx, pro)
    const bookingsWithin = await selectBookingsWithin(tx, pro.professionalId, {
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      now: deps.clock.now(),
    })
    return { success: true, block, bookingsWithin }
  })
}

/** Gives the time back. Throws not_found. */
export const deleteBlock = (deps: Deps, pro: ProCaller, id: string): Promise<void> =>
  deps.write.begin('deleteBlock', async (tx) => {
    await lockSchedule(tx, pro.professionalId)
    if (!(await deleteBlockById(tx, pro.professionalId, id)))
      throw new AppError('not_found', 'No block of yours has this id.')
    await announce(deps, tx, pro)
  })

/** Makes the change, if any, and tells of the schedule as it is then. */
async function announce(
  { clock, ids }: Deps,
  tx: Transaction,
  { professionalId }: ProCaller,
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
  if (!schedule) throw new AppError('professional_not_found', 'The pro of this key is gone.')
  return schedule
}
