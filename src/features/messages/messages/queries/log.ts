// SQL of the log of messages: of a booking for its pro, of all messages for operators.
import type { BookingMessage, LoggedMessage, MessageStatus } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'

/** The messages about a pro's booking, oldest first. */
export const selectBookingMessages = (
  ctx: Ctx,
  { professionalId, bookingId }: { professionalId: string; bookingId: string },
): Promise<BookingMessage[]> =>
  ctx.read.run<BookingMessage>(
    'selectBookingMessages',
    (sql) => sql`
      select kind, recipient, status, case when status = 'sent' then iso_instant(finished_at) end as sent_at
      from messages where booking_id = ${bookingId} and professional_id = ${professionalId} order by id limit 200`,
  )

export interface LogFilter {
  recipient: string | null
  status: MessageStatus | null
  limit: number
  offset: number
}

const COLUMNS = ['id', 'kind', 'recipient', 'status', 'attempts', 'outcome'] as const

/** Newest first. */
export async function selectMessages(ctx: Ctx, filter: LogFilter): Promise<LoggedMessage[]> {
  return await ctx.read.run<LoggedMessage>(
    'selectMessages',
    (sql) => sql`
      select ${sql(COLUMNS)}, iso_instant(send_at) as send_at, iso_instant(next_attempt_at) as next_attempt_at,
        iso_instant(created_at) as created_at, iso_instant(finished_at) as finished_at
      from messages
      where (${filter.recipient}::text is null or recipient = ${filter.recipient})
        and (${filter.status}::text is null or status = ${filter.status})
      order by id desc limit ${filter.limit} offset ${filter.offset}`,
  )
}

export type StoredMessage = LoggedMessage & {
  data: object | null
  bookingId: string | null
  isSecret: boolean
}

export async function findMessage(
  ctx: Ctx,
  { id, now }: { id: number; now: Date },
): Promise<StoredMessage | undefined> {
  const [row] = await ctx.read.run<StoredMessage>(
    'findMessage',
    (sql) => sql`
      select ${sql(COLUMNS)}, iso_instant(send_at) as send_at, iso_instant(next_attempt_at) as next_attempt_at,
        iso_instant(created_at) as created_at, iso_instant(finished_at) as finished_at, booking_id, data is null as is_secret,
        case when status = 'pending' then coalesce(current_message_data(m, ${now.toISOString()}), data) else data end as data
      from messages m where id = ${id}`,
  )
  return row
}

/** Makes a message due that waits for a retry or was given up. Returns whether there was one. */
export async function updateToDue(ctx: Ctx, { id, now }: { id: number; now: Date }): Promise<boolean> {
  const rows = await ctx.write.run(
    'updateToDue',
    (sql) => sql`
      update messages set status = 'pending', refusals = 0, next_attempt_at = ${now.toISOString()}, finished_at = null
      where id = ${id} and send_at <= ${now.toISOString()} and (data is not null or data_encrypted is not null)
        and (status in ('failed', 'suppressed') or (status = 'pending' and outcome is not null))
      returning id`,
  )
  return rows.length > 0
}
