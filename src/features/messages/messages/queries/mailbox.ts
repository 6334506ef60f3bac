// SQL of the embedded mailbox.
import type { Ctx } from '../../../../ctx.ts'
import * as statements from './mailbox.sql.ts'

export interface NewMail {
  /** Null for a test. */
  messageId: number | null
  sender: string
  recipient: string
  subject: string
  text: string
  html: string
  source: Buffer
}

/** A message is kept once. */
export async function insertMail(ctx: Ctx, { mail, now }: { mail: NewMail; now: Date }): Promise<void> {
  await statements.insertMail(ctx, {
    messageId: mail.messageId,
    sender: mail.sender,
    recipient: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    source: mail.source.toString('base64'),
    now,
  })
}

/** Deletes all but the newest. Returns how many. */
export async function deleteOldMail(ctx: Ctx, { kept }: { kept: number }): Promise<number> {
  const rows = await statements.deleteOldMail(ctx, { kept })
  return rows.length
}
