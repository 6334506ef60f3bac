// Messages for tests: the booking fixture with a mail server, a relay and a sender that the test runs step by step.
import { listWaitingPartitions, relayBatch } from '../../src/features/upkeep/outbox/verbs.ts'
import { MessageSender } from '../../src/features/messages/messages/verbs/send-messages.ts'
import { waitUntil } from '../../src/platform/clock/deadlines.ts'
import { planSubscribed } from '../../workers/actors/relay-outbox.ts'
import { type BookingFixture, openBookingFixture } from './booking-fixture.ts'
import { type SmtpReceiver, openSmtpReceiver } from './smtp-receiver.ts'
import { ctxOf } from '../../src/ctx.ts'

export interface MessageFixture extends BookingFixture {
  readonly smtp: SmtpReceiver
  readonly sender: MessageSender
  /** Relays all events. */
  relay(): Promise<void>
  /** Sends what can be sent now. */
  send(): Promise<void>
  /** Both. */
  settle(): Promise<void>
  /** `kind status` of the messages to an address, or of all, in order. */
  planned(recipient?: string): Promise<string[]>
}

export async function openMessageFixture(env: Record<string, string> = {}): Promise<MessageFixture> {
  const smtp = await openSmtpReceiver()
  const fixture = await openBookingFixture({
    MAIL_URL: smtp.url,
    MAIL_FROM: 'Hearth <hello@hearth.example>',
    ...env,
  })
  const { deps } = fixture.app
  const sender = new MessageSender(deps)
  const relay = async () => {
    for (let rounds = 0; rounds < 50; rounds++) {
      const partitions = await listWaitingPartitions(ctxOf(deps))
      if (partitions.length === 0) return
      for (const partition of partitions) await relayBatch(ctxOf(deps), { partition, plan: planSubscribed })
    }
    throw new Error('Events are left in the outbox.')
  }
  const send = async () => {
    const isDone = await waitUntil(async () => (await sender.run()) !== true && sender.inProgress === 0, 20_000)
    if (!isDone) throw new Error('Messages are still being sent.')
  }
  return {
    ...fixture,
    smtp,
    sender,
    relay,
    send,
    settle: async () => {
      await relay()
      await send()
    },
    planned: async (recipient) =>
      (
        await fixture.sql<{ line: string }[]>`
          select kind || ' ' || status as line from messages
          where ${recipient ?? null}::text is null or recipient = ${recipient ?? null} order by id`
      ).map(({ line }) => line),
    close: async () => {
      await sender.close()
      await fixture.close()
      await smtp.stop()
    },
  }
}
