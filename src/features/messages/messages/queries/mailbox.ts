// SQL of the embedded mailbox.
import type { Ctx } from '../../../../ctx.ts'

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
  await ctx.write.run(
    'insertMail',
    (sql) => sql`
      insert into mailbox (message_id, sender, recipient, subject, text, html, source, received_at)
      values (${mail.messageId}, ${mail.sender}, ${mail.recipient}, ${mail.subject}, ${mail.text}, ${mail.html},
        decode(${mail.source.toString('base64')}, 'base64'), ${now.toISOString()})
      on conflict (message_id) do nothing`,
  )
}

/** Deletes all but the newest. Returns how many. */
export async function deleteOldMail(ctx: Ctx, { kept }: { kept: number }): Promise<number> {
  const rows = await ctx.write.run(
    'deleteOldMail',
    (sql) => sql`
      delete from mailbox where id <= (select id from mailbox order by id desc offset ${kept} limit 1) returning id`,
  )
  return rows.length
}

/** A message in the mailbox. */
export interface KeptMail {
  subject: string
  text: string
  html: string
  /** In ASCII. */
  source: string
}

export async function findMail(ctx: Ctx, { messageId }: { messageId: number }): Promise<KeptMail | undefined> {
  const [row] = await ctx.read.run<KeptMail>(
    'findMail',
    (sql) => sql`
      select subject, text, html, convert_from(source, 'UTF8') as source from mailbox where message_id = ${messageId}`,
  )
  return row
}
