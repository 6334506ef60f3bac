// The embedded mailbox: messages as they were sent, while no mail server is configured.
import type { Deps } from '../../../deps.ts'
import { deleteOldMail } from '../queries/mailbox.ts'

/** A message takes about 20 KB. */
const KEPT = 5000

/** Deletes all but the newest e-mails. */
export async function deleteExcessMail({ write, log }: Pick<Deps, 'write' | 'log'>): Promise<number> {
  const deleted = await deleteOldMail(write, KEPT)
  if (deleted > 0) log.info({ deleted, kept: KEPT }, 'deleted the oldest messages of the mailbox')
  return deleted
}
