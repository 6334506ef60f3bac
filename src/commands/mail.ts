// `hearth mail test`: sends one e-mail, and says what the mail server answers.
import { sendTestMail } from '../features/messages/messages/verbs/test-mail.ts'
import { MailFailure } from '../platform/mail/mail-failure.ts'
import { isEmail } from '../platform/schema/types.ts'
import { UsageError } from './failure.ts'
import { withDeps } from './command-deps.ts'

export const runMailTest = (address: string) =>
  withDeps(async (ctx) => {
    if (!isEmail(address)) throw new UsageError(`"${address}" is no e-mail address.`)
    const { server } = ctx.config.mail
    try {
      const response = await sendTestMail(ctx, { to: address })
      if (server) console.log(`${server.host}:${server.port} accepted the message to ${address}: ${response}`)
      else console.log('MAIL_URL is not set: the message is in the mailbox (table mailbox) and is not sent.')
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error
      console.error(`Not sent: ${error.message} → ${error.remedy}`)
      process.exitCode = 1
    }
  })
