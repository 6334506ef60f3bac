// A test of the configuration: one e-mail, sent at once.
import type { Ctx } from '../../../../ctx.ts'
import { composeMail } from '../../../../platform/mail/compose.ts'
import { openSmtp } from '../../../../platform/mail/smtp.ts'
import { insertMail } from '../queries/mailbox.ts'
import { senderOf } from './compose-message.ts'

const SUBJECT = 'E-mail works'
const TEXT = 'This is a test. If you can read it, messages can be sent to you.\n'

/** Sends a test e-mail and returns the server's answer. Throws MailFailure. */
export async function sendTestMail(ctx: Ctx, { to }: { to: string }): Promise<string> {
  const { server } = ctx.config.mail
  const from = await senderOf(ctx)
  const [id, now] = [ctx.ids.uuid(), ctx.clock.now()]
  const content = { subject: SUBJECT, text: TEXT, html: `<!doctype html><title>${SUBJECT}</title><p>${TEXT}</p>` }
  const messageId = `${id}@${from.address.split('@').at(-1)}`
  const source = await composeMail(from, { ...content, to, attachments: [], messageId, date: now })
  if (!server) {
    await insertMail(ctx, { mail: { messageId: null, sender: from.address, recipient: to, ...content, source }, now })
    return 'kept in the mailbox'
  }
  const smtp = openSmtp(server, 1)
  try {
    return (await smtp.send({ from: from.address, to }, source)).response
  } finally {
    smtp.close()
  }
}
