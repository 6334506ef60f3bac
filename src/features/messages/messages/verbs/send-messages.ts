// Sends due messages: claimed in the database, sent by SMTP or kept in the embedded mailbox, their results recorded.
import { SpanKind, context, trace } from '@opentelemetry/api'

import { ctxOf } from '../../../../ctx.ts'
import type { Deps } from '../../../../deps.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { composeMail } from '../../../../platform/mail/compose.ts'
import { MailFailure } from '../../../../platform/mail/mail-failure.ts'
import { SEND_LIMIT_MS, type SmtpClient, openSmtp } from '../../../../platform/mail/smtp.ts'
import { StoreUnavailable } from '../../../../platform/store-error.ts'
import { contextOf, inSpan } from '../../../../platform/telemetry/trace-context.ts'
import { OPTIONAL_KINDS, URGENT_KINDS } from './secret-data.ts'
import type { MessageKind } from '../kinds.ts'
import { MESSAGE_KINDS, RESERVED_KINDS, knownKind } from '../kind-facts.ts'
import { type NewMail, insertMail } from '../queries/mailbox.ts'
import {
  type ClaimedMessage,
  type MessageResult,
  type MessageStatus,
  claimMessages,
  finishMessage,
} from '../queries/messages.ts'
import { insertSuppression } from '../queries/suppressions.ts'
import { mailOfMessage, senderOf } from './compose-message.ts'
import { joinDigest } from './digest.ts'
import { afterFailure, dropped } from './message-results.ts'

/** E-mails that a process sends at once; each takes a connection to the mail server. */
const CONCURRENCY = 8
/** A claim outlasts the longest attempt and the recording of its result. */
const LEASE_MS = SEND_LIMIT_MS + 30_000
const IDLE_MS = 1000
/** The longest pause between two attempts to reach an unavailable mail server, each with one message. */
const LONGEST_OUTAGE_PAUSE_MS = 30_000
const RECORD_AGAIN_MS = 250

const tracer = trace.getTracer('hearth.messages')

/** What becomes of a claimed message, and what else its result changes. */
interface Attempt {
  result: MessageResult
  /** The recipient's address does not exist. */
  bounce?: boolean
  /** The recipient has reached the hourly limit: the next digest includes the message. */
  isJoined?: boolean
  /** What goes to the embedded mailbox. */
  kept?: Pick<NewMail, 'subject' | 'text' | 'html' | 'source'>
}

export type { MessageStatus }

/** Sends the messages of one process. Any number of processes may do so concurrently. */
export class MessageSender {
  readonly totals: Record<MessageStatus, number> = {
    sent: 0,
    pending: 0,
    failed: 0,
    suppressed: 0,
    dropped: 0,
    joined: 0,
  }
  readonly #deps: Deps
  readonly #smtp: SmtpClient | undefined
  readonly #inProgress = new Set<Promise<void>>()
  #claiming: Promise<void> | undefined
  #isClosing = false
  /** Attempts in a row that failed because of the mail server, not the message. */
  #outage = 0

  constructor(deps: Deps) {
    this.#deps = deps
    this.#smtp = deps.config.mail.server && openSmtp(deps.config.mail.server, CONCURRENCY)
  }

  get inProgress(): number {
    return this.#inProgress.size
  }

