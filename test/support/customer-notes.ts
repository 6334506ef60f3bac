// What a pro and the pro's agent write about a customer.
import { propose } from '../../src/features/agents/proposals/verbs/proposals.ts'
import { createDraft } from '../../src/features/quoting/quotes/verbs/drafts.ts'
import { startRun } from '../../src/features/agents/threads/verbs/runs.ts'
import { createThread } from '../../src/features/agents/threads/verbs/threads.ts'
import { executeRun } from '../../src/mcp/runs/execute.ts'
import { call, recordingToolExecutor, runOptions, scriptedModel } from './agent-runs.ts'
import type { ProAgentFixture } from './pro-agent-fixture.ts'
import type { WebhookFixture } from './webhooks.ts'
import { ctxOf } from '../../src/ctx.ts'

export const HOUR_MS = 3_600_000

export interface LifeCustomer {
  email: string
  name: string
  phone: string
  address: { street: string; city: string; state: string; zipCode: string }
  /** A text of the customer's that occurs nowhere else. */
  text: (place: string) => string
  /** Each of them says who the customer is. */
  markers: string[]
}

/** Throws unless the response has the status. */
export async function expectStatus<T>(status: number, response: Response): Promise<T> {
  const text = await response.text()
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text}`)
  return JSON.parse(text) as T
}

/** What the pro writes about the customer. */
export async function workAsPro(
  { app, clock }: WebhookFixture,
  pro: ProAgentFixture,
  { name, email, phone, text }: LifeCustomer,
  { widget, agent }: { widget: string; agent: string },
  rfqId: string,
): Promise<void> {
  const act = async (id: string, json: object) =>
    await expectStatus(200, await app.send(`/api/v1/pro/bookings/${id}`, { key: pro.key, json }))
  const soon = new Date(clock.now().getTime() + 26 * HOUR_MS).toISOString().slice(0, 10)
  await act(widget, { action: 'propose', date: soon, time: '23:00', message: `${name}, would this suit you?` })
  await act(agent, { action: 'cancel', reason: `${name} called from ${phone}.` })
  const json = { email, reason: `${name} was never there.` }
  await expectStatus(201, await app.send('/api/v1/pro/blocked-customers', { key: pro.key, json }))
  const from = clock.now().getTime() + 90 * 24 * HOUR_MS
  const [startDateTime, endDateTime] = [new Date(from).toISOString(), new Date(from + HOUR_MS).toISOString()]
  const block = { startDateTime, endDateTime, reason: `Estimate for ${name.toUpperCase()}` }
  await expectStatus(201, await app.send('/api/v1/pro/availability', { key: pro.key, json: block }))
  const draft = await ctxOf(app.deps).transaction('createDraft', (ctx) =>
    createDraft(ctx.as(pro), { rfqId, amount: 300, message: text('a draft') }),
  )
  const change = { message: `Dear ${name}, ${text('a proposal')}` }
  await propose(ctxOf(app.deps, pro, { key: `${email}-1` }), { kind: 'quote_content', targetId: draft.id, change })
}

/** What the pro's agent stores: prepared work, threads, runs and their steps. */
export async function askTheAgent(
  { app, clock }: WebhookFixture,
  pro: ProAgentFixture,
  { name, email, phone, address, text }: LifeCustomer,
  bookingId: string,
): Promise<void> {
  const [booking] = await app.sql<{ day: string }[]>`
    select (starts_at at time zone 'America/Chicago')::date::text as day from bookings where id = ${bookingId}`
  for (const [tool, args] of [
    ['prepare_assessment_notes', { bookingId }],
    ['prepare_job_spec', { bookingId }],
    ['prepare_customer_message', { bookingId, purpose: 'confirm_visit' }],
    ['prepare_day_brief', { date: booking?.day }],
  ] as const) {
    const { isError, texts } = await pro.tool(tool, { ...args, idempotencyKey: crypto.randomUUID() })
    if (isError) throw new Error(`${tool}: ${texts.join(' ')}`)
  }
  const deps = { ...app.deps, clock }
  const thread = await createThread(ctxOf(deps, pro), { title: `The work of ${name}` })
  const goals = { chat_on_thread: `Call ${name} (737) 555-77${phone.slice(-2)} back`, run_agent: `Write to ${email}` }
  for (const kind of ['chat_on_thread', 'run_agent'] as const) {
    const threadId = kind === 'chat_on_thread' ? thread.id : undefined
    const { runId } = await startRun(ctxOf(deps, pro), { kind, goal: goals[kind], threadId })
    const model = scriptedModel((_, turn) =>
      turn === 0
        ? { text: `I look for ${name}.`, calls: [call('look', { bookingId, email })] }
        : { text: `${name} lives at ${address.street} and said: ${text('a booking')}` },
    )
    const answer = () => ({
      text: JSON.stringify({ booking: { id: bookingId, name, address, note: text('a booking') } }),
      isError: false,
      summary: `found ${name}`,
    })
    const ref = { professionalId: pro.professionalId, runId }
    await executeRun(ctxOf(deps), ref, runOptions(model, recordingToolExecutor(answer)))
  }
}
