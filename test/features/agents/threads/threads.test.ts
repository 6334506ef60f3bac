// A pro's threads and runs: idempotent, one task per run, readable step by step, and private.
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { executeRun } from '../../../../src/mcp/runs/execute.ts'
import type { Deps } from '../../../../src/deps.ts'
import { addCredits, getBalance } from '../../../../src/features/agents/metering/verbs.ts'
import { MAX_OPEN_RUNS, type ThreadOwner } from '../../../../src/features/agents/threads/schemas.ts'
import { getRun, startRun, waitForRun } from '../../../../src/features/agents/threads/verbs/runs.ts'
import { createThread, getThread, listThreads } from '../../../../src/features/agents/threads/verbs/threads.ts'
import { claimRun, finishRun } from '../../../../src/features/agents/threads/verbs/run-execution.ts'
import { runMessages } from '../../../../src/features/agents/threads/verbs/run-queue.ts'
import type { Sql } from '../../../../src/platform/postgres/database.ts'
import { call, scriptedModel, recordingToolExecutor, runOptions } from '../../../support/agent-runs.ts'
import { insertMeteredPro } from '../../../support/metering.ts'
import { useRunFixture } from '../../../support/agent-run-fixture.ts'
import { ctxOf } from '../../../../src/ctx.ts'

const world = useRunFixture()
const { queueRun, createOwner, taskOf } = world
let deps: Deps
let sql: Sql
let owner: ThreadOwner

beforeAll(() => void ({ deps, sql } = world))
beforeEach(() => void ({ owner } = world))

const answering = (text = 'All is well.') => scriptedModel(() => ({ text }))
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no error',
    (error: unknown) => (error as { code?: string }).code,
  )

describe('threads', () => {
  test('can be created, listed by their latest message and read in pages by their owner only', async () => {
    const first = await createThread(ctxOf(deps, owner), { title: 'Spring' })
    const second = await createThread(ctxOf(deps, owner), { title: 'Autumn' })
    const ref = await queueRun('What is new?', first.id)
    await executeRun(ctxOf(deps), ref, runOptions(answering('Nothing.')))
    expect(await listThreads(ctxOf(deps, owner), { limit: 1 })).toMatchObject({
      threads: [{ id: first.id, title: 'Spring', messageCount: 2 }],
      meta: { total: 2, hasMore: true },
    })
    expect((await listThreads(ctxOf(deps, owner), { offset: 5 })).threads).toEqual([])
    const page = await getThread(ctxOf(deps, owner), { limit: 1, threadId: first.id })
    expect(page).toMatchObject({
      messages: [{ position: 2, role: 'agent', content: 'Nothing.', runId: ref.runId }],
      earlier: 2,
    })
    expect(await getThread(ctxOf(deps, owner), { before: 2, threadId: first.id })).toMatchObject({
      messages: [{ position: 1, role: 'person', content: 'What is new?' }],
      earlier: null,
    })
    const stranger = await createOwner()
    expect((await listThreads(ctxOf(deps, stranger), {})).meta.total).toBe(0)
    expect(await codeOf(getThread(ctxOf(deps, stranger), { threadId: second.id }))).toBe('thread_not_found')
    expect(await codeOf(getRun(ctxOf(deps), { ...stranger, runId: ref.runId }))).toBe('run_not_found')
    expect(
      await codeOf(startRun(ctxOf(deps, stranger), { kind: 'run_agent', goal: 'Mine?', threadId: second.id })),
    ).toBe('thread_not_found')
    expect(await getBalance(ctxOf(deps), { professionalId: stranger.professionalId })).toMatchObject({
      reserved: 0,
      spent: 0,
    })
  })

  test('fifty concurrent creations under one key make one thread', async () => {
    const created = await Promise.all(
      Array.from({ length: 50 }, () => createThread(ctxOf(deps, owner, { key: 'a' }), { title: 'Once' })),
    )
    expect(new Set(created.map(({ id }) => id)).size).toBe(1)
    expect((await listThreads(ctxOf(deps, owner), {})).meta.total).toBe(1)
  })
})

