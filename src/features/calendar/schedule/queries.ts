// SQL of a pro's schedule. Every statement filters by the pro.
import type { Block, Schedule, ScheduleChange } from './schemas.ts'
import type { Ctx, TxCtx } from '../../../ctx.ts'

/** Locks the pro's schedule until the transaction ends; see sql/functions/lock_schedule.sql. */
export async function lockSchedule(ctx: TxCtx, { professionalId }: { professionalId: string }): Promise<void> {
  await ctx.tx.run('lock_schedule', (sql) => sql`select lock_schedule(${professionalId})`)
}

export async function findSchedule(
  ctx: Ctx,
  { professionalId, now }: { professionalId: string; now: Date },
): Promise<Schedule | undefined> {
  const [row] = await ctx.read.run<{ schedule: Schedule }>(
    'findSchedule',
    (sql) => sql`
      select json_build_object(
        'settings', json_build_object(
          'instantBookingEnabled', p.instant_booking_enabled, 'requiresApproval', p.requires_approval,
          'bookingLeadTimeHours', p.lead_time_hours, 'bookingBufferMinutes', p.buffer_minutes,
          'defaultSlotMinutes', p.default_slot_minutes, 'depositRequired', p.deposit_required,
          'depositPercentage', trim_scale(p.deposit_percentage), 'reminderHours', p.reminder_hours, 'timezone', p.time_zone, 'businessHours', p.business_hours),
        'blocks', coalesce((
          select json_agg(block_object(b) order by b.starts_at, b.id)
          from (
            select id from availability_blocks
            where professional_id = p.id and ends_at > ${now.toISOString()} order by starts_at, id limit 500
          ) upcoming join availability_blocks b on b.id = upcoming.id), '[]')) as schedule
      from professionals p where p.id = ${professionalId}`,
  )
  return row?.schedule
}

/** Changes the given fields. Returns the sequence of the event to emit. */
export async function updateSchedule(
  ctx: TxCtx,
  { professionalId, change, now }: { professionalId: string; change: ScheduleChange; now: Date },
): Promise<number> {
  const [row] = await ctx.tx.run<{ eventSequence: number }>(
    'updateSchedule',
    (sql) => sql`
      update professionals set
        instant_booking_enabled = coalesce(${change.instantBookingEnabled ?? null}, instant_booking_enabled),
        requires_approval = coalesce(${change.requiresApproval ?? null}, requires_approval),
        lead_time_hours = coalesce(${change.bookingLeadTimeHours ?? null}, lead_time_hours),
        buffer_minutes = coalesce(${change.bookingBufferMinutes ?? null}, buffer_minutes),
        default_slot_minutes = coalesce(${change.defaultSlotMinutes ?? null}, default_slot_minutes),
        deposit_required = coalesce(${change.depositRequired ?? null}, deposit_required),
        deposit_percentage = case when ${change.depositRequired === undefined} then deposit_percentage
          else ${change.depositPercentage ?? null}::numeric end,
        reminder_hours = case when ${change.reminderHours === undefined} then reminder_hours
          else ${change.reminderHours ?? null}::integer end,
        time_zone = coalesce(${change.timezone ?? null}, time_zone),
        business_hours = coalesce(${change.businessHours ? JSON.stringify(change.businessHours) : null}::text::jsonb,
          business_hours),
        updated_at = ${now.toISOString()}, event_sequence = event_sequence + 1
      where id = ${professionalId} returning event_sequence`,
  )
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
  const [row] = await ctx.tx.run<{ block: Block }>(
    'insertBlock',
    (sql) => sql`
      insert into availability_blocks as b (id, professional_id, starts_at, ends_at, reason, created_at)
      values (${block.id}, ${professionalId}, ${block.startsAt}, ${block.endsAt}, ${block.reason},
        ${block.createdAt.toISOString()})
      returning block_object(b) as block`,
  )
  if (!row) throw new Error('The insert returned no row.')
  return row.block
}

/** Returns whether the pro had the block. */
export async function deleteBlockById(
  ctx: TxCtx,
  { professionalId, id }: { professionalId: string; id: string },
): Promise<boolean> {
  const rows = await ctx.tx.run(
    'deleteBlock',
    (sql) => sql`delete from availability_blocks where id = ${id} and professional_id = ${professionalId} returning id`,
  )
  return rows.length > 0
}

/** The pro's open bookings that overlap a time. */
export async function selectBookingsWithin(
  ctx: TxCtx,
  { professionalId, startsAt, endsAt, now }: { professionalId: string; startsAt: string; endsAt: string; now: Date },
): Promise<string[]> {
  const rows = await ctx.tx.run<{ id: string }>(
    'selectBookingsWithin',
    (sql) => sql`
      select id from bookings
      where professional_id = ${professionalId} and status in ('pending', 'confirmed')
        and (hold_expires_at is null or hold_expires_at > ${now.toISOString()})
        and starts_at < ${endsAt} and ends_at > ${startsAt}
      order by starts_at, id`,
  )
  return rows.map(({ id }) => id)
}

/** The instants at which the pro's clock reaches two local times; undefined for an unknown pro. */
export async function findClockSpan(
  ctx: Ctx,
  { professionalId, start, end }: { professionalId: string; start: LocalMinute; end: LocalMinute },
): Promise<{ startsAt: string; endsAt: string } | undefined> {
  const [row] = await ctx.read.run<{ startsAt: string; endsAt: string }>(
    'findClockSpan',
    (sql) => sql`
      select iso_instant(clock_reaches(${start.date}::date, ${start.minute}::integer, time_zone)) as starts_at,
        iso_instant(clock_reaches(${end.date}::date, ${end.minute}::integer, time_zone)) as ends_at
      from professionals where id = ${professionalId}`,
  )
  return row
}

/** Minutes past midnight of a date on the pro's clock; 1440 is the end of the day. */
export interface LocalMinute {
  date: string
  minute: number
}