  /**
   * Starts sending due messages. Returns true to be called again at once, a number of milliseconds to wait first, or
   * `nothing` if no message was due.
   */
  async run(): Promise<true | number | 'nothing'> {
    if (this.#isClosing) return IDLE_MS
    this.#claiming = this.#claim()
    await this.#claiming
    // When one has ended, another can be sent, and the next message to the same recipient may be due.
    const hasWork = this.#inProgress.size > 0
    if (hasWork) await Promise.race([...this.#inProgress, Bun.sleep(IDLE_MS)])
    if (this.#outage > 0) return Math.min(LONGEST_OUTAGE_PAUSE_MS, IDLE_MS * 2 ** this.#outage)
    return hasWork || 'nothing'
  }

  /** Claims nothing more, and waits for what is in progress. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#claiming
    await Promise.all(this.#inProgress)
    this.#smtp?.close()
  }

  async #claim(): Promise<void> {
    const limit = (this.#outage > 0 ? 1 : CONCURRENCY) - this.#inProgress.size
    if (limit <= 0) return
    const { clock, config } = this.#deps
    const now = clock.now()
    const claimed = await claimMessages(ctxOf(this.#deps), {
      limit,
      optionalKinds: OPTIONAL_KINDS,
      urgentKinds: URGENT_KINDS,
      reservedKinds: RESERVED_KINDS,
      hourly: config.mailPerRecipientPerHour,
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
    })
    for (const message of claimed) this.#start(message)
  }

  #start(message: ClaimedMessage): void {
    const sending = this.#send(message).finally(() => {
      this.#inProgress.delete(sending)
    })
    this.#inProgress.add(sending)
  }

  async #send(message: ClaimedMessage): Promise<void> {
    const { kind, id, traceparent } = message
    const options = { kind: SpanKind.CLIENT, attributes: { 'hearth.message.kind': kind, 'hearth.message.id': id } }
    await context.with(contextOf(traceparent), () =>
      inSpan(tracer, 'send message', options, async () => {
        const attempt = await this.#attempt(message)
        trace.getActiveSpan()?.setAttribute('hearth.outcome', attempt.result.status)
        if (await this.#record(message, attempt)) this.totals[attempt.result.status]++
        this.#log(message, attempt.result)
      }),
    )
  }

  async #attempt(message: ClaimedMessage): Promise<Attempt> {
    const now = this.#deps.clock.now()
    const { suppression, isExcess, isCurrent } = message
    if (!isCurrent) return { result: dropped(NO_LONGER_SO) }
    if (suppression) return { result: { ...dropped(SUPPRESSIONS[suppression]), status: 'suppressed' } }
    if (isExcess) return { result: JOINED, isJoined: true }
    try {
      return await this.#deliver({ ...message, kind: knownKind(message.kind) })
    } catch (error) {
      const isOutage = error instanceof MailFailure && error.isOfServer
      this.#outage = isOutage ? this.#outage + 1 : 0
      if (!(error instanceof MailFailure) && !isUnavailable(error))
        this.#deps.log.error({ err: error, message: message.id }, 'failed to prepare a message')
      const isBounce = error instanceof MailFailure && error.kind === 'no_mailbox'
      return { result: afterFailure(message, error, now, Math.random()), bounce: isBounce }
    }
  }

  /** Sends a message. Throws {@link MailFailure}, and every error of preparing the message. */
  async #deliver(message: ClaimedMessage & { kind: MessageKind }): Promise<Attempt> {
    const { environment } = this.#deps.config
    if (!this.#smtp && environment === 'production' && MESSAGE_KINDS[message.kind].isSecret)
      return {
        result: { ...dropped('MAIL_URL is not set, and a secret is not kept in the mailbox.'), status: 'failed' },
      }
    const ctx = ctxOf(this.#deps)
    const [from, mail] = await Promise.all([senderOf(ctx), mailOfMessage(ctx, message)])
    if (!mail) return { result: dropped(message.kind === 'digest' ? NO_LONGER_SO : EXPIRED) }
    const source = await composeMail(from, mail)
    const { subject, text, html } = mail
    if (!this.#smtp || message.isTest)
      return { result: sent('Kept in the mailbox.'), kept: { subject, text, html, source } }
    const { response } = await this.#smtp.send({ from: from.address, to: message.recipient }, source)
    this.#outage = 0
    return { result: sent(response) }
  }

  /** Records a result, however long the database is away: the message was sent, and must not be sent again. */
  async #record(message: ClaimedMessage, attempt: Attempt): Promise<boolean> {
    const { clock, log } = this.#deps
    for (;;) {
      try {
        return await ctxOf(this.#deps).transaction('recordMessage', async (ctx) => {
          const now = clock.now()
          if (attempt.isJoined) return await joinDigest(ctx, message)
          if (!(await finishMessage(ctx, { ...message, ...attempt.result, now }))) return false
          const { recipient, id } = message
          if (attempt.bounce)
            await insertSuppression(ctx, { email: recipient, reason: 'bounced', detail: attempt.result.outcome, now })
          if (attempt.kept)
            await insertMail(ctx, {
              mail: { messageId: id, sender: this.#deps.config.mail.from.address, recipient, ...attempt.kept },
              now,
            })
          return true
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        log.warn({ err: error, message: message.id }, 'failed to record the result of a message; trying again')
        await Bun.sleep(RECORD_AGAIN_MS)
      }
    }
  }

  #log({ id, kind }: ClaimedMessage, { status, outcome, nextAttemptAt }: MessageResult): void {
    const { log } = this.#deps
    if (status === 'failed') log.warn({ message: id, kind, outcome }, 'gave up a message')
    else if (status === 'pending')
      log.info({ message: id, kind, outcome, nextAttemptAt }, 'a message will be sent again')
    else log.debug({ message: id, kind, status }, 'finished a message')
  }
}

const SUPPRESSIONS = {
  bounced: 'Earlier messages to this address came back.',
  unsubscribed: 'The recipient unsubscribed.',
} as const

const NO_LONGER_SO = 'What it says is no longer so.'
const EXPIRED = 'Its code or link has expired, or HEARTH_SECRET has changed.'
const JOINED: MessageResult = { ...dropped('Told in a digest.'), status: 'joined' }

const sent = (response: string): MessageResult => ({
  status: 'sent',
  outcome: response,
  nextAttemptAt: null,
  isRefusal: false,
})

const isUnavailable = (error: unknown): boolean =>
  error instanceof StoreUnavailable || (error instanceof AppError && error.code === 'unavailable')
