// The text of an e-mail as it is sent (RFC 5322): the same for the mail server and the embedded mailbox.
import MailComposer from 'nodemailer/lib/mail-composer'

export interface Sender {
  readonly name: string
  readonly address: string
}

export interface Attachment {
  readonly filename: string
  /** `text/calendar; method=REQUEST` also becomes an alternative of the text, which mail programs show as an invitation. */
  readonly contentType: string
  readonly content: string
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly attachments: readonly Attachment[]
  /** Without angle brackets. The same at every attempt, so that a repeated e-mail can be recognized. */
  readonly messageId: string
  readonly date: Date
  /** The page and target of one-click unsubscription (RFC 8058). */
  readonly unsubscribeUrl?: string | undefined
}

/** The complete source of an e-mail, in ASCII. */
export async function composeMail(from: Sender, mail: Mail): Promise<Buffer> {
  const { to, subject, text, html, messageId, date, unsubscribeUrl } = mail
  const invitation = mail.attachments.find(({ contentType }) => contentType.startsWith('text/calendar'))
  return await new MailComposer({
    // The composer changes its addresses.
    from: { ...from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${messageId}>`,
    date,
    headers: {
      // Keeps vacation notices and other programs from answering (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    ...(invitation && {
      icalEvent: {
        filename: invitation.filename,
        content: invitation.content,
        method: /method=(\w+)/i.exec(invitation.contentType)?.[1] ?? 'PUBLISH',
      },
    }),
    attachments: mail.attachments.filter((attachment) => attachment !== invitation).map((part) => ({ ...part })),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  })
    .compile()
    .build()
}