describe('a run', () => {
  test('stores every step with its usage, and writes to its thread', async () => {
    const { id: threadId } = await createThread(ctxOf(deps, owner), { title: 'Leads' })
    const earlier = await queueRun('Hello', threadId)
    await executeRun(ctxOf(deps), earlier, runOptions(answering('Good morning.')))
    const ref = await queueRun('Write to them', threadId)
    const executor = recordingToolExecutor()
    const model = scriptedModel((_, turn) =>
      turn === 0
        ? {
            text: 'I look first.',
            calls: [call('look', { n: 1 }), call('look', { n: 2 })],
            inputTokens: 7,
            outputTokens: 2,
          }
        : turn === 1
          ? { calls: [call('write')], inputTokens: 9, outputTokens: 1 }
          : { text: 'Done.', inputTokens: 11, outputTokens: 3 },
    )
    await executeRun(ctxOf(deps), ref, runOptions(model, executor))
    expect(executor.done).toEqual(['look {"n":1} 1', 'look {"n":2} 2', 'write {} 3'])
    const run = await getRun(ctxOf(deps), ref)
    expect(run).toMatchObject({
      status: 'succeeded',
      answer: 'Done.',
      failure: null,
      model: 'a-model',
      usage: { inputTokens: 27, outputTokens: 6 },
    })
    expect(run.steps.map(({ number, tool, input, status, summary }) => [number, tool, input, status, summary])).toEqual(
      [
        [1, 'look', { n: 1 }, 'done', 'of look'],
        [2, 'look', { n: 2 }, 'done', 'of look'],
        [3, 'write', {}, 'done', 'of write'],
      ],
    )
    expect(run.steps[0]).toMatchObject({ remark: 'I look first.', inputTokens: 7, outputTokens: 2 })
    const { messages } = await getThread(ctxOf(deps, owner), { threadId })
    expect(messages.map(({ role, content, step }) => [role, content, step])).toEqual([
      ['person', 'Hello', null],
      ['agent', 'Good morning.', null],
      ['person', 'Write to them', null],
      ['tool', 'look: of look', 1],
      ['tool', 'look: of look', 2],
      ['tool', 'write: of write', 3],
      ['agent', 'Done.', null],
    ])
    // The model gets earlier messages, the goal, its calls and their results.
    expect(
      model.conversations[0]?.messages.map((message) => [message.role, 'text' in message ? message.text : '']),
    ).toEqual([
      ['person', 'Hello'],
      ['agent', 'Good morning.'],
      ['person', 'Write to them'],
    ])
    expect(
      model.conversations
        .at(-1)
        ?.messages.map(({ role }) => role)
        .join(' '),
    ).toBe('person agent person agent result result agent result')
    expect(await taskOf(ref.runId)).toBe('settled')
  })

  test('is refused for a pro without tasks, and nothing is stored', async () => {
    const unfunded: ThreadOwner = { ...owner, professionalId: await insertMeteredPro(sql, 'none') }
    const input = { kind: 'run_agent' as const, goal: 'Anything' }
    expect(await codeOf(startRun(ctxOf(deps, unfunded), input))).toBe('agent_tasks_exhausted')
    await addCredits(ctxOf(deps), { professionalId: unfunded.professionalId, tasks: 1, reference: 'invoice' })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => codeOf(startRun(ctxOf(deps, unfunded), input))))
    expect(outcomes.filter((code) => code === 'no error')).toHaveLength(1)
    expect(outcomes.filter((code) => code === 'agent_tasks_exhausted')).toHaveLength(9)
  })

  test('started fifty times under one key is one run and one task, and another goal under that key is refused', async () => {
    const { id: threadId } = await createThread(ctxOf(deps, owner), { title: 'Once' })
    const input = { kind: 'chat_on_thread' as const, goal: 'Once', threadId }
    const started = await Promise.all(
      Array.from({ length: 50 }, () => startRun(ctxOf(deps, owner, { key: 'b' }), input)),
    )
    expect(new Set(started.map(({ runId }) => runId)).size).toBe(1)
    expect((await getBalance(ctxOf(deps), { professionalId: owner.professionalId })).reserved).toBe(1)
    expect((await getThread(ctxOf(deps, owner), { threadId })).thread.messageCount).toBe(1)
    expect(await codeOf(startRun(ctxOf(deps, owner, { key: 'b' }), { ...input, goal: 'Twice' }))).toBe(
      'idempotency_mismatch',
    )
  })

  test(`is refused when ${MAX_OPEN_RUNS} others are open, also under concurrency`, async () => {
    const outcomes = await Promise.all(Array.from({ length: MAX_OPEN_RUNS + 5 }, () => codeOf(queueRun())))
    expect(outcomes.filter((code) => code === 'too_many_runs')).toHaveLength(5)
    expect((await getBalance(ctxOf(deps), { professionalId: owner.professionalId })).reserved).toBe(MAX_OPEN_RUNS)
  })

  test('can be waited for, and is returned unfinished when that takes too long', async () => {
    const ref = await queueRun()
    expect(await waitForRun(ctxOf(deps), { ref, limitMs: 50 })).toMatchObject({ status: 'queued', startedAt: null })
    const waiting = waitForRun(ctxOf(deps), { ref, limitMs: 20_000 })
    await executeRun(ctxOf(deps), ref, runOptions(answering()))
    expect(await waiting).toMatchObject({ status: 'succeeded', answer: 'All is well.' })
  })

  test('waits for the other runs of its pro, and not for those of another', async () => {
    const first = await queueRun('first')
    const second = await queueRun('second')
    const stranger = await createOwner()
    const other = await startRun(ctxOf(deps, stranger), { kind: 'run_agent', goal: 'other' })
    const mine = async () => {
      const ids = (await runMessages(ctxOf(deps), { limit: 1000 })).map(({ id }) => id)
      return ids.filter((id) => [first.runId, second.runId, other.runId].includes(id))
    }
    expect(await mine()).toEqual([first.runId, other.runId])
    const claimed = await claimRun(ctxOf(deps), { ref: first, model: 'a-model' })
    expect(await claimRun(ctxOf(deps), { ref: second, model: 'a-model' })).toBeUndefined()
    expect(await mine()).toEqual([other.runId])
    if (claimed) await finishRun(ctxOf(deps), { claim: claimed, end: { answer: 'Done.' } })
    expect(await mine()).toEqual([second.runId, other.runId])
  })
})
