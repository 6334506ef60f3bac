// SQL of the log of messages: of a booking for its pro, of all messages for operators.
import type { BookingMessage, LoggedMessage, MessageStatus } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './log.sql.ts'

/** The messages about a pro's booking, oldest first. */
export const selectBookingMessages = (
  ctx: Ctx,
  { professionalId, bookingId }: { professionalId: string; bookingId: string },
): Promise<BookingMessage[]> => statements.selectBookingMessages(ctx, { bookingId, professionalId })

export interface LogFilter {
  recipient: string | null
  status: MessageStatus | null
  limit: number
  offset: number
}

/** Newest first. */
export async function selectMessages(ctx: Ctx, filter: LogFilter): Promise<LoggedMessage[]> {
  return await statements.selectMessages(ctx, {
    recipient: filter.recipient,
    status: filter.status,
    limit: filter.limit,
    offset: filter.offset,
  })
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
  return await statements.findMessage<Pick<StoredMessage, 'data'>>(ctx, { now, id })
}

/** Makes a message due that waits for a retry or was given up. Returns whether there was one. */
export async function updateToDue(ctx: Ctx, { id, now }: { id: number; now: Date }): Promise<boolean> {
  const rows = await statements.updateToDue(ctx, { now, id })
  return rows.length > 0
}
