// SQL of a pro's schedule. Every statement filters by the pro.
import type { Block, Schedule, ScheduleChange } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'
import * as statements from './queries.sql.ts'

export async function findSchedule(
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<Schedule | undefined> {
  const row = await statements.findSchedule<{ schedule: Schedule }>(ctx, { now, professionalId })
  return row?.schedule
}

/** Changes the given fields. Returns the sequence of the event to emit. */
export async function updateSchedule(
  ctx: TxCtx,
  { professionalId, change, now }: { professionalId: string; change: ScheduleChange; now: Date },
): Promise<number> {
  const row = await statements.updateSchedule(ctx, {
    instantBookingEnabled: change.instantBookingEnabled,
    requiresApproval: change.requiresApproval,
    bookingLeadTimeHours: change.bookingLeadTimeHours,
    bookingBufferMinutes: change.bookingBufferMinutes,
    defaultSlotMinutes: change.defaultSlotMinutes,
    depositRequired: change.depositRequired,
    keepsDeposit: change.depositRequired === undefined,
    depositPercentage: change.depositPercentage,
    keepsReminders: change.reminderHours === undefined,
    reminderHours: change.reminderHours,
    timezone: change.timezone,
    businessHours: change.businessHours ? JSON.stringify(change.businessHours) : null,
    now,
    professionalId,
  })
  return row?.eventSequence ?? 0
}

export async function insertBlock(
  ctx: TxCtx,
  {
    professionalId,
    block,
  }: {
    professionalId: string
    block: { id: string; startsAt: string; endsAt: string; reason: string | null; createdAt: Date }
  },
): Promise<Block> {
  const row = await statements.insertBlock<{ block: Block }>(ctx, {
    id: block.id,
    professionalId,
    startsAt: block.startsAt,
    endsAt: block.endsAt,
    reason: block.reason,
    createdAt: block.createdAt,
  })
  if (!row) throw new Error('The insert returned no row.')
  return row.block
}

/** Returns whether the pro had the block. */
export async function deleteBlockById(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await statements.deleteBlock(ctx, { id, professionalId })
  return rows.length > 0
}

/** The pro's open bookings that overlap a time. */
export async function selectBookingsWithin(
  ctx: TxCtx,
  { professionalId, startsAt, endsAt, now }: { professionalId: string; startsAt: string; endsAt: string; now: Date },
): Promise<string[]> {
  const rows = await statements.selectBookingsWithin(ctx, { professionalId, now, endsAt, startsAt })
  return rows.map(({ id }) => id)
}

/** The instants at which the pro's clock reaches two local times; undefined for an unknown pro. */
export async function findClockSpan(
  ctx: Ctx,
  { professionalId, start, end }: { professionalId: string; start: LocalMinute; end: LocalMinute },
): Promise<{ startsAt: string; endsAt: string } | undefined> {
  return await statements.findClockSpan(ctx, {
    date: start.date,
    minute: start.minute,
    endDate: end.date,
    endMinute: end.minute,
    professionalId,
  })
}

/** Minutes past midnight of a date on the pro's clock; 1440 is the end of the day. */
export interface LocalMinute {
  date: string
  minute: number
}
