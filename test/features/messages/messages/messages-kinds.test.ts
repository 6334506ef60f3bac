// Each kind of message: its event brings it once, to its reader, and working links with it.
import { expect, test } from 'bun:test'

import type { MessageKind } from '../../../../src/features/messages/messages/kinds.ts'
import { SAMPLES } from '../../../../src/features/messages/messages/templates/samples.ts'
import { openCalendarHost } from '../../../support/calendar-host.ts'
import { opened } from '../../../support/fixture.ts'
import { SCENARIOS } from '../../../support/message-scenarios.ts'
import { MessageStage } from '../../../support/message-stage.ts'
import { openMessageFixture } from '../../../support/messages.ts'
import type { ReceivedMail } from '../../../support/smtp-receiver.ts'
import { Visitor, loggedInVisitor } from '../../../support/visitor.ts'

/** The digest tells messages of the others: messages-digest.test.ts. */
const KINDS = Object.keys(SCENARIOS) as (keyof typeof SCENARIOS)[]

const host = await opened(openCalendarHost(), 'stop')
const env = { CALENDAR_ALLOW_PRIVATE: 'true', LOG_LEVEL: 'silent', MAIL_PER_RECIPIENT_PER_HOUR: '1000000' }
const at = { ...(await opened(openMessageFixture(env))), host }

/** Sends what is due; the mail server greylists all of it first. */
async function deliver(): Promise<void> {
  at.smtp.answer = () => ({ code: 451, text: '4.7.1 Greylisted, try again later' })
  await at.settle()
  at.smtp.answer = () => 'accepts'
  at.clock.advance(1)
  await at.settle()
}

/** Runs the action while no transaction that tells something can be committed. */
async function rollBack(act: () => Promise<unknown>): Promise<void> {
  // A sequence keeps its count when the transaction is rolled back.
  await at.sql`create sequence refusals`
  await at.sql`
    create function refuse_commit() returns trigger language plpgsql as $$
    begin
      perform nextval('refusals');
      raise 'The commit is refused.';
    end $$`
  await at.sql`
    create constraint trigger refuse after insert on outbox_events deferrable initially deferred
    for each row execute function refuse_commit()`
  await at.sql`
    create constraint trigger refuse after insert on messages deferrable initially deferred
    for each row execute function refuse_commit()`
  // Some acts throw then, others return the page of an error.
  await Promise.allSettled([act()])
  const [refusals] = await at.sql<{ happened: boolean }[]>`select is_called as happened from refusals`
  expect(refusals?.happened).toBe(true)
  await at.sql`drop function refuse_commit() cascade`
  await at.sql`drop sequence refusals`
}

const countMessages = async () => (await at.sql`select from messages`).length

/** `kind recipient` of an e-mail. */
async function lineOf({ mail, to }: ReceivedMail): Promise<string> {
  const id = Number(/^<(\d+)\./.exec(mail.messageId ?? '')?.[1])
  const [row] = await at.sql<{ kind: string }[]>`select kind from messages where id = ${id}`
  return `${row?.kind} ${to}`
}

/** The links in the text that do not open a page for the message's reader. */
async function findDeadLinks(kind: MessageKind, text: string, proId: string): Promise<string[]> {
  const { baseUrl } = at.app.deps.config
  const reader =
    'consoleUrl' in SAMPLES[kind] ? await loggedInVisitor(at.app, 'pro', { pro: proId }) : new Visitor(at.app)
  const urls = text.match(/https?:\/\/\S+/g) ?? []
  expect(urls).not.toEqual([])
  const dead: string[] = []
  for (const url of urls) {
    const status = url.startsWith(`${baseUrl}/`) ? (await reader.get(url.slice(baseUrl.length))).status : undefined
    if (status !== 200) dead.push(`${url}: ${status}`)
  }
  return dead
}

test.each(KINDS)(
  '%s comes once, to its reader alone, with what its reader needs',
  async (kind) => {
    let stage: MessageStage | undefined
    const story = await SCENARIOS[kind](async (settings) => (stage = await MessageStage.open(at, at.host, settings)))
    if (!stage) throw new Error('The scenario opened no stage.')
    await at.settle()
    const before = { mails: at.smtp.received.length, messages: await countMessages() }

    await rollBack(story.act)
    await at.relay()
    expect(await countMessages()).toBe(before.messages)

    await story.act()
    await deliver()
    // A repeated act may be refused, which sends nothing either.
    await Promise.allSettled([(story.repeat ?? story.act)()])
    await deliver()
    if (story.afterMinutes !== undefined) {
      at.clock.advance(story.afterMinutes)
      await deliver()
    }
    const received = at.smtp.received.slice(before.mails)
    const lines = await Promise.all(received.map(lineOf))
    expect(lines.toSorted()).toEqual([`${kind} ${story.to}`, ...(story.also ?? [])].toSorted())
    const { subject = '', text = '' } = received[lines.indexOf(`${kind} ${story.to}`)]?.mail ?? {}
    for (const fact of story.subject) expect(subject).toContain(fact)
    for (const fact of story.text) expect(text).toContain(fact)
    expect(await findDeadLinks(kind, text, stage.pro.id)).toEqual([])

    await at.sql`update outbox_events set relayed_at = null where professional_id = ${stage.pro.id}`
    await deliver()
    expect(at.smtp.received.length - before.mails).toBe(received.length)
  },
  30_000,
)
