// The check of the mail server: connection, TLS, log-in.
import type { Config } from '../../config.ts'
import { MailFailure } from '../../platform/mail/mail-failure.ts'
import { openSmtp } from '../../platform/mail/smtp.ts'
import { type Finding, fault, firstLineOf, ok } from './finding.ts'

const SUBJECT = 'mail'

/** Whether the mail server accepts the log-in. Nothing is sent: it may still refuse the sender. */
export async function checkMail({
  mail: { server },
  environment,
}: Pick<Config, 'mail' | 'environment'>): Promise<Finding> {
  if (!server)
    return environment === 'production'
      ? fault(SUBJECT, 'no mail server: messages are not sent', 'set MAIL_URL and MAIL_FROM')
      : ok(SUBJECT, 'kept in the mailbox, see /console/mail')
  const smtp = openSmtp(server, 1)
  try {
    await smtp.verify()
    return ok(SUBJECT, `${server.host}:${server.port} accepts ${server.login ? 'the login' : 'connections'}`)
  } catch (error) {
    if (error instanceof MailFailure) return fault(SUBJECT, error.message, error.remedy)
    return fault(SUBJECT, firstLineOf(error), 'correct MAIL_URL')
  } finally {
    smtp.close()
  }
}
