// SQL of the log of messages: of a booking for its pro, of all messages for operators.
import type { LoggedMessage } from '../schemas.ts'
import type { Ctx, TxCtx } from '../../../../ctx.ts'
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

/** Makes a message due that waits for a retry or was given up. Returns what it is about, if there was one. */
export async function updateToDue(
  ctx: TxCtx,
  { id, now }: { id: number; now: Date },
): Promise<{ kind: string; bookingId: string | null } | undefined> {
  const [row] = await statements.updateToDue(ctx, { now, id })
  return row
}
