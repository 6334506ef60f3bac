// The embedded mailbox: messages as they were sent, while no mail server is configured.
import type { Ctx } from '../../../../ctx.ts'
import { deleteOldMail } from '../queries/mailbox.ts'

/** A message takes about 20 KB. */
const KEPT = 5000

/** Deletes all but the newest e-mails. */
export async function deleteExcessMail(ctx: Ctx): Promise<number> {
  const deleted = await deleteOldMail(ctx, { kept: KEPT })
  if (deleted > 0) ctx.log.info({ deleted, kept: KEPT }, 'deleted the oldest messages of the mailbox')
  return deleted
}
