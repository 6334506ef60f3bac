// Sends one e-mail by the URL in its argument and prints the server's answer. A process of its own, for its trust store.
import { composeMail } from '../../src/platform/mail/compose.ts'
import { mailOf } from '../../src/platform/mail/mail-config.ts'
import { openSmtp } from '../../src/platform/mail/smtp.ts'

const [, , url = ''] = process.argv
const { server, from } = mailOf({ MAIL_URL: url, MAIL_FROM: 'Hearth <hello@hearth.example>' })
if (!server) throw new Error('There is no mail server.')
const smtp = openSmtp(server, 1)
const mail = { to: 'you@example.com', subject: 'Hello', text: 'Hello.', html: '<p>Hello.</p>', attachments: [] }
const source = await composeMail(
  { ...from, name: from.name ?? '' },
  { ...mail, messageId: 'test@hearth.example', date: new Date() },
)
const { response } = await smtp.send({ from: from.address, to: mail.to }, source)
process.stdout.write(`${response}\n`)
smtp.close()
