// SQL of the log of messages: of a booking for its pro, of all messages for operators.
import type { LoggedMessage } from '../schemas.ts'
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './log.sql.ts'

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
